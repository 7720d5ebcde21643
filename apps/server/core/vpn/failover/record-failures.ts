import { createHash } from 'node:crypto'
import type { EngineName } from '@sallyport/contract/agent/agent'
import type { Report } from '@sallyport/contract/agent/report'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { engineOf } from '../../fleet/inbounds.ts'
import { isSilent, type Said, saidOf } from './reported-failures.ts'

/** What nodes report that they do not carry, as it is kept. */

/** How long something has to be carried before it is believed to be over, and a new story begins with the next failure. */
const calmSeconds = 60
/** A customer who was told is not told again for so long. */
const toldSeconds = 3600
/** How long a node may take to carry what it was given. */
export const patienceSeconds = 120

/** How long a server that did not carry something is not tried again for it. */
export const givenUpSeconds = 6 * 3600

const longestReason = 500

/** By engine, proxies among them. */
const protocolsOf = (engines: readonly EngineName[]): string[] => {
  const all = { ...engineOf, http: 'xray', socks5: 'xray', mtproto: 'mtg' } as const
  return Object.entries(all).flatMap(([protocol, engine]) => (engines.includes(engine) ? [protocol] : []))
}

/**
 * The same said again of the same state changes nothing and costs one statement; so does a node that carries everything. The
 * caller locks the node's status.
 */
const isNews = async (tx: Db, nodeId: number, said: Said): Promise<boolean> => {
  const digest = isSilent(said) ? '' : createHash('sha256').update(JSON.stringify(said)).digest('hex')
  const { rows } = await sql`
    update node_status st set uncarried_key = k.key, closed_inbounds = ${said.closed.map(({ tag }) => tag)}::text[]
    from (select case when ${digest}::text = '' then '' else ${digest}::text || ':' || n.desired_revision end as key
      from nodes n where n.id = ${nodeId}::bigint) k
    where st.node_id = ${nodeId}::bigint and st.uncarried_key <> k.key returning st.node_id`.execute(tx)
  return rows.length > 0
}

/** Of what is wanted of this node now, whatever else it may name. */
const namedHere = (nodeId: number, { closed, named, absent }: Said) => {
  const here = sql`p.node_id = ${nodeId}::bigint and p.is_present`
  const own = sql`
    select p.access_id, p.server_id, g.reason, g.is_unfit
    from unnest(${named.map((one) => one.accessId)}::bigint[], ${named.map((one) => one.reason)}::text[],
      ${named.map((one) => one.isUnfit)}::boolean[]) as g (access_id, reason, is_unfit)
    join placements p on p.access_id = g.access_id and ${here}`
  const sharing = sql`
    union all select p.access_id, p.server_id, g.reason, false
    from placements p join accesses a on a.id = p.access_id and a.port is null
    join unnest(${closed.map((one) => one.tag)}::text[], ${closed.map((one) => one.reason)}::text[])
      as g (tag, reason) on g.tag = a.protocol || '-' || a.server_id where ${here}`
  const without = sql`
    union all select p.access_id, p.server_id, 'its engine is not there', false
    from placements p join accesses a on a.id = p.access_id and a.protocol = any(${protocolsOf(absent)}::text[])
    join nodes n on n.id = p.node_id and not n.sells_without_engine where ${here}`
  return sql`select distinct on (access_id) access_id, server_id, reason, is_unfit from (
    ${own} ${closed.length > 0 ? sharing : sql``} ${absent.length > 0 ? without : sql``}) x order by access_id, is_unfit`
}

/**
 * What is named and was not before is not carried from now on; what is not named any more is. A story that goes on after a
 * moment, or at the place to which it was moved, keeps its beginning, but each place has its full patience.
 */
const keep = async (tx: Db, nodeId: number, said: Said, now: number): Promise<void> => {
  const goesOn = sql`(u.carried_at is null or u.carried_at > ${now - calmSeconds}::bigint)`
  await sql`
    with named as materialized (${namedHere(nodeId, said)}),
    over as (
      update uncarried u set carried_at = ${now}::bigint
      where u.node_id = ${nodeId}::bigint and u.carried_at is null
        and not exists (select from named where named.access_id = u.access_id)
    )
    insert into uncarried as u (access_id, node_id, server_id, reason, is_unfit, since, next_step_at)
    select access_id, ${nodeId}::bigint, server_id, left(reason, ${longestReason}), is_unfit, ${now}::bigint,
      case when is_unfit then null else ${now + patienceSeconds}::bigint end
    from named order by access_id
    on conflict (access_id) do update set node_id = excluded.node_id, server_id = excluded.server_id,
      reason = excluded.reason, is_unfit = excluded.is_unfit, carried_at = null,
      -- Of what was told, the days ran again meanwhile, and what they did not run before is not given twice.
      since = case when ${goesOn} and (u.carried_at is null or u.told_at is null) then u.since else excluded.since end,
      told_at = case when u.carried_at is null or u.carried_at > ${now - toldSeconds}::bigint then u.told_at end,
      next_step_at = case when ${goesOn} and u.node_id = excluded.node_id and not excluded.is_unfit
        then coalesce(u.next_step_at, excluded.next_step_at) else excluded.next_step_at end`.execute(tx)
}

/** What a report says of what its node does not carry. */
export const noteUncarried = async (
  tx: Db,
  nodeId: number,
  report: Pick<Report, 'refused' | 'apply_error' | 'not_carried' | 'engines'>,
  now: number,
): Promise<void> => {
  const said = saidOf(report)
  if (await isNews(tx, nodeId, said)) await keep(tx, nodeId, said, now)
}

/** A story that is long over, and servers that may be tried again. */
export const forgetUncarried = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('uncarried')
    .where('carried_at', '<=', now - givenUpSeconds)
    .execute()
  await db
    .deleteFrom('given_up_servers')
    .where('given_up_at', '<=', now - givenUpSeconds)
    .execute()
}
