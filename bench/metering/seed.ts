import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type pg from 'pg'
import { type Customer, openBulk, seed } from '../seed.ts'

/** Metered subscriptions over many nodes, as if each had been bought: its accesses lie together, those of a node apart. */

export interface MeteringSize {
  readonly subscriptions: number
  readonly accesses: number
  readonly agents: number
  /** How many are so near their limit that the run takes them over it. */
  readonly near: number
}

/** A node with an enrolled agent. */
export interface MeteredNode {
  readonly nodeId: number
  readonly key: KeyObject
  readonly revision: number
  readonly accessIds: readonly number[]
}

/** A subscription that is to cross its limit, through the traffic of one of its accesses. */
export interface NearTerm {
  readonly termId: number
  readonly nodeId: number
  readonly accessId: number
}

export interface Metered {
  readonly databaseUrl: string
  readonly secretKey: string
  /** Customers whose keys are known, with a configuration each. */
  readonly active: readonly Customer[]
  readonly nodes: readonly MeteredNode[]
  readonly near: readonly NearTerm[]
}

/** What every access has carried before, in each direction. */
export const carriedBefore = 1_000_000
const limit = 100e9
const day = 86_400
const now = 'extract(epoch from now())::bigint'

const nodeStatements = [
  `insert into servers (node_id, location_id, capacity, domain, certificate, certificate_key_sealed, created_at)
   select n.id, s.location_id, 100000000, s.domain, s.certificate, s.certificate_key_sealed, ${now}
   from nodes n, (select * from servers order by id limit 1) s where n.name like 'meter%' order by n.id`,
  `insert into inbounds (server_id, protocol, node_id, engine, port, settings, sites, secret_sealed)
   select s.id, i.protocol, s.node_id, i.engine, 20000, i.settings, i.sites, i.secret_sealed
   from servers s join nodes n on n.id = s.node_id, inbounds i
   where n.name like 'meter%' and i.protocol = 'vless' and i.server_id = (select min(server_id) from inbounds)`,
]

/** Every option has servers of its own, so that no node carries everything. */
const soldStatements = ({ subscriptions, accesses, agents }: MeteringSize): readonly string[] => {
  const options = Math.floor(agents / accesses)
  return [
    `insert into paid_options (id, key, title_ru, title_en, caption_ru, caption_en, description_ru, description_en,
       protocol, created_at)
     select 1000 + n, 'meter' || n, 'Счётчик', 'Meter', '', '', '', '', 'vless', ${now}
     from generate_series(0, ${options - 1}) n`,
    `insert into paid_option_servers (option_id, server_id, position)
     select 1000 + at / ${accesses}, id, at % ${accesses}
     from (select s.id, row_number() over (order by s.id) - 1 as at from servers s join nodes n on n.id = s.node_id
       where n.name like 'meter%') s
     where at < ${options * accesses}`,
    `insert into terms (user_id, product, product_id, item_id, expires_at, is_metered, created_at)
     select 1000 + n, 'paid_options', 1000 + n % ${options}, n, ${now} + 10 * ${day} + n::bigint * 7919 % (300 * ${day}),
       true, ${now} from generate_series(1, ${subscriptions}) n`,
    `insert into option_terms (term_id, traffic_limit, period_began_at, option_id, furnished)
     select id, ${limit}, ${now} - item_id * 7919 % (30 * ${day}), product_id, 1 from terms where product = 'paid_options'`,
    `insert into subscriptions (user_id, kind, term_id, key_sealed, key_hash, created_at)
     select user_id, 'paid_option', id, '\\x00', sha256(convert_to('option' || id, 'UTF8')), ${now}
     from terms where product = 'paid_options'`,
  ]
}

