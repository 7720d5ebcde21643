import { randomBytes } from 'node:crypto'
import type { Protocol } from '@sallyport/contract/shapes'
import pg from 'pg'
import { subscriptionKeyContext } from '../apps/server/core/accounts/subscription-keys.ts'
import { newApiKey, newSubscriptionKey, parseToken } from '../apps/server/core/kernel/tokens.ts'
import { sha256, Vault } from '../apps/server/core/kernel/vault.ts'
import { openDatabase } from '../apps/server/db/client.ts'
import { migrate } from '../apps/server/db/migrate.ts'
import { loadDemoInto } from '../test/support/databases/demo-database.ts'

/** A customer with a full account, as the load knows it. */
export interface Customer {
  readonly id: number
  readonly apiKey: string
  readonly subscriptionKey: string
}

export interface SeedOptions {
  readonly customers: number
  /** How many of them are asked for, each with `configsEach` configurations. */
  readonly active: number
  readonly configsEach: number
  /** Of the configurations, in turn; without them all are of one. */
  readonly protocols?: readonly Protocol[]
}

export interface Seeded {
  readonly databaseUrl: string
  readonly secretKey: string
  readonly active: readonly Customer[]
}

const openingBalance = 100_000
const batch = 5000

const createDatabase = async (adminUrl: string, name: string): Promise<string> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
}

/** The schema and the demo catalogue, laid down by the product itself. */
const prepareDatabase = async (databaseUrl: string, vault: Vault): Promise<void> => {
  const database = await openDatabase({ databaseUrl, dataDir: '.' })
  await migrate(database)
  const now = Math.floor(Date.now() / 1000)
  await loadDemoInto(database.db, vault, now)
  await database.close()
}

/** Everything in bulk: $1 customers, $2 salt. Ids begin behind the demo customer's. */
const customerStatements = [
  `insert into users (id, email, sign_in_method, referral_code, created_at)
   overriding system value
   select n, 'c' || n || '@bench.example', 'authCode', 'B' || n, extract(epoch from now())::bigint
   from generate_series(1001, 1000 + $1::bigint) n where $2::text is not null`,
  `insert into subscriptions (user_id, kind, key_sealed, key_hash, created_at)
   select n, 'account', '\\x00', sha256(convert_to($2::text || 'sub' || n, 'UTF8')), extract(epoch from now())::bigint
   from generate_series(1001, 1000 + $1::bigint) n`,
  `insert into api_keys (user_id, prefix, secret_hash, created_at)
   select n, lpad(n::text, 8, '0'), sha256(convert_to(substr(md5($2::text || n), 1, 24), 'UTF8')), 0
   from generate_series(1001, 1000 + $1::bigint) n`,
  `insert into ledger_accounts (kind, user_id, balance)
   select kind, n, case kind when 'wallet' then ${openingBalance} else 0 end
   from generate_series(1001, 1000 + $1::bigint) n, unnest(array['wallet', 'referral', 'referral_hold', 'withdrawal_hold']) kind
   where $2::text is not null`,
  `insert into ledger_transfers (cause, kind, from_account_id, to_account_id, amount, created_at)
   select 'user:' || a.user_id || ':opening-wallet', 'operator_grant',
     (select id from ledger_accounts where kind = 'operator'), a.id, ${openingBalance}, 0
   from ledger_accounts a where a.kind = 'wallet' and a.user_id between 1001 and 1000 + $1::bigint
     and $2::text is not null`,
]

/**
 * $1 customers, $2 how many each, $3 their protocols in turn: spread over all servers, and over the tables as if bought one by
 * one. The numbers are taken after the sort.
 */
const configStatement = `
  with bought as materialized (
    select nextval('accesses_id_seq') as id, c.*, extract(epoch from now())::bigint as at from (
      select u as user_id, s.id as server_id, s.location_id, ($3::text[])[1 + n % cardinality($3::text[])] as protocol
      from generate_series(1, $2::bigint) n, unnest($1::bigint[]) u,
        (select id, location_id, row_number() over (order by id) - 1 as at, count(*) over () as servers from servers) s
      where s.at = n % s.servers
      order by n, u) c
  ), sold as (
    insert into terms (user_id, product, item_id, expires_at, created_at)
    select user_id, 'configs', id, at + 30 * 86400, at from bought order by id
    returning id, item_id
  ), made as (
    insert into accesses (id, term_id, server_id, location_id, protocol, credential_nonce, tunnel_host, created_at)
    select b.id, s.id, b.server_id, b.location_id, b.protocol, uuid_send(gen_random_uuid()),
      case b.protocol when 'wg' then 2 + b.id % 4000000 end, b.at
    from bought b join sold s on s.item_id = b.id order by b.id
    returning id, term_id
  )
  insert into meters (access_id, term_id) select id, term_id from made order by id`

