import { quarterOf } from '@sallyport/domain/time/local-time'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { isOperatorsOwn } from '../fleet/node-owners.ts'
import { onlineWithinSeconds } from '../fleet/servers.ts'
import { allowLongStatements } from '../kernel/jobs.ts'

/** How things are now, of which nothing else keeps how they were. */

/** Whose traffic moved within this time is online. */
const movedWithinSeconds = 300

/** Counters `c` that moved lately, with their access `a` and term `t`. */
const movedCounters = (now: number) => sql`(
  select node_id, access_id from traffic_counters where seen_at > ${now - movedWithinSeconds}::bigint) c
  join accesses a on a.id = c.access_id join terms t on t.id = a.term_id`

/** How many may be counted while somebody waits. */
const mostCounted = 20_000

export interface PlaceLook {
  /** 0 is all of them together. */
  readonly location_id: number
  readonly nodes: number
  readonly nodes_online: number
  readonly capacity: number
  readonly used_slots: number
}

interface FleetLook extends PlaceLook {
  readonly customers_online: number
}

/** The operator's own machines: customers' are none of it. A node that carries several locations is one of each, and one of all. */
const places = (now: number) => sql`
  own as (
    select s.location_id, s.node_id, s.capacity, s.used_slots from servers s
    where s.owner_term_id is null and s.state <> 'retired'
  ), placed as (
    select n.id as node_id, o.location_id, coalesce(o.capacity, 0) as capacity, coalesce(o.used_slots, 0) as used_slots,
      coalesce(st.last_seen_at >= ${now - onlineWithinSeconds}::bigint, false) as is_online
    from nodes n left join node_status st on st.node_id = n.id left join own o on o.node_id = n.id
    where ${sql.raw(isOperatorsOwn('n.id'))}
  ), places as (
    select coalesce(location_id, 0) as location_id, count(distinct node_id) as nodes,
      count(distinct node_id) filter (where is_online) as nodes_online,
      sum(capacity)::bigint as capacity, sum(used_slots)::bigint as used_slots
    from placed group by grouping sets ((), (location_id)) having grouping(location_id) = 1 or location_id is not null
  )`

/** Nodes and slots as they are, for somebody who waits. */
export const lookAtPlaces = async (db: Db, now: number): Promise<PlaceLook[]> => {
  const { rows } =
    await sql<PlaceLook>`with ${places(now)} select * from places order by location_id`.execute(db)
  return rows
}

/** For somebody who waits, too; of very many customers nobody is counted, for that is done by itself every few minutes. */
export const lookNow = async (db: Db, now: number): Promise<FleetLook[]> => {
  const { rows } = await sql`select from traffic_counters offset ${mostCounted} limit 1`.execute(db)
  if (rows.length === 0) return (await lookAtFleet(db, now)).fleet
  return (await lookAtPlaces(db, now)).map((place) => ({ ...place, customers_online: 0 }))
}

/** Customers whose traffic moved on a node. */
export const countOnline = async (db: Db, nodeId: number, now: number): Promise<number> => {
  const { rows } = await sql<{ customers: number }>`
    select count(distinct t.user_id)::int as customers
    from ${movedCounters(now)} where c.node_id = ${nodeId}::bigint`.execute(db)
  return rows[0]?.customers ?? 0
}

interface NodeLook {
  readonly node_id: number
  readonly customers: number
}

/** With customers, each of whom is counted: one who is connected in two places is one of all. Also of each node, by the same look. */
const lookAtFleet = async (db: Db, now: number): Promise<{ fleet: FleetLook[]; nodes: NodeLook[] }> => {
  const { rows } = await sql<{ fleet: FleetLook[] | null; nodes: NodeLook[] | null }>`
    with ${places(now)}, moved as materialized (
      select distinct c.node_id, a.location_id, t.user_id from ${movedCounters(now)}
    ), here as materialized (
      select distinct m.location_id, m.user_id from moved m
      join own o on o.node_id = m.node_id and o.location_id = m.location_id
    ), online as (
      select location_id, count(*) as customers from here group by location_id
      union all select 0, count(*) from (select distinct user_id from here) everybody
    ), fleet as (
      select p.*, coalesce(n.customers, 0) as customers_online from places p left join online n on n.location_id = p.location_id
    ), of_nodes as (
      select node_id, count(*) as customers from (select distinct node_id, user_id from moved) m group by node_id
    )
    select (select json_agg(f order by f.location_id) from fleet f) as fleet,
      (select json_agg(n order by n.node_id) from of_nodes n) as nodes`.execute(db)
  return { fleet: rows[0]?.fleet ?? [], nodes: rows[0]?.nodes ?? [] }
}

const countActive = async (db: Db, now: number, most: number): Promise<number> => {
  const { rows } = await sql<{ active: number }>`
    select count(*) as active from (
      select user_id from terms where state = 'active' and expires_at > ${now}::bigint
      group by user_id limit ${most}) found`.execute(db)
  return rows[0]?.active ?? 0
}

/** Customers who have something live: at this moment, or of very many as they were at the last look. */
export const activeCustomers = async (db: Db, now: number): Promise<number> => {
  const counted = await countActive(db, now, mostCounted + 1)
  if (counted <= mostCounted) return counted
  const noted = await db
    .selectFrom('customer_looks')
    .select('active')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Math.max(noted?.active ?? 0, mostCounted)
}

const noteFleet = async (tx: Db, at: number, seen: readonly FleetLook[]): Promise<void> => {
  if (seen.length === 0) return
  await tx
    .insertInto('fleet_looks')
    .values(seen.map((row) => ({ at, ...row })))
    .onConflict((oc) =>
      oc.columns(['at', 'location_id']).doUpdateSet((eb) => ({
        nodes: eb.ref('excluded.nodes'),
        nodes_online: eb.ref('excluded.nodes_online'),
        capacity: eb.ref('excluded.capacity'),
        used_slots: eb.ref('excluded.used_slots'),
        customers_online: sql<number>`greatest(fleet_looks.customers_online, excluded.customers_online)`,
      })),
    )
    .execute()
}

/** The most customers at once on each node; of one that reported nothing in this quarter there is nothing to note. */
const noteOnline = async (tx: Db, at: number, seen: readonly NodeLook[]): Promise<void> => {
  await sql`
    with more as materialized (
      select h.node_id, o.customers from node_hours h
      join unnest(${seen.map((node) => node.node_id)}::bigint[], ${seen.map((node) => node.customers)}::bigint[])
        as o (node_id, customers) on o.node_id = h.node_id
      where h.at = ${at}::bigint and h.online_most < o.customers order by h.node_id for update of h
    )
    update node_hours h set online_most = greatest(h.online_most, m.customers) from more m
    where h.node_id = m.node_id and h.at = ${at}::bigint`.execute(tx)
}

/** Notes how the fleet is and how many customers there are, in the quarter of an hour that it is. All is counted before anything is locked. */
export const look = (db: Db, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await allowLongStatements(tx)
    const at = quarterOf(now)
    const { fleet, nodes } = await lookAtFleet(tx, now)
    const active = await countActive(tx, now, Number.MAX_SAFE_INTEGER)
    await noteOnline(tx, at, nodes)
    await noteFleet(tx, at, fleet)
    await tx
      .insertInto('customer_looks')
      .values({ at, active })
      .onConflict((oc) => oc.column('at').doUpdateSet({ active }))
      .execute()
  })
