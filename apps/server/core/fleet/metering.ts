import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { quarterOf } from '@sallyport/domain/time/local-time'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { mostNamed } from './changed-traffic-message.ts'
import { type Reading, readCounters } from './reported-counters.ts'
import { countersPerReport, keptBytes, newRunBytes, type RefusalReason } from './traffic-plausibility.ts'

export interface Metered {
  /** The terms that have carried something, no more of them than anybody can be told. */
  readonly moved: readonly number[]
  readonly refused: Readonly<Partial<Record<RefusalReason, number>>>
}

type Refused = Readonly<Record<Exclude<RefusalReason, 'future'>, number>>

/** A term can have many such meters: their sum is not put into a bigint as it is. */
export const mostInMeter = sql.raw('2305843009213693952')

interface Step {
  readonly nodeId: number
  readonly reading: Reading
  readonly now: number
}

type Part = RawBuilder<unknown>

/** What this node carries or has carried of what is told, beside what was known of it. */
const ownedPart = ({ nodeId, reading }: Step): Part => sql`
  owned as (
    select i.boot_id, i.access_id, i.up, i.down, p.server_id, i.up - coalesce(t.up, 0) as more_up,
      i.down - coalesce(t.down, 0) as more_down,
      i.up >= coalesce(t.up, 0) and i.down >= coalesce(t.down, 0) as is_forward,
      i.up - coalesce(t.up, 0) + i.down - coalesce(t.down, 0) as grown,
      case when t.boot_id is null and i.up + i.down > 0 then ${newRunBytes}::bigint else 0 end as cost
    from unnest(${reading.bootIds}::text[], ${reading.accessIds}::bigint[], ${reading.ups}::bigint[],
      ${reading.downs}::bigint[]) as i (boot_id, access_id, up, down)
    join placements p on p.node_id = ${nodeId} and p.access_id = i.access_id
    left join traffic_counters t on t.node_id = ${nodeId} and t.access_id = i.access_id and t.boot_id = i.boot_id
  )`

const allowance = (nodeId: number): Part =>
  sql`(select traffic_allowance from node_status where node_id = ${nodeId}::bigint)`

/** Everything, where there was time enough for all of it together; otherwise nothing, and nothing is written. */
const wholePart = ({ nodeId, reading }: Step): Part => sql`
  counts as (
    select ${reading.told}::bigint - count(*) as unknown, count(*) filter (where not is_forward) as backwards,
      0::bigint as impossible, coalesce(sum(grown + cost) filter (where is_forward), 0) as spent,
      coalesce(sum(grown + cost) filter (where is_forward), 0) <= ${allowance(nodeId)} as is_settled
    from owned
  ), possible as (
    select * from owned where is_forward and grown > 0 and (select is_settled from counts)
  )`

/** The smallest growth first, as far as there was time. */
const smallestPart = ({ nodeId, reading }: Step): Part => sql`
  forward as (
    select o.*, sum(grown + cost) over (order by grown, access_id, boot_id rows unbounded preceding) as total
    from owned o where is_forward
  ), believed as (
    select * from forward where total <= ${allowance(nodeId)}
  ), possible as (
    select * from believed where grown > 0
  ), counts as (
    select ${reading.told}::bigint - (select count(*) from owned) as unknown,
      (select count(*) from owned) - (select count(*) from forward) as backwards,
      (select count(*) from forward) - count(*) as impossible, coalesce(max(total), 0) as spent,
      true as is_settled
    from believed
  )`

/** What is carried by a copy of how it was counts for the access itself. Most reports name each access once. */
const growthPart = ({ reading }: Step): Part => {
  if (reading.isPlain)
    return sql`growth as (select access_id, more_up as up, more_down as down from possible)`
  const [ofAccess, copies] = reading.hasCopies
    ? [sql`coalesce(h.access_id, p.access_id)`, sql`left join held_accesses h on h.id = -p.access_id`]
    : [sql`p.access_id`, sql``]
  return sql`growth as (
    select ${ofAccess} as access_id, sum(p.more_up)::bigint as up, sum(p.more_down)::bigint as down
    from possible p ${copies} group by 1 order by 1)`
}

