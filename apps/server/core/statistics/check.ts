import { startOf } from '@sallyport/domain/time/local-time'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { matchAlerts } from '../kernel/alerts.ts'
import { allowLongStatements, type Job } from '../kernel/jobs.ts'
import { type Dimension, everyRollup, type Rollup } from './facts.ts'
import { forgetSums, lockState } from './fold.ts'

/** Whether the sums that are kept say what the ledger and the orders say, each counted in another way than for the sums. */

export interface Difference {
  readonly figure: string
  readonly kept: number
  readonly counted: number
}

/** Of everything before a moment. In roubles; of other currencies the ledger holds what the receipts say, see below. */
const books = (to: number) => sql`
  select 'orders' as figure, (select count(*) from orders where fulfilled_at < ${to}::bigint and not is_gift)::bigint as counted
  union all select 'gifts', (select count(*) from orders where fulfilled_at < ${to}::bigint and is_gift)
  union all select 'money_in', (select coalesce(sum(value_rub), 0) from receipts
    where verdict <> 'suspense' and coalesce(credited_at, created_at) < ${to}::bigint)
  union all select 'from_balance', (select coalesce(sum(t.amount), 0) from ledger_transfers t
    join ledger_accounts a on a.id = t.from_account_id
    where t.kind = 'purchase' and a.user_id is not null and t.created_at < ${to}::bigint)
  union all select 'refunded', (select coalesce(sum(value_rub), 0) from orders where refunded_at < ${to}::bigint and price > 0)
    + (select coalesce(sum(r.value_rub - case r.verdict when 'extra' then 0 else least(o.value_rub, r.value_rub) end), 0)
      from refunds f join receipts r on r.id = f.receipt_id join orders o on o.id = r.order_id
      where f.done_at < ${to}::bigint and f.state = 'done' and f.destination = 'source' and r.verdict <> 'suspense'
        and (r.verdict = 'extra' or f.amount > o.price))
  union all select 'new', (select count(*) from users where created_at < ${to}::bigint)
  union all select 'first_paid', (select count(distinct o.user_id) from receipts r join orders o on o.id = r.order_id
    where r.verdict <> 'suspense' and coalesce(r.credited_at, r.created_at) < ${to}::bigint)
  union all select 'ended', (select count(*) from ended_customers where at < ${to}::bigint)
  union all select 'bytes_up', (select coalesce(sum(up), 0) from node_traffic where at < ${to}::bigint)
  union all select 'bytes_down', (select coalesce(sum(down), 0) from node_traffic where at < ${to}::bigint)`

/** Money that came from outside, as receipts have it and as the ledger has it, in the smallest units of each currency. */
const outside = sql`
  select 'receipts in ' || p.currency as figure,
    (select coalesce(sum(r.amount), 0) from receipts r where r.verdict <> 'suspense' and r.currency = p.currency)::bigint as kept,
    (select coalesce(sum(t.amount), 0) from ledger_transfers t
      join ledger_accounts f on f.id = t.from_account_id join ledger_accounts g on g.id = t.to_account_id
      where f.currency = p.currency and ((f.kind = 'provider' and g.kind <> 'suspense')
        or (f.kind = 'suspense' and g.kind not in ('provider', 'refunds'))))::bigint as counted
  from (select distinct currency from ledger_accounts where kind = 'provider') p`

/** Orders that were given back without anything having moved in the ledger. */
const unmoved = sql`
  select 'refunded orders without a transfer' as figure, 0::bigint as kept, count(*) as counted
  from orders o where o.refunded_at is not null and o.price > 0 and not exists (
    select from ledger_transfers t where t.order_id = o.id and t.kind in ('refund', 'credit', 'exchange'))`

const keptSums = async (tx: Db, rollup: Rollup, dimension: Dimension, to: number) => {
  const added = Object.entries(rollup.measures).flatMap(([name, together]) =>
    together === 'sum' ? [name] : [],
  )
  if (added.length === 0) return {}
  const sums = sql.join(
    added.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`),
  )
  const { rows } = await sql<Record<string, number>>`
    select ${sums} from ${sql.table(rollup.table)}
    where step = 'hour' and dimension = ${dimension} and at < ${to}::bigint`.execute(tx)
  return rows[0] as Record<string, number>
}

/** By product, by method and by location it is as much as of all together. */
const unequalDimensions = async (tx: Db, to: number): Promise<Difference[]> => {
  const found: Difference[] = []
  for (const rollup of everyRollup) {
    const all = await keptSums(tx, rollup, 'all', to)
    for (const dimension of ['product', 'method', 'location'] as const) {
      const some = await keptSums(tx, rollup, dimension, to)
      const isDivided = Object.values(some).some((sum) => sum !== 0)
      for (const [name, sum] of isDivided ? Object.entries(some) : []) {
        if (sum !== all[name])
          found.push({ figure: `${name} by ${dimension}`, kept: sum, counted: all[name] ?? 0 })
      }
    }
  }
  return found
}

/** Everything that is not as it should be, of what was before a moment at which an hour began. */
export const findDifferences = async (tx: Db, to: number): Promise<Difference[]> => {
  const kept: Record<string, number> = {}
  for (const rollup of everyRollup) Object.assign(kept, await keptSums(tx, rollup, 'all', to))
  const counted = await sql<{ figure: string; counted: number }>`
    select figure, counted::bigint from (${books(to)}) each`.execute(tx)
  const sums = counted.rows.map((row) => ({ ...row, kept: kept[row.figure] ?? 0 }))
  const ledger = await sql<Difference>`${outside} union all ${unmoved}`.execute(tx)
  return [
    ...[...sums, ...ledger.rows].filter((row) => row.kept !== row.counted),
    ...(await unequalDimensions(tx, to)),
  ].map(({ figure, kept: has, counted: should }) => ({ figure, kept: has, counted: should }))
}

const everySeconds = 86_400
/** What is newer may yet be counted again. */
const settledSeconds = 2 * 86_400

/** Once a day, whichever instance comes first. What is wrong is told, and the sums are made anew. */
export const checkFigures = (db: Db, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const state = await lockState(tx)
    if (!state || state.folded_to === null || (state.checked_at ?? 0) > now - everySeconds) return
    await allowLongStatements(tx)
    const to = startOf(state.folded_to - settledSeconds, state.zone ?? 'UTC', 'hour')
    const differences = await findDifferences(tx, to)
    const since = { subject: 'statistics', details: { differences }, since: now }
    await matchAlerts(tx, 'figures_wrong', differences.length > 0 ? [since] : [], now)
    if (differences.length > 0) await forgetSums(tx)
    await tx.updateTable('figures_state').set({ checked_at: now }).execute()
  })

export const checkFiguresJob: Job<{ readonly db: Db }> = {
  name: 'check figures',
  everySeconds: 3600,
  run: ({ db }, now) => checkFigures(db, now),
}
