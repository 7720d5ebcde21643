import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { accessIdOf } from './placements.ts'

/**
 * Counters only grow within a boot, so what is new is the growth since the last report: a lost or repeated one changes
 * nothing. A whole report is one statement on narrow tables. The caller holds the node's status row. What this node never
 * carried is ignored.
 */
export const meterTraffic = async (
  tx: Db,
  nodeId: number,
  counters: readonly TrafficCounter[],
  now: number,
): Promise<void> => {
  const known = counters.flatMap(({ id, ...counter }) => {
    const accessId = accessIdOf(id)
    return accessId === undefined ? [] : [{ ...counter, accessId }]
  })
  if (known.length === 0) return
  const column = <K extends keyof (typeof known)[number]>(name: K) => known.map((counter) => counter[name])
  await sql`
    with incoming as (
      select boot_id, access_id, max(up) as up, max(down) as down
      from unnest(${column('boot_id')}::text[], ${column('accessId')}::bigint[], ${column('up')}::bigint[],
        ${column('down')}::bigint[]) as given (boot_id, access_id, up, down)
      group by boot_id, access_id
    ), owned as (
      select i.*, coalesce(t.up, 0) as seen_up, coalesce(t.down, 0) as seen_down
      from incoming i
      join placements p on p.node_id = ${nodeId} and p.access_id = i.access_id
      left join traffic_counters t
        on t.node_id = ${nodeId} and t.access_id = i.access_id and t.boot_id = i.boot_id
    ), stored as (
      insert into traffic_counters as t (node_id, access_id, boot_id, up, down, seen_at)
      select ${nodeId}::bigint, access_id, boot_id, up, down, ${now}::bigint from owned
      on conflict (node_id, access_id, boot_id) do update set up = greatest(t.up, excluded.up),
        down = greatest(t.down, excluded.down), seen_at = excluded.seen_at
    ), growth as (
      select access_id, sum(greatest(up - seen_up, 0)) as up, sum(greatest(down - seen_down, 0)) as down
      from owned group by access_id
    )
    update meters m set up = m.up + growth.up, down = m.down + growth.down
    from growth where m.access_id = growth.access_id and growth.up + growth.down > 0`.execute(tx)
}
