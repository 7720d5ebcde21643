import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { quarterOf } from '@sallyport/domain/time/local-time'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { mostNamed } from './changed-traffic-message.ts'
import { accessIdOf, isCopy } from './placements.ts'
import { countersPerReport, keptBytes, newRunBytes, type RefusalReason } from './traffic-plausibility.ts'

export interface Metered {
  /** The terms that have carried something, no more of them than anybody can be told. */
  readonly moved: readonly number[]
  readonly refused: Readonly<Partial<Record<RefusalReason, number>>>
}

type Refused = Readonly<Record<Exclude<RefusalReason, 'future'>, number>>

/** A term can have many such meters: their sum is not put into a bigint as it is. */
export const mostInMeter = sql.raw('2305843009213693952')

/**
 * Counters only grow within a boot, so what is new is the growth since the last report: a lost or repeated one changes
 * nothing. A whole report is one statement on narrow tables, and writes only what has grown. The caller locks the node's
 * status row, and has let it know the time. Counters of what this node never carried, those that run backwards, and those that
 * have grown by more than there was time for, change nothing and are counted. The smallest growth is believed first: whoever
 * exaggerates one counter takes nothing from the others.
 */
export const meterTraffic = async (
  tx: Db,
  nodeId: number,
  counters: readonly TrafficCounter[],
  now: number,
): Promise<Metered> => {
  const known = counters.flatMap(({ id, ...counter }) => {
    const accessId = accessIdOf(id)
    return accessId === undefined ? [] : [{ ...counter, accessId }]
  })
  if (counters.length === 0) return { moved: [], refused: {} }
  const strange = counters.length - known.length
  const kept = counters.length < countersPerReport ? sql`${keptBytes}::bigint` : mostInMeter
  // What is carried by a copy of how it was counts for the access itself.
  const [ofAccess, copies] = known.some(({ accessId }) => isCopy(accessId))
    ? [sql`coalesce(h.access_id, p.access_id)`, sql`left join held_accesses h on h.id = -p.access_id`]
    : [sql`p.access_id`, sql``]
  const column = <K extends keyof (typeof known)[number]>(name: K) => known.map((counter) => counter[name])
  const { rows } = await sql<Refused & { moved: readonly number[] }>`
    with incoming as (
      select boot_id, access_id, max(up) as up, max(down) as down
      from unnest(${column('boot_id')}::text[], ${column('accessId')}::bigint[], ${column('up')}::bigint[],
        ${column('down')}::bigint[]) as given (boot_id, access_id, up, down)
      group by boot_id, access_id
    ), owned as (
      select i.*, p.server_id, coalesce(t.up, 0) as seen_up, coalesce(t.down, 0) as seen_down,
        i.up >= coalesce(t.up, 0) and i.down >= coalesce(t.down, 0) as is_forward,
        i.up - coalesce(t.up, 0) + i.down - coalesce(t.down, 0) as grown,
        case when t.boot_id is null and i.up + i.down > 0 then ${newRunBytes}::bigint else 0 end as cost
      from incoming i
      join placements p on p.node_id = ${nodeId} and p.access_id = i.access_id
      left join traffic_counters t
        on t.node_id = ${nodeId} and t.access_id = i.access_id and t.boot_id = i.boot_id
    ), forward as (
      select o.*, sum(grown + cost) over (order by grown, access_id, boot_id rows unbounded preceding) as total
      from owned o where is_forward
    ), possible as (
      select * from forward
      where total <= (select traffic_allowance from node_status where node_id = ${nodeId}::bigint)
    ), counts as (
      select (select count(*) from incoming) - (select count(*) from owned) + ${strange}::bigint as unknown,
        (select count(*) from owned) - (select count(*) from forward) as backwards,
        (select count(*) from forward) - count(*) as impossible, coalesce(max(total), 0) as spent
      from possible
    ), stored as (
      insert into traffic_counters as t (node_id, access_id, boot_id, up, down, seen_at)
      select ${nodeId}::bigint, access_id, boot_id, up, down, ${now}::bigint from possible where grown > 0
      on conflict (node_id, access_id, boot_id) do update set up = excluded.up, down = excluded.down,
        seen_at = excluded.seen_at
    ), growth as (
      select ${ofAccess} as access_id, sum(p.up - p.seen_up) as up, sum(p.down - p.seen_down) as down
      from possible p ${copies} group by 1
    ), moved as (
      update meters m set up = least(m.up + growth.up, ${mostInMeter}), down = least(m.down + growth.down, ${mostInMeter})
      from growth where m.access_id = growth.access_id and growth.up + growth.down > 0
      returning m.term_id, m.is_metered
    ), carried as (
      insert into node_traffic as c (at, node_id, location_id, up, down)
      select ${quarterOf(now)}::bigint, ${nodeId}::bigint, s.location_id, sum(p.up - p.seen_up), sum(p.down - p.seen_down)
      from possible p join servers s on s.id = p.server_id where p.grown > 0 group by s.location_id
      on conflict (at, node_id, location_id) do update set up = c.up + excluded.up, down = c.down + excluded.down
    ), noted as (
      insert into moved_meters (term_id) select distinct term_id from moved where is_metered
    ), spent as (
      update node_status st set traffic_allowance = least(st.traffic_allowance - counts.spent, ${kept}),
        refused_counters = st.refused_counters + counts.unknown + counts.backwards + counts.impossible
      from counts where st.node_id = ${nodeId}::bigint
    )
    select unknown, backwards, impossible,
      array(select distinct term_id from moved limit ${mostNamed + 1}) as moved
    from counts`.execute(tx)
  const { moved, ...refused } = rows[0] as (typeof rows)[number]
  return { moved, refused }
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
