import { sql } from 'kysely'
import { isOperatorsOwn } from '../../core/fleet/node-owners.ts'
import type { Db } from '../../db/client.ts'

/** What the tables tell of the work that goes on. */

export const readMirrors = async (tx: Db): Promise<readonly string[]> =>
  (await tx.selectFrom('cabinet_settings').select('mirrors').executeTakeFirst())?.mirrors ?? []

export interface ProviderActivity {
  readonly provider: string
  /** Payments that came in since. */
  readonly paid: number
  readonly lastPaidAt: number | null
  readonly lastEventAt: number | null
}

/** What is credited later came in before: the first condition, which an index serves, leaves nothing out. */
export const readProviderActivity = async (tx: Db, since: number): Promise<ProviderActivity[]> => {
  const { rows } = await sql<ProviderActivity>`
    select r.provider, count(*)::int as paid, max(r.created_at) as "lastPaidAt",
      (select max(w.received_at) from webhook_inbox w where w.provider = r.provider) as "lastEventAt"
    from receipts r
    where coalesce(r.credited_at, r.created_at) > ${since}::bigint and r.created_at > ${since}::bigint group by r.provider order by 1`.execute(
    tx,
  )
  return rows
}

export interface JobRun {
  readonly name: string
  readonly finished_at: number
  readonly noted_at: number
  readonly problem: string | null
}

/** Of each job, the run of the instance that is the furthest behind. */
export const listJobRuns = async (tx: Db): Promise<JobRun[]> => {
  const { rows } = await sql<JobRun>`
    select distinct on (name) name, finished_at, noted_at, problem from job_runs
    where noted_at > (select max(noted_at) from job_runs) - 150
    order by name, finished_at`.execute(tx)
  return rows
}

export interface OpenAlerts {
  readonly kind: string
  readonly count: number
  readonly subjects: readonly string[]
}

export const listOpenAlerts = async (tx: Db): Promise<OpenAlerts[]> => {
  const { rows } = await sql<OpenAlerts>`
    select kind, count(*)::int as count, (array_agg(subject order by id))[1:5] as subjects
    from alerts where resolved_at is null group by kind order by kind`.execute(tx)
  return rows
}

const dueTables = [
  ['orders', 'next_try_at', "state = 'paid'"],
  ['payments', 'next_check_at', 'next_check_at is not null'],
  ['refunds', 'next_try_at', "state = 'requested'"],
  ['webhook_inbox', 'next_try_at', 'next_try_at is not null'],
  ['mails', 'next_try_at', 'true'],
  ['machines', 'next_step_at', 'next_step_at is not null'],
  ['uncarried', 'next_step_at', 'carried_at is null'],
] as const

export interface Overdue {
  readonly table: string
  readonly count: number
  readonly oldest: number
}

/** Rows whose time came before this moment and that nobody took; of more than a thousand the first. */
export const listOverdue = async (tx: Db, before: number): Promise<Overdue[]> => {
  const each = dueTables.map(
    ([table, column, where]) => sql`
      select ${table}::text as "table", count(*)::int as count, min(due) as oldest from (
        select ${sql.ref(column)} as due from ${sql.table(table)}
        where ${sql.raw(where)} and ${sql.ref(column)} < ${before}::bigint
        order by ${sql.ref(column)} limit 1000) rows`,
  )
  const { rows } = await sql<Overdue>`
    select * from (${sql.join(each, sql` union all `)}) all_of_them where count > 0`.execute(tx)
  return rows
}

/** Events for endpoints that are due since before this moment; of more than a thousand the first. */
export const countLateDeliveries = async (tx: Db, before: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from webhooks w join webhook_deliveries d on d.webhook_id = w.id
      where w.is_active and d.next_try_at < ${before}::bigint and d.attempts = 0 limit 1000) late`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface NodeState {
  readonly id: number
  readonly name: string
  readonly isEnrolled: boolean
  readonly created_at: number
  readonly last_seen_at: number | null
  readonly desired_revision: number
  readonly applied_revision: number
  readonly apply_error: string | null
  readonly agent_version: string | null
  readonly engines: readonly {
    readonly name: string
    readonly state: string
    readonly detail: string | null
  }[]
  readonly closed_inbounds: readonly string[]
}

export const listNodes = async (tx: Db): Promise<NodeState[]> => {
  const { rows } = await sql<NodeState>`
    select n.id, n.name, n.public_key is not null as "isEnrolled", n.created_at, s.last_seen_at,
      n.desired_revision, s.applied_revision, s.apply_error, s.agent_version, s.engines, s.closed_inbounds
    from nodes n join node_status s on s.node_id = n.id
    where ${sql.raw(isOperatorsOwn('n.id'))} order by n.id limit 1000`.execute(tx)
  return rows
}

export const readFiguresState = async (
  tx: Db,
): Promise<{ checkedAt: number | null; foldedTo: number | null }> => {
  const row = await tx.selectFrom('figures_state').select(['checked_at', 'folded_to']).executeTakeFirst()
  return { checkedAt: row?.checked_at ?? null, foldedTo: row?.folded_to ?? null }
}

/** Accounts at whoever has machines for hire. */
export const listCloudIds = async (tx: Db): Promise<number[]> => {
  const rows = await tx
    .selectFrom('clouds')
    .select('id')
    .where('kind', 'in', ['hetzner', 'digitalocean'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
