import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { OptionName, Protocol } from '@sallyport/contract/shapes'
import { type RawBuilder, sql } from 'kysely'
import { livingUser, refuseDeleted } from '../../core/accounts/users.ts'
import { onlineWithinSeconds } from '../../core/fleet/servers.ts'
import { type CarriedConfig, carriedColumns, carriedFrom } from '../../core/vpn/carried.ts'
import { type Db, prepared } from '../../db/client.ts'

export interface ConfigRow extends CarriedConfig {
  readonly location_id: number
  readonly expires_at: number
  readonly created_at: number
  readonly flags: string[]
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
  readonly is_online: boolean
}

const columns = `
  ${carriedColumns('l.title_ru')}, c.location_id, c.expires_at, c.created_at, c.flags, c.auto_renewal,
  c.auto_renewal_days, coalesce(st.last_seen_at >= $2, false) as is_online
  ${carriedFrom}
  join node_status st on st.node_id = i.node_id`

export const configsPage = prepared<[number, number, number, number], ConfigRow>(
  `select ${columns} where c.user_id = $1 and c.state <> 'deleted' order by c.id limit $3 offset $4`,
)

const one = prepared<[number, number, number], ConfigRow>(
  `select ${columns} where c.user_id = $1 and c.id = $3 and c.state <> 'deleted'`,
)

export const listConfigs = (db: Db, userId: number, now: number, limit: number, offset: number) =>
  configsPage(db, userId, now - onlineWithinSeconds, limit, offset)

export const findConfig = async (
  db: Db,
  userId: number,
  now: number,
  id: number,
): Promise<ConfigRow | undefined> => (await one(db, userId, now - onlineWithinSeconds, id))[0]

/** A configuration held until the transaction ends. */
export interface HeldConfig {
  readonly id: number
  readonly user_id: number
  readonly server_id: number
  readonly node_id: number
  readonly location_id: number
  readonly protocol: Protocol
  readonly options: OptionName[]
  readonly flags: string[]
  readonly state: 'active' | 'expired'
  readonly expires_at: number
  readonly port: number | null
  readonly tunnel_host: number | null
  readonly awg: AwgParameters | null
}

const hold = async (tx: Db, which: RawBuilder<unknown>): Promise<HeldConfig | undefined> => {
  // The node is read afterwards: joined here, a configuration that was moved meanwhile would not be found.
  const { rows } = await sql<Omit<HeldConfig, 'node_id'>>`
    select id, user_id, server_id, location_id, protocol, options, flags, state, expires_at, port, tunnel_host, awg
    from configs where ${which} and state <> 'deleted' for update`.execute(tx)
  const [config] = rows
  if (!config) return undefined
  const server = await tx
    .selectFrom('servers')
    .select('node_id')
    .where('id', '=', config.server_id)
    .executeTakeFirstOrThrow()
  return { ...config, node_id: server.node_id }
}

export const holdConfig = (tx: Db, userId: number, id: number): Promise<HeldConfig | undefined> =>
  hold(tx, sql`user_id = ${userId} and id = ${id}`)

/** The customer is held before the configuration, for what will write an order. */
export const holdConfigAndCustomer = (tx: Db, userId: number, id: number): Promise<HeldConfig | undefined> =>
  hold(tx, sql`user_id = ${livingUser(userId)} and id = ${id}`)

/** Whoever has it now: an order stays with the customer who paid, and what it gave may have gone to another account. */
export const holdConfigOfOrder = (tx: Db, id: number): Promise<HeldConfig | undefined> =>
  hold(tx, sql`id = ${id}`)

export interface NewConfig {
  readonly userId: number
  readonly serverId: number
  readonly locationId: number
  readonly protocol: string
  readonly options: readonly string[]
  readonly credentialNonce: Uint8Array
  readonly autoRenewalDays: number | null
  readonly expiresAt: number
  readonly now: number
}

/** Throws when the account was deleted meanwhile. */
export const insertConfig = async (tx: Db, config: NewConfig): Promise<number> => {
  const { id } = await tx
    .insertInto('configs')
    .values({
      user_id: livingUser(config.userId),
      server_id: config.serverId,
      location_id: config.locationId,
      protocol: config.protocol,
      options: [...config.options],
      title: null,
      credential_nonce: config.credentialNonce,
      auto_renewal: config.autoRenewalDays !== null,
      auto_renewal_days: config.autoRenewalDays,
      expires_at: config.expiresAt,
      created_at: config.now,
      port: null,
      tunnel_host: null,
      awg: null,
      xray_config_sealed: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseDeleted)
  return id
}

export interface ConfigChange {
  readonly server_id?: number
  readonly location_id?: number
  readonly protocol?: string
  readonly options?: string[]
  readonly credential_nonce?: Uint8Array
  readonly xray_config_sealed?: Uint8Array | null
  readonly state?: 'active'
  readonly expires_at?: number
  readonly renewal_tried_at?: number | null
  readonly auto_renewal?: boolean
  readonly auto_renewal_days?: number | null
}

export const updateConfig = async (tx: Db, id: number, change: ConfigChange): Promise<void> => {
  await tx.updateTable('configs').set(change).where('id', '=', id).execute()
}

/** Changes a configuration of this customer; false when there is none. */
export const updateOwnConfig = async (
  db: Db,
  userId: number,
  id: number,
  change: { title: string | null } | { auto_renewal: boolean; auto_renewal_days: number | null },
): Promise<boolean> => {
  const changed = await db
    .updateTable('configs')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('state', '<>', 'deleted')
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** The tariff of the last order that a configuration was bought or renewed with, whoever paid for it. */
export const findLastTariff = async (db: Db, configId: number) => {
  const order = await db
    .selectFrom('orders')
    .select('tariff_id')
    .where('config_id', '=', configId)
    .where('tariff_id', 'is not', null)
    .where('state', 'in', ['fulfilled', 'refunded'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return order?.tariff_id ?? undefined
}

/** What a configuration's orders gave and still give, without this one. */
export const listGrants = async (tx: Db, configId: number, exceptOrderId: number) => {
  const rows = await tx
    .selectFrom('orders')
    .select(['fulfilled_at', 'days'])
    .where('config_id', '=', configId)
    .where('state', '=', 'fulfilled')
    .where('id', '<>', exceptOrderId)
    .orderBy('fulfilled_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ at: row.fulfilled_at as number, days: row.days }))
}

export const findExpiry = async (tx: Db, id: number): Promise<number> => {
  const row = await tx
    .selectFrom('configs')
    .select('expires_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.expires_at
}

export interface NodeOfConfig {
  readonly node_id: number
  readonly host: string
  readonly last_seen_at: number | null
  readonly uptime_seconds: number
  readonly cpu_model: string
}

export const findNodeOf = async (
  db: Db,
  userId: number,
  configId: number,
): Promise<NodeOfConfig | undefined> =>
  db
    .selectFrom('configs as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .innerJoin('nodes as n', 'n.id', 's.node_id')
    .innerJoin('node_status as st', 'st.node_id', 'n.id')
    .select(['st.node_id', 'n.address as host', 'st.last_seen_at', 'st.uptime_seconds', 'st.cpu_model'])
    .where('c.user_id', '=', userId)
    .where('c.id', '=', configId)
    .where('c.state', '<>', 'deleted')
    .executeTakeFirst()