const carriedStatements = [
  `insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, position, created_at)
   select t.id, s.id, s.location_id, 'vless', uuid_send(gen_random_uuid()), o.position, ${now}
   from terms t join paid_option_servers o on o.option_id = t.product_id join servers s on s.id = o.server_id
   where t.product = 'paid_options' order by t.id, o.position`,
  `insert into meters (access_id, term_id, up, down, is_metered)
   select id, term_id, ${carriedBefore}, ${carriedBefore}, true from accesses where position is not null order by id`,
  `insert into placements (node_id, access_id, server_id, revision, is_present)
   select s.node_id, a.id, s.id, row_number() over (partition by s.node_id order by a.id), true
   from accesses a join servers s on s.id = a.server_id where a.position is not null order by a.id`,
  `insert into traffic_counters (node_id, access_id, boot_id, up, down, seen_at)
   select node_id, access_id, 'boot', ${carriedBefore}, ${carriedBefore}, ${now} from placements order by access_id`,
  `update nodes n set desired_revision = p.revision, desired_hash = p.hash
   from (select node_id, max(revision) as revision, bit_xor(fingerprint(access_id, revision)) as hash
     from placements group by node_id) p where p.node_id = n.id`,
  `insert into node_status (node_id, last_seen_at, applied_revision, ready_engines)
   select id, ${now}, desired_revision, array['xray'] from nodes where name like 'meter%'`,
  `update servers s set used_slots = a.used
   from (select server_id, count(*) as used from accesses group by server_id) a where a.server_id = s.id`,
]

/** Spread over all options, half used and not warned yet. */
const nearStatement = ({ subscriptions, accesses, near }: MeteringSize): string =>
  `update option_terms o set traffic_limit = ${4 * accesses * carriedBefore}
   from terms t where t.id = o.term_id and t.item_id in (
     select 1 + n * ${subscriptions} / ${near} from generate_series(0, ${near - 1}) n)`

const readNodes = async (client: pg.Client, keys: readonly KeyObject[]): Promise<MeteredNode[]> => {
  const { rows } = await client.query(`
    select n.id, n.desired_revision, array_agg(p.access_id::int order by p.access_id) as ids
    from nodes n join placements p on p.node_id = n.id where n.name like 'meter%' group by n.id order by n.id`)
  return rows.map((row, at) => ({
    nodeId: Number(row.id),
    key: keys[at] as KeyObject,
    revision: Number(row.desired_revision),
    accessIds: row.ids,
  }))
}

/** Each through another of its accesses, so that every node has some. */
const readNear = async (client: pg.Client, accesses: number): Promise<NearTerm[]> => {
  const { rows } = await client.query(`
    select o.term_id, s.node_id, a.id from option_terms o join terms t on t.id = o.term_id
    join accesses a on a.term_id = o.term_id join servers s on s.id = a.server_id
    where o.traffic_limit < ${limit} and a.position = t.item_id * 7919 / 100 % ${accesses} order by md5(a.id::text)`)
  return rows.map((row) => ({
    termId: Number(row.term_id),
    nodeId: Number(row.node_id),
    accessId: Number(row.id),
  }))
}

export const seedMetered = async (
  adminUrl: string,
  size: MeteringSize,
  { name = 'metering', active: known = 1 } = {},
): Promise<Metered> => {
  const { subscriptions, accesses, agents } = size
  if (agents < accesses)
    throw new Error('Every access of a subscription is on a node of its own: more agents')
  const { databaseUrl, secretKey, active } = await seed(
    adminUrl,
    { customers: subscriptions, active: known, configsEach: 1 },
    name,
  )
  const keys = Array.from({ length: agents }, () => generateKeyPairSync('ed25519').privateKey)
  const client = await openBulk(databaseUrl)
  await client.query(
    `insert into nodes (name, address, listen_address, public_key, created_at)
     select 'meter' || n, '192.0.2.1', '0.0.0.0', key, ${now} from unnest($1::text[]) with ordinality k (key, n)`,
    [keys.map((key) => key.export({ format: 'jwk' }).x)],
  )
  for (const sql of [...nodeStatements, ...soldStatements(size), ...carriedStatements, nearStatement(size)])
    await client.query(sql)
  await client.query('vacuum analyze')
  const nodes = await readNodes(client, keys)
  const near = await readNear(client, accesses)
  await client.end()
  return { databaseUrl, secretKey, active, nodes, near }
}
