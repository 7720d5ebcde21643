import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { mostInMeter } from './metering.ts'

/**
 * A tombstone has done its work once the agent applied a later revision. Until then its node may still tell what the access
 * had carried; after that it is counted with the others of its term.
 */
export const forgetTombstones = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ access_id: number }>`
    delete from placements p using node_status st
    where st.node_id = p.node_id and not p.is_present and p.revision <= st.applied_revision
      and not exists (select from accesses a where a.id = p.access_id)
    returning p.access_id`.execute(db)
  const { rows: copies } = await sql<{ access_id: number }>`
    delete from held_accesses h
    where not h.is_live and (select count(*) from placements p where p.access_id = -h.id) = 0
    returning h.access_id`.execute(db)
  const ids = [...new Set([...rows, ...copies].map((row) => row.access_id))]
  if (ids.length > 0) await foldMeters(db, ids)
}

/** Of accesses that are gone from everywhere, where their term has others. Each is looked up by itself: they are few of very many. */
const foldMeters = async (db: Db, ids: readonly number[]): Promise<void> => {
  await sql`
    with gone as (
      delete from meters m where m.access_id = any(${ids}::bigint[])
        and not exists (select from placements p where p.access_id = m.access_id)
        and (select count(*) from held_accesses h where h.access_id = m.access_id
          and (select count(*) from placements p where p.access_id = -h.id) > 0) = 0
        and exists (select from accesses a where a.term_id = m.term_id)
      returning term_id, up, down
    ), sums as (select term_id, sum(up) as up, sum(down) as down from gone group by term_id)
    update meters m set up = least(m.up + sums.up, ${mostInMeter}), down = least(m.down + sums.down, ${mostInMeter})
    from sums where m.access_id = (select min(a.id) from accesses a where a.term_id = sums.term_id)`.execute(
    db,
  )
}

const counterKeepSeconds = 30 * 86_400

/**
 * What is old is forgotten when its run is over: another run counts the access there by now, for as long, and nobody was
 * heard of in this one lately. Engines run for years, and what one had counted for somebody who was away would be counted
 * again; and of a run that ended a minute ago a report may still be under way.
 */
export const forgetCountersOf = async (db: Db, nodeId: number, now: number): Promise<void> => {
  const since = now - counterKeepSeconds
  await sql`
    with living as materialized (
      select distinct boot_id from traffic_counters where node_id = ${nodeId} and seen_at > ${since}
    )
    delete from traffic_counters c where c.node_id = ${nodeId} and c.seen_at <= ${since} and (
      not exists (select from placements p where p.node_id = c.node_id and p.access_id = c.access_id)
      or (c.boot_id not in (select boot_id from living)
        and exists (select from traffic_counters l where l.node_id = c.node_id and l.access_id = c.access_id
          and l.seen_at > c.seen_at and l.seen_at <= ${since})))`.execute(db)
}

const pieceSeconds = 600
const pieces = 144

/** Nothing orders them by age, so they are looked through: some nodes at a time, and each about once a day. */
export const forgetCounters = async (db: Db, now: number): Promise<void> => {
  const nodes = await db
    .selectFrom('nodes')
    .select('id')
    .where(sql`id % ${pieces}`, '=', Math.floor(now / pieceSeconds) % pieces)
    .execute()
  for (const { id } of nodes) await forgetCountersOf(db, id, now)
}

const loadKeepSeconds = 400 * 86_400

/** A day has 96 of them. */
const mostQuarters = 1000

/** Node by node, for that is how they are found. */
export const forgetLoad = async (db: Db, now: number): Promise<void> => {
  await sql`
    delete from node_hours h using nodes n, lateral (
      select at from node_hours where node_id = n.id and at < ${now - loadKeepSeconds}::bigint
      order by at limit ${mostQuarters}
    ) old where h.node_id = n.id and h.at = old.at`.execute(db)
}
