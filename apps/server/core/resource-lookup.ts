import { type ErrorName, errors } from '@sallyport/contract/errors'
import type { Operation } from '@sallyport/contract/operation'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { panelHash } from './accounts/devices/panel-devices.ts'
import { isSessionId } from './accounts/session-tokens.ts'
import { customRef, isSubscription, type SubscriptionRef } from './accounts/subscription-keys.ts'
import type { Services } from './call.ts'
import { keyedHash } from './kernel/keyed-hash.ts'
import { isOption } from './options/option-ownership.ts'
import { indexColumn } from './vpn/access/access-row.ts'
import { type AccessOwner, isOwned } from './vpn/access/owner.ts'

/**
 * What addresses name. Asked when a request is about to be refused for what it says: of what is not there, or is somebody
 * else's, nothing that is said can be wrong.
 */

/** Who asks, whatever kind of caller, and what stands in the path, in its order. */
interface Lookup extends Pick<Services, 'db' | 'vault'> {
  readonly me: number
  readonly ids: readonly (number | string)[]
}

type IsThere = (asking: Lookup) => Promise<boolean>

type Find = (me: number, ...ids: number[]) => RawBuilder<unknown>

const exists = async (db: Db, rows: RawBuilder<unknown>): Promise<boolean> => {
  const found = await sql<{ is_there: boolean }>`select exists (${rows}) as is_there`.execute(db)
  return found.rows[0]?.is_there === true
}

const asked =
  (find: Find): IsThere =>
  ({ db, me, ids }) =>
    exists(db, find(me, ...(ids as number[])))

const access = (owner: AccessOwner, id: number, isProxy = false) =>
  sql`select 1 from accesses c join terms t on t.id = c.term_id
    where c.id = ${id}::bigint and c.beside_id is null and c.is_proxy = ${isProxy} and ${isOwned(owner)}`

const config = asked((userId, id) => access({ userId, product: 'configs' }, id))

const machine = (userId: number, itemId: number): AccessOwner => ({
  userId,
  product: 'cloud_servers',
  itemId,
})
/** A configuration of a proxy's protocol stands there as a configuration. */
const onMachine = (isProxy: boolean) =>
  asked((userId, server, id) => access(machine(userId, server), id, isProxy))

const atIndex = asked(
  (userId, option, index) =>
    sql`select 1 from terms t join accesses c on c.term_id = t.id
      where ${isOption(userId, option)} and ${sql.raw(indexColumn)} = ${index}::bigint`,
)

const subscriptionDevice = (ref: SubscriptionRef, id: number) =>
  sql`select 1 from devices d join subscriptions s on s.id = d.subscription_id
    where d.id = ${id}::bigint and ${isSubscription(ref)}`

const panelDevice: IsThere = ({ db, vault, me, ids: [option, hwid] }) => {
  const hash = panelHash(keyedHash(vault.subkey('devices')), String(hwid))
  return exists(
    db,
    sql`select 1 from devices d join subscriptions s on s.id = d.subscription_id join terms t on t.id = s.term_id
      where d.hwid_hash = ${hash} and ${isOption(me, option as number)}`,
  )
}

const own = (table: 'bridges' | 'api_keys' | 'passkeys' | 'identities' | 'orders' | 'one_time_links') =>
  asked(
    (me, id) => sql`select 1 from ${sql.table(table)} where id = ${id}::bigint and user_id = ${me}::bigint`,
  )

const session: IsThere = async ({ db, me, ids: [id] }) =>
  isSessionId(String(id)) &&
  exists(
    db,
    sql`select 1 from sessions where id = ${id}::uuid and user_id = ${me}::bigint and revoked_at is null`,
  )

const operatorSession: IsThere = async ({ db, ids: [id] }) =>
  isSessionId(String(id)) && exists(db, sql`select 1 from operator_sessions where id = ${id}::uuid`)

type OperatorsTable =
  | 'users'
  | 'orders'
  | 'receipts'
  | 'withdrawals'
  | 'promocodes'
  | 'payment_methods'
  | 'alerts'
  | 'paid_options'
  | 'cloud_configurations'
  | 'machines'
  | 'nodes'
  | 'operators'
  | 'operator_passkeys'
  | 'broadcasts'
  | 'agent_upgrades'
  | 'webhooks'

/** Operators work on everything. */
const any = (table: OperatorsTable) =>
  asked((_me, id) => sql`select 1 from ${sql.table(table)} where id = ${id}::bigint`)