export const insertConfigs = (
  client: pg.Client,
  userIds: readonly number[],
  each: number,
  protocols: readonly Protocol[] = ['vless'],
) => client.query(configStatement, [userIds, each, protocols])

/** Servers with room for everybody, on a node that stays online and carries whatever is bought for the whole run. */
const openServers = (client: pg.Client) =>
  client.query(`
    update servers set capacity = 100000000, used_slots = a.used
    from (select s.id, count(a.id) as used from servers s left join accesses a on a.server_id = s.id group by s.id) a
    where a.id = servers.id;
    update node_status set last_seen_at = extract(epoch from now())::bigint + 7 * 86400, applied_revision = 1000000000`)

const sealSubscriptionKeys = async (client: pg.Client, vault: Vault, customers: readonly Customer[]) => {
  for (let at = 0; at < customers.length; at += batch) {
    const some = customers.slice(at, at + batch)
    await client.query(
      `update subscriptions s set key_sealed = k.sealed, key_hash = k.hash
       from unnest($1::bigint[], $2::bytea[], $3::bytea[]) k (id, sealed, hash) where s.user_id = k.id`,
      [
        some.map(({ id }) => id),
        some.map(({ subscriptionKey }) => vault.seal(subscriptionKey, subscriptionKeyContext)),
        some.map(({ subscriptionKey }) => sha256(subscriptionKey)),
      ],
    )
  }
}

const giveApiKeys = async (client: pg.Client, customers: readonly Customer[]) => {
  for (let at = 0; at < customers.length; at += batch) {
    const some = customers.slice(at, at + batch)
    const tokens = some.map(({ apiKey }) => parseToken(apiKey))
    await client.query(
      `update api_keys set prefix = k.prefix, secret_hash = k.hash
       from unnest($1::bigint[], $2::text[], $3::bytea[]) k (id, prefix, hash) where api_keys.user_id = k.id`,
      [
        some.map(({ id }) => id),
        tokens.map((token) => token?.prefix),
        tokens.map((token) => sha256(token?.secret ?? '')),
      ],
    )
  }
}

/** Prefixes are drawn from some 900 million, so that of many keys two may have the same. */
const drawApiKeys = (vault: Vault, count: number): string[] => {
  const byPrefix = new Map<string, string>()
  while (byPrefix.size < count) {
    const { prefix, token } = newApiKey(vault)
    byPrefix.set(prefix, token)
  }
  return [...byPrefix.values()]
}

const shuffle = <T>(items: T[]): T[] => {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[items[at], items[other]] = [items[other] as T, items[at] as T]
  }
  return items
}

/** For bulk: nothing is checked, and no subscription is told that what it delivers has changed. */
export const openBulk = async (databaseUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('set session_replication_role = replica')
  return client
}

export const seed = async (adminUrl: string, options: SeedOptions, name = 'bench'): Promise<Seeded> => {
  const secretKey = randomBytes(32)
  const salt = randomBytes(8).toString('hex')
  const vault = new Vault(secretKey)
  const databaseUrl = await createDatabase(adminUrl, name)
  await prepareDatabase(databaseUrl, vault)

  // Every k-th customer, so that their rows lie all over the tables.
  const stride = Math.max(1, Math.floor(options.customers / options.active))
  const active = drawApiKeys(vault, options.active).map((apiKey, n): Customer => {
    return { id: 1001 + n * stride, apiKey, subscriptionKey: newSubscriptionKey(vault) }
  })

  const client = await openBulk(databaseUrl)
  for (const sql of customerStatements) await client.query(sql, [options.customers, salt])
  await sealSubscriptionKeys(client, vault, active)
  await giveApiKeys(client, active)
  await insertConfigs(
    client,
    active.map(({ id }) => id),
    options.configsEach,
    options.protocols,
  )
  await openServers(client)
  await client.query('vacuum analyze')
  await client.end()
  return { databaseUrl, secretKey: secretKey.toString('base64'), active: shuffle(active) }
}
