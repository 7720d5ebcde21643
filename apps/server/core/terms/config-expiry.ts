import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { findNodesOf, holdNodes, placeAgain } from '../fleet/placements.ts'
import { holdServers, releaseSlot } from '../fleet/servers.ts'
import type { Bus } from '../kernel/bus.ts'

/** How long an ended item can still be renewed. */
export const renewableSeconds = 14 * 86_400

export const findDueConfigs = (tx: Db, now: number, limit: number, except: readonly number[] = []) =>
  tx
    .selectFrom('configs as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .select(['c.id', 'c.server_id', 's.node_id'])
    .where('c.state', '=', 'active')
    .where('c.expires_at', '<=', now)
    .where(sql<boolean>`c.id <> all(${except}::bigint[])`)
    // A fixed order of servers and nodes keeps rival transactions from waiting for each other in a ring.
    .orderBy('s.node_id')
    .orderBy('c.server_id')
    .orderBy('c.id')
    .limit(limit)
    .forUpdate('c')
    .skipLocked()
    .execute()

export const markConfigExpired = async (tx: Db, id: number): Promise<void> => {
  await tx.updateTable('configs').set({ state: 'expired' }).where('id', '=', id).execute()
}

/**
 * Everything of a customer that is not deleted, held until the transaction ends. By id, while others hold the exit of a
 * bridge before its entry: the rare two that meet are parted by PostgreSQL, and the transaction is tried again.
 */
export const holdConfigsOf = (tx: Db, userId: number) =>
  tx
    .selectFrom('configs')
    .select(['id', 'state', 'server_id'])
    .where('user_id', '=', userId)
    .where('state', '<>', 'deleted')
    .orderBy('id')
    .forUpdate()
    .execute()

/** Configurations go for good, with all that is their own. Returns how many. */
const eraseConfigs = async (db: Db, which: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    with gone as (
      update configs set state = 'deleted', title = null, credential_nonce = null, xray_config_sealed = null,
        port = null, tunnel_host = null, awg = null, auto_renewal = false, auto_renewal_days = null
      where ${which}
      returning id, server_id
    ), places as (
      select gone.id, s.node_id from gone join servers s on s.id = gone.server_id
    ), ports as (
      delete from node_ports p using places
      where p.node_id = places.node_id and p.owner in ('c' || places.id, 's' || places.id)
    ), proxies as (
      delete from subconfigs s using gone where s.config_id = gone.id
    ), warp as (
      delete from warp_accounts w using gone where w.config_id = gone.id
    ), bridged as (
      delete from bridges b using gone where b.entry_type = 'config' and b.entry_id = gone.id
    )
    select count(*) as total from gone`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Past the days in which they could be renewed. */
export const deleteLapsedConfigs = (db: Db, now: number): Promise<number> =>
  eraseConfigs(db, sql`state = 'expired' and expires_at <= ${now - renewableSeconds}`)

/** All of a customer, switched off on their servers at once. Returns how many. */
export const deleteConfigsOf = async (tx: Db, bus: Bus, userId: number): Promise<number> => {
  const configs = await holdConfigsOf(tx, userId)
  const active = configs.filter((config) => config.state === 'active')
  await holdServers(tx, new Set(active.map((config) => config.server_id)))
  for (const config of active) await releaseSlot(tx, config.server_id)
  const ids = active.map((config) => config.id)
  await holdNodes(tx, await findNodesOf(tx, ids))
  for (const id of ids) await placeAgain(tx, bus, id, false)
  await eraseConfigs(tx, sql`user_id = ${userId}::bigint and state <> 'deleted'`)
  return configs.length
}
