import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

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

/** Past the days in which it could be renewed, a configuration goes for good, with all that is its own. */
export const deleteLapsedConfigs = async (db: Db, now: number): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    with gone as (
      update configs set state = 'deleted', credential_nonce = null, xray_config_sealed = null, port = null,
        tunnel_host = null, awg = null
      where state = 'expired' and expires_at <= ${now - renewableSeconds}
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
