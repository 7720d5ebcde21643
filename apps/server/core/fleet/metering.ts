import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { mostNamed } from './moved-terms.ts'
import { accessIdOf } from './placements.ts'

/**
 * Counters only grow within a boot, so what is new is the growth since the last report: a lost or repeated one changes
 * nothing. A whole report is one statement on narrow tables, and writes only what has grown. The caller holds the node's
 * status row. Counters of what this node never carried, and those that run backwards, change nothing and are counted. Tells the
 * terms that have carried something, no more of them than anybody can be told.
 */
export const meterTraffic = async (
  tx: Db,
  nodeId: number,
  counters: readonly TrafficCounter[],
  now: number,
): Promise<readonly number[]> => {
  const known = counters.flatMap(({ id, ...counter }) => {
    const accessId = accessIdOf(id)
    return accessId === undefined ? [] : [{ ...counter, accessId }]
  })
  if (known.length === 0) {
    await noteRefused(tx, nodeId, counters.length)
    return []
  }
  const column = <K extends keyof (typeof known)[number]>(name: K) => known.map((counter) => counter[name])
  const { rows } = await sql<{ refused: number; moved: readonly number[] }>`
    with incoming as (
      select boot_id, access_id, max(up) as up, max(down) as down
      from unnest(${column('boot_id')}::text[], ${column('accessId')}::bigint[], ${column('up')}::bigint[],
        ${column('down')}::bigint[]) as given (boot_id, access_id, up, down)
      group by boot_id, access_id
    ), owned as (
      select i.*, coalesce(t.up, 0) as seen_up, coalesce(t.down, 0) as seen_down,
        i.up >= coalesce(t.up, 0) and i.down >= coalesce(t.down, 0) as is_forward
      from incoming i
      join placements p on p.node_id = ${nodeId} and p.access_id = i.access_id
      left join traffic_counters t
        on t.node_id = ${nodeId} and t.access_id = i.access_id and t.boot_id = i.boot_id
    ), stored as (
      insert into traffic_counters as t (node_id, access_id, boot_id, up, down, seen_at)
      select ${nodeId}::bigint, access_id, boot_id, up, down, ${now}::bigint from owned
      where is_forward and (up > seen_up or down > seen_down)
      on conflict (node_id, access_id, boot_id) do update set up = excluded.up, down = excluded.down,
        seen_at = excluded.seen_at
    ), growth as (
      select access_id, sum(up - seen_up) as up, sum(down - seen_down) as down
      from owned where is_forward group by access_id
    ), moved as (
      update meters m set up = m.up + growth.up, down = m.down + growth.down
      from growth where m.access_id = growth.access_id and growth.up + growth.down > 0
      returning m.term_id, m.is_metered
    ), noted as (
      insert into moved_meters (term_id) select distinct term_id from moved where is_metered
    )
    select (select count(*) from incoming) - count(*) filter (where is_forward) as refused,
      array(select distinct term_id from moved limit ${mostNamed + 1}) as moved
    from owned`.execute(tx)
  const strange = counters.length - known.length
  await noteRefused(tx, nodeId, (rows[0]?.refused ?? 0) + strange)
  return rows[0]?.moved ?? []
}

/** For the operator to see: an agent that tells such things is not one of ours, or has a fault. */
export const noteRefused = async (tx: Db, nodeId: number, count: number): Promise<void> => {
  if (count === 0) return
  await tx
    .updateTable('node_status')
    .set((eb) => ({ refused_counters: eb('refused_counters', '+', count) }))
    .where('node_id', '=', nodeId)
    .execute()
}
