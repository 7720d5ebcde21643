import type { HostStats, Report, TrafficCounter } from '@sallyport/contract/agent/agent'
import { sql } from 'kysely'
import type { InboundRow } from '../../core/fleet/inbounds.ts'
import type { Db } from '../../db/client.ts'

/** Spends the token: it works for one key, and binds the node to it. */
export const enrol = (tx: Db, tokenHash: Uint8Array, publicKey: string, now: number) =>
  tx
    .updateTable('nodes')
    .set({ public_key: publicKey, enrolment_spent_by: publicKey })
    .where('enrolment_token_hash', '=', tokenHash)
    .where('enrolment_expires_at', '>', now)
    .where((eb) => eb.or([eb('enrolment_spent_by', 'is', null), eb('enrolment_spent_by', '=', publicKey)]))
    .returning('id')
    .executeTakeFirst()

export const findRevision = async (db: Db, nodeId: number): Promise<number> => {
  const node = await db
    .selectFrom('nodes')
    .select('desired_revision')
    .where('id', '=', nodeId)
    .executeTakeFirstOrThrow()
  return node.desired_revision
}

export const listInbounds = async (db: Db, nodeId: number): Promise<InboundRow[]> => {
  const rows = await db
    .selectFrom('inbounds as i')
    .innerJoin('nodes as n', 'n.id', 'i.node_id')
    .innerJoin('servers as s', 's.id', 'i.server_id')
    .select([
      'i.server_id',
      'i.protocol',
      'i.port',
      'n.listen_address',
      'i.settings',
      'i.sites',
      'i.secret_sealed',
    ])
    .select(['s.domain', 's.certificate', 's.certificate_key_sealed'])
    .where('i.node_id', '=', nodeId)
    .orderBy('i.server_id')
    .orderBy('i.protocol')
    .execute()
  return rows as unknown as InboundRow[]
}

export interface PlacementRow {
  readonly item: string
  readonly config_id: number
  readonly revision: number
  readonly is_present: boolean
}

/** What changed after a revision; from 0, everything that is present. */
export const listPlacements = (db: Db, nodeId: number, since: number): Promise<PlacementRow[]> =>
  db
    .selectFrom('placements as p')
    .innerJoin('configs as c', 'c.id', 'p.config_id')
    .select(['p.item', 'p.config_id', 'p.revision'])
    .select(sql<boolean>`p.is_present and c.state <> 'deleted'`.as('is_present'))
    .where('p.node_id', '=', nodeId)
    .where('p.revision', '>', since)
    .$if(since === 0, (query) => query.where('p.is_present', '=', true).where('c.state', '<>', 'deleted'))
    .orderBy('p.revision')
    .execute()

const usableStates = new Set(['running', 'starting', 'idle'])

export const updateStatus = async (tx: Db, nodeId: number, report: Report, now: number): Promise<void> => {
  await tx
    .updateTable('node_status')
    .set({
      last_seen_at: now,
      applied_revision: report.applied_revision,
      applied_hash: report.applied_hash,
      apply_error: report.apply_error,
      agent_version: report.agent_version,
      engines: JSON.stringify(report.engines),
      ready_engines: report.engines.filter((e) => usableStates.has(e.state)).map((e) => e.name),
      uptime_seconds: report.host.uptime_seconds,
      cpu_model: report.host.cpu_model,
    })
    .where('node_id', '=', nodeId)
    .execute()
}

export const foldHostStats = async (tx: Db, nodeId: number, host: HostStats, day: string): Promise<void> => {
  await sql`
    insert into node_days as d (node_id, day, samples, cpu_sum, ram_sum, up_sum, down_sum)
    values (${nodeId}, ${day}, 1, ${host.cpu_percent}, ${host.ram_percent}, ${host.up_mbps}, ${host.down_mbps})
    on conflict (node_id, day) do update set samples = d.samples + 1, cpu_sum = d.cpu_sum + excluded.cpu_sum,
      ram_sum = d.ram_sum + excluded.ram_sum, up_sum = d.up_sum + excluded.up_sum,
      down_sum = d.down_sum + excluded.down_sum`.execute(tx)
}

/**
 * Counters only grow within a boot, so what is new is the growth since the last report: a lost or repeated
 * one changes nothing. The caller holds the node's status row. Items this node never carried are ignored.
 */
export const meterTraffic = async (
  tx: Db,
  nodeId: number,
  counters: readonly TrafficCounter[],
  now: number,
): Promise<void> => {
  if (counters.length === 0) return
  const column = <K extends keyof TrafficCounter>(name: K) => counters.map((counter) => counter[name])
  await sql`
    with incoming as (
      select boot_id, item, max(up) as up, max(down) as down
      from unnest(${column('boot_id')}::text[], ${column('id')}::text[], ${column('up')}::bigint[], ${column('down')}::bigint[])
        as given (boot_id, item, up, down)
      group by boot_id, item
    ), owned as (
      select i.*, p.config_id, coalesce(t.up, 0) as seen_up, coalesce(t.down, 0) as seen_down
      from incoming i
      join placements p on p.node_id = ${nodeId} and p.item = i.item
      left join traffic_counters t on t.node_id = ${nodeId} and t.item = i.item and t.boot_id = i.boot_id
    ), stored as (
      insert into traffic_counters as t (node_id, item, boot_id, up, down, seen_at)
      select ${nodeId}::bigint, item, boot_id, up, down, ${now}::bigint from owned
      on conflict (node_id, item, boot_id) do update set up = greatest(t.up, excluded.up),
        down = greatest(t.down, excluded.down), seen_at = excluded.seen_at
    ), growth as (
      select config_id, sum(greatest(up - seen_up, 0)) as up, sum(greatest(down - seen_down, 0)) as down
      from owned group by config_id
    )
    update configs c set traffic_up = c.traffic_up + growth.up, traffic_down = c.traffic_down + growth.down
    from growth where c.id = growth.config_id and growth.up + growth.down > 0`.execute(tx)
}

/** Of what an engine refused, that which is still wanted so, with its owner. */
export const findRefused = async (tx: Db, nodeId: number, refused: Report['refused']) => {
  const rows = await tx
    .selectFrom('placements as p')
    .innerJoin('configs as c', 'c.id', 'p.config_id')
    .select(['p.item', 'p.revision', 'p.config_id', 'c.user_id', 'c.title'])
    .where('p.node_id', '=', nodeId)
    .where('p.is_present', '=', true)
    .where(
      'p.item',
      'in',
      refused.map((entry) => entry.id),
    )
    .execute()
  return rows.filter((row) =>
    refused.some((entry) => entry.id === row.item && entry.revision === row.revision),
  )
}