/** Counters, meters, and which terms somebody has to look at; what the node carried, and what it may still tell. */
const writtenPart = ({ nodeId, reading, now }: Step): Part => sql`
  stored as (
    insert into traffic_counters as t (node_id, access_id, boot_id, up, down, seen_at)
    select ${nodeId}::bigint, access_id, boot_id, up, down, ${now}::bigint from possible
    on conflict (node_id, access_id, boot_id) do update set up = excluded.up, down = excluded.down,
      seen_at = excluded.seen_at, room = null
  ), moved as (
    update meters m set up = least(least(m.up, ${mostInMeter}) + growth.up, ${mostInMeter}),
      down = least(least(m.down, ${mostInMeter}) + growth.down, ${mostInMeter}), room = null
    from growth where m.access_id = growth.access_id
    returning m.term_id, m.is_metered
  ), carried as (
    insert into node_traffic as c (at, node_id, location_id, up, down)
    select ${quarterOf(now)}::bigint, ${nodeId}::bigint, s.location_id, sum(p.up), sum(p.down)
    from (select server_id, sum(more_up) as up, sum(more_down) as down from possible group by server_id) p
    join servers s on s.id = p.server_id group by s.location_id
    on conflict (at, node_id, location_id) do update set up = c.up + excluded.up, down = c.down + excluded.down
  ), noted as (
    insert into moved_terms (term_ids) select array_agg(term_id) from moved where is_metered having count(*) > 0
  ), spent as (
    update node_status st set traffic_allowance = least(st.traffic_allowance - counts.spent, ${keptAfter(reading)}),
      refused_counters = st.refused_counters + counts.unknown + counts.backwards + counts.impossible
    from counts where st.node_id = ${nodeId}::bigint and counts.is_settled
  )`

/** A full report has more to tell at once. */
const keptAfter = ({ given }: Reading): Part =>
  given < countersPerReport ? sql`${keptBytes}::bigint` : mostInMeter

type Settled = Refused & { readonly is_settled: boolean; readonly moved: readonly number[] }

const settle = async (tx: Db, step: Step, believedPart: Part): Promise<Settled> => {
  const { rows } = await sql<Settled>`
    with ${ownedPart(step)}, ${believedPart}, ${growthPart(step)}, ${writtenPart(step)}
    select unknown, backwards, impossible, is_settled,
      array(select term_id from moved limit ${mostNamed + 1}) as moved
    from counts`.execute(tx)
  return rows[0] as Settled
}

/**
 * Counters only grow within a boot, so what is new is the growth since the last report: a lost or repeated one changes
 * nothing. A whole report is one statement on narrow tables, and writes only what has grown. The caller locks the node's
 * status row, and has let it know the time. Counters of what this node never carried, those that run backwards, and those that
 * have grown by more than there was time for, change nothing and are counted. The smallest growth is believed first: whoever
 * exaggerates one counter takes nothing from the others. Nearly always there was time for all, and nothing has to be put in order.
 */
export const meterTraffic = async (
  tx: Db,
  nodeId: number,
  counters: readonly TrafficCounter[],
  now: number,
): Promise<Metered> => {
  if (counters.length === 0) return { moved: [], refused: {} }
  const step: Step = { nodeId, reading: readCounters(counters), now }
  const whole = await settle(tx, step, wholePart(step))
  const settled = whole.is_settled ? whole : await settle(tx, step, smallestPart(step))
  const { moved, unknown, backwards, impossible } = settled
  const isNamed = moved.length <= mostNamed
  return { moved: isNamed ? [...new Set(moved)] : moved, refused: { unknown, backwards, impossible } }
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