/** By the address up to the parameter that names it. What everybody knows by its name is nobody's, and not here. */
const things: Readonly<Record<string, IsThere>> = {
  '/v1/configs/:': config,
  '/v1/configs/renewal/:': config,
  '/v1/configs/title/:': config,
  '/v1/configs/bridges/:': own('bridges'),
  '/v1/cloud-servers/:': asked(
    (userId, id) => sql`select 1 from terms t where ${isOwned(machine(userId, id))}`,
  ),
  '/v1/cloud-servers/:/configs/:': onMachine(false),
  '/v1/cloud-servers/:/proxies/:': onMachine(true),
  '/v1/paid-options/:': asked((userId, id) => sql`select 1 from terms t where ${isOption(userId, id)}`),
  '/v1/paid-options/:/configs/:': asked((userId, productId, id) =>
    access({ userId, product: 'paid_options', productId }, id),
  ),
  '/v1/paid-options/:/titles/:': atIndex,
  '/v1/paid-options/:/stats/:': atIndex,
  '/v1/paid-options/:/devices/:': panelDevice,
  '/v1/profile/custom-subscriptions/:': asked(
    (userId, id) => sql`select 1 from subscriptions s where ${isSubscription(customRef(userId, id))}`,
  ),
  '/v1/profile/custom-subscriptions/:/devices/:': asked((userId, subscription, id) =>
    subscriptionDevice(customRef(userId, subscription), id),
  ),
  '/v1/one-time-links/:': own('one_time_links'),
  '/v1/profile/payments/:': own('orders'),
  '/v1/profile/devices/:': asked((userId, id) => subscriptionDevice({ userId }, id)),
  '/v1/profile/api-keys/:': own('api_keys'),
  '/v1/profile/sessions/:': session,
  '/v1/profile/passkeys/:': own('passkeys'),
  '/v1/profile/identities/:': own('identities'),
  '/operator/v1/users/:': any('users'),
  '/operator/v1/users/:/pricing-rules/:': asked(
    (_me, userId, id) =>
      sql`select 1 from pricing_rules where id = ${id}::bigint and user_id = ${userId}::bigint`,
  ),
  '/operator/v1/users/:/paid-options/:': asked(
    (_me, userId, option) => sql`select 1 from terms t where ${isOption(userId, option)}`,
  ),
  '/operator/v1/terms/:': asked(
    (_me, id) => sql`select 1 from terms where id = ${id}::bigint and state <> 'deleted'`,
  ),
  '/operator/v1/broadcasts/:': any('broadcasts'),
  '/operator/v1/payments/:': any('orders'),
  '/operator/v1/orders/:': any('orders'),
  '/operator/v1/receipts/:': any('receipts'),
  '/operator/v1/withdrawals/:': any('withdrawals'),
  '/operator/v1/promocodes/:': any('promocodes'),
  '/operator/v1/locations/:': asked(
    (_me, id) => sql`select 1 from locations where id = ${id}::bigint and deleted_at is null`,
  ),
  '/operator/v1/payment-methods/:': any('payment_methods'),
  '/operator/v1/alerts/:': any('alerts'),
  '/operator/v1/paid-options/:': any('paid_options'),
  '/operator/v1/clouds/:': asked(
    (_me, id) => sql`select 1 from clouds where id = ${id}::bigint and deleted_at is null`,
  ),
  '/operator/v1/cloud-configurations/:': any('cloud_configurations'),
  '/operator/v1/cloud-servers/:': any('machines'),
  '/operator/v1/nodes/:': any('nodes'),
  '/operator/v1/agent-upgrades/:': any('agent_upgrades'),
  '/operator/v1/servers/:': asked(
    (_me, id) => sql`select 1 from servers where id = ${id}::bigint and owner_term_id is null`,
  ),
  '/operator/v1/operators/:': any('operators'),
  '/operator/v1/operators/:/tokens/:': asked(
    (_me, operatorId, id) =>
      sql`select 1 from operator_tokens
        where id = ${id}::bigint and operator_id = ${operatorId}::bigint and revoked_at is null`,
  ),
  '/operator/v1/saved-views/:': asked(
    (me, id) =>
      sql`select 1 from saved_views where id = ${id}::bigint and (operator_id = ${me}::bigint or is_shared
        and exists (select from operators where id = ${me}::bigint and role = 'owner'))`,
  ),
  '/operator/v1/auth/passkeys/:': any('operator_passkeys'),
  '/operator/v1/auth/sessions/:': operatorSession,
  '/operator/v1/webhooks/:': any('webhooks'),
  '/agent/v1/trials/:': asked(
    (nodeId, id) => sql`select 1 from trials where id = ${id}::bigint and node_id = ${nodeId}::bigint`,
  ),
}

export interface NamedThing {
  /** Undefined of what is not in the list above; a guard test asks for every new kind of thing. */
  readonly isThere: IsThere | undefined
  readonly error: ErrorName
}

/** Devices have an error of their own, also beside something that has the usual one. */
const errorFor = (address: string, row: Operation): ErrorName => {
  const missing = row.errors.filter((name) => errors[name].status === 404)
  const isDevice = address.endsWith('/devices/:')
  return missing.find((name) => (name === 'DEVICE_NOT_FOUND') === isDevice) ?? 'NOT_FOUND'
}

/** Each before what belongs to it. */
export const resourcesIn = (base: string, row: Operation): NamedThing[] => {
  const path = base + row.path.replaceAll(/:\w+/g, ':')
  return [...path.matchAll(/:/g)].map(({ index }) => {
    const address = path.slice(0, index + 1)
    return { isThere: things[address], error: errorFor(address, row) }
  })
}

/** The error of the first that is not there; undefined when all are. */
export const findMissing = async (
  named: readonly NamedThing[],
  asking: Lookup,
): Promise<ErrorName | undefined> => {
  for (const [at, { isThere, error }] of named.entries()) {
    const ids = asking.ids.slice(0, at + 1)
    if (isThere && !(await isThere({ ...asking, ids }))) return error
  }
  return undefined
}
