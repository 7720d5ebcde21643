import type { UpgradeWish } from '@sallyport/contract/agent/agent'
import type { HostStats, Report } from '@sallyport/contract/agent/report'
import { quarterOf } from '@sallyport/domain/time/local-time'
import { dayOf } from '@sallyport/domain/time/period'
import { sql } from 'kysely'
import type { InboundRow } from '../../core/fleet/inbounds.ts'
import { accessIdOf, itemOf } from '../../core/fleet/placements.ts'
import {
  clockSkewSeconds,
  keptBytes,
  lineBytesPerSecond,
  mostAllowance,
  mostSeconds,
} from '../../core/fleet/traffic-plausibility.ts'
import { type Db, prepared } from '../../db/client.ts'

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

/** What somebody wishes its machine to run, for as long as that goes on and the agent has not taken it up. */
const upgradeWishes = `from agent_upgrade_nodes w join agent_upgrades u on u.id = w.upgrade_id
  where w.node_id = nodes.id and w.state = 'told' and u.state = 'running'`

const upgradeWish = sql<UpgradeWish | null>`(
  select jsonb_build_object('id', w.wish, 'release', w.release) ${sql.raw(upgradeWishes)})`

/** Who it is, which state it should have, when somebody wished its machine to be started anew, or to run another release. */
export const findNode = (db: Db, nodeId: number) =>
  db
    .selectFrom('nodes')
    .select(['public_key', 'desired_revision', 'reboot_asked_at', 'caused_by', upgradeWish.as('upgrade_to')])
    .where('id', '=', nodeId)
    .executeTakeFirst()

interface News {
  readonly public_key: string | null
  readonly has_news: boolean
}

/** Whether there is anything to tell who has this revision, in one look. */
export const lookForNews = prepared<[nodeId: number, since: number], News>(`
  select public_key, desired_revision <> $2
    or exists (select from trials t where t.node_id = nodes.id and t.is_accepted is null)
    or exists (select ${upgradeWishes}) as has_news
  from nodes where id = $1`)

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
  readonly access_id: number
  readonly revision: number
  readonly is_present: boolean
  readonly caused_by: string | null
}

/** What changed after a revision; from 0, everything that is present. */
export const listPlacements = (db: Db, nodeId: number, since: number): Promise<PlacementRow[]> =>
  db
    .selectFrom('placements')
    .select(['access_id', 'revision', 'is_present', 'caused_by'])
    .where('node_id', '=', nodeId)
    .where('revision', '>', since)
    .$if(since === 0, (query) => query.where('is_present', '=', true))
    .orderBy('revision')
    .execute()

const usableStates = new Set(['running', 'starting', 'idle'])

/** The time since the last report, as bytes that a line can have carried in it; what is left of the time before is kept. */
const allowanceAt = (report: Report, now: number) => {
  const most = report.traffic.length === 0 ? keptBytes : mostAllowance
  return sql<number>`least(${most}::bigint, traffic_allowance + ${lineBytesPerSecond}::bigint
    * least(greatest(${now}::bigint - coalesce(metered_at, ${now}), 0), ${mostSeconds}))`
}

/** False when there is no such node any more. */
export const updateStatus = async (tx: Db, nodeId: number, report: Report, now: number): Promise<boolean> => {
  const updated = await tx
    .updateTable('node_status')
    .set({
      last_seen_at: now,
      traffic_allowance: allowanceAt(report, now),
      // Not back by what clocks of instances differ, which would be counted again; but back from a year that was wrong.
      metered_at: sql<number>`case when metered_at between ${now}::bigint and ${now + clockSkewSeconds}::bigint
        then metered_at else ${now}::bigint end`,
      applied_revision: report.applied_revision,
      applied_hash: report.applied_hash,
      apply_error: report.apply_error,
      agent_version: report.agent_version,
      engines: JSON.stringify(report.engines),
      ready_engines: report.engines.filter((e) => usableStates.has(e.state)).map((e) => e.name),
      uptime_seconds: report.host.uptime_seconds,
      cpu_model: report.host.cpu_model,
      agent_release: report.agent_release ?? null,
      can_upgrade: report.upgrade?.is_possible ?? false,
      upgrade_wish: report.upgrade?.wish_id ?? null,
      upgrade_failure: report.upgrade?.failure ?? null,
    })
    .where('node_id', '=', nodeId)
    .returning('node_id')
    .executeTakeFirst()
  return updated !== undefined
}

/** It is there, though nobody has time for what it tells. */
export const noteHeard = async (db: Db, nodeId: number, now: number): Promise<void> => {
  await db
    .updateTable('node_status')
    .set({ last_seen_at: sql<number>`greatest(last_seen_at, ${now}::bigint)` })
    .where('node_id', '=', nodeId)
    .execute()
}

/** By days, as customers see it, and by quarters of an hour, as the operator does. */
export const foldHostStats = async (tx: Db, nodeId: number, host: HostStats, now: number): Promise<void> => {
  const load = sql`1, ${host.cpu_percent}::float8, ${host.ram_percent}::float8, ${host.up_mbps}::float8, ${host.down_mbps}::float8`
  await sql`
    with daily as (
      insert into node_days as d (node_id, day, samples, cpu_sum, ram_sum, up_sum, down_sum)
      values (${nodeId}, ${dayOf(now)}, ${load})
      on conflict (node_id, day) do update set samples = d.samples + 1, cpu_sum = d.cpu_sum + excluded.cpu_sum,
        ram_sum = d.ram_sum + excluded.ram_sum, up_sum = d.up_sum + excluded.up_sum,
        down_sum = d.down_sum + excluded.down_sum
    )
    insert into node_hours as h (node_id, at, samples, cpu_sum, ram_sum, up_sum, down_sum)
    values (${nodeId}, ${quarterOf(now)}, ${load})
    on conflict (node_id, at) do update set samples = h.samples + 1, cpu_sum = h.cpu_sum + excluded.cpu_sum,
      ram_sum = h.ram_sum + excluded.ram_sum, up_sum = h.up_sum + excluded.up_sum,
      down_sum = h.down_sum + excluded.down_sum`.execute(tx)
}

/** Of what an engine refused, that which is still wanted so, with its owner. */
export const findRefused = async (tx: Db, nodeId: number, refused: Report['refused']) => {
  const ids = refused.flatMap(({ id }) => accessIdOf(id) ?? [])
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('placements as p')
    .innerJoin('accesses as a', 'a.id', 'p.access_id')
    .innerJoin('terms as t', 't.id', 'a.term_id')
    .leftJoin('accesses as c', 'c.id', 'a.beside_id')
    .select(['p.access_id', 'p.revision', 't.user_id'])
    .select((eb) => [
      eb.fn.coalesce('a.beside_id', 'a.id').as('config_id'),
      eb.fn.coalesce('a.title', 'c.title').as('title'),
    ])
    .where('p.node_id', '=', nodeId)
    .where('p.is_present', '=', true)
    .where('p.access_id', 'in', ids)
    .execute()
  const told = new Set(refused.map(({ id, revision }) => `${id}:${revision}`))
  return rows.filter((row) => told.has(`${itemOf(row.access_id)}:${row.revision}`))
}
