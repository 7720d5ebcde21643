import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isOperatorsOwn } from '../fleet/node-owners.ts'
import { onlineWithinSeconds } from '../fleet/servers.ts'

/**
 * What the tables say of the whole service, the same on every instance: how much waits and for how long, who is away, whether the
 * books are right. Few statements, each by an index of what waits, however much there is besides.
 */

/** More is "many" all the same, and is not counted further. */
const mostCounted = 10_000

const countUpTo = (rows: ReturnType<typeof sql>) =>
  sql`(select count(*) from (select ${rows} limit ${sql.lit(mostCounted)}) counted)`

interface Figure {
  readonly name: string
  readonly label: string
  readonly value: number | null
}

const figure = (name: string, value: ReturnType<typeof sql>, label = '') =>
  sql`select ${sql.lit(name)} as name, ${sql.lit(label)} as label, (${value})::float8 as value`

/** Since when the first of what is due waits, by the job that does it. */
const dueSince: Readonly<Record<string, ReturnType<typeof sql>>> = {
  grants: sql`select min(next_try_at) from orders where state = 'paid'`,
  payments: sql`select min(next_check_at) from payments where next_check_at is not null`,
  refunds: sql`select min(next_try_at) from refunds where state = 'requested'`,
  provider_events: sql`select min(next_try_at) from webhook_inbox where next_try_at is not null`,
  letters: sql`select min(next_try_at) from mails`,
  machines: sql`select min(next_step_at) from machines where next_step_at is not null`,
  uncarried: sql`select min(next_step_at) from uncarried where carried_at is null`,
  terms: sql`select expires_at from terms where state = 'active' and stopped_at is null order by expires_at limit 1`,
  commissions: sql`select min(release_at) from commissions where state = 'held'`,
  webhooks: sql`select min(first.next_try_at) from webhooks w cross join lateral (
    select d.next_try_at from webhook_deliveries d where d.webhook_id = w.id and w.is_active and d.next_try_at is not null
    order by d.next_try_at limit 1) first`,
}

const paymentAges = ['10m', '1h', '1d', 'older'] as const

const pendingPayments = (now: number) => {
  const limits = [600, 3600, 86_400]
  const older = (seconds: number | undefined) =>
    seconds === undefined ? sql`true` : sql`created_at > ${now - seconds}::bigint`
  const younger = (seconds: number | undefined) =>
    seconds === undefined ? sql`true` : sql`created_at <= ${now - seconds}::bigint`
  return paymentAges.map((age, at) =>
    figure(
      'payments_pending',
      sql`select count(*) from pending where ${older(limits[at])} and ${younger(limits[at - 1])}`,
      age,
    ),
  )
}

const readFigures = async (db: Db, now: number): Promise<Figure[]> => {
  const parts = [
    ...Object.entries(dueSince).map(([kind, since]) =>
      figure('due_seconds', sql`select greatest(0, ${now}::bigint - (${since}))`, kind),
    ),
    ...pendingPayments(now),
    figure(
      'payments_unread',
      sql`select count(*) from pending where checks = 0 and created_at <= ${now - 3600}::bigint`,
    ),
    figure('orders_ungranted', countUpTo(sql`from orders where state = 'paid'`)),
    figure(
      'orders_ungranted_seconds',
      sql`select ${now}::bigint - min(paid_at) from orders where state = 'paid'`,
    ),
    figure('provider_events_waiting', countUpTo(sql`from webhook_inbox where next_try_at is not null`)),
    figure('webhooks_waiting', countUpTo(sql`from webhook_deliveries where next_try_at is not null`)),
    figure('letters_waiting', countUpTo(sql`from mails`)),
    figure('machines_troubled', countUpTo(sql`from machines where problem is not null and gone_at is null`)),
    figure('withdrawals_pending', countUpTo(sql`from withdrawals where status = 'pending'`)),
    figure('agents', sql`select count(*) from agents`),
    figure('agents_away', sql`select count(*) from agents where silence > ${onlineWithinSeconds}`),
    figure('agent_silence_seconds', sql`select max(silence) from agents`),
    figure('ledger_imbalance', sql`select ledger_imbalance from figures_state`),
    figure('ledger_check_seconds', sql`select ${now}::bigint - ledger_checked_at from figures_state`),
    sql`select 'alerts_open', kind, count(*)::float8 from alerts where resolved_at is null group by kind`,
  ]
  const { rows } = await sql<Figure>`
    with pending as (
      select created_at, checks from payments where next_check_at is not null and state = 'pending'
    ), agents as (
      select ${now}::bigint - st.last_seen_at as silence from nodes n join node_status st on st.node_id = n.id
      where n.public_key is not null and st.last_seen_at is not null and ${sql.raw(isOperatorsOwn('n.id'))}
    )
    ${sql.join(parts, sql` union all `)}`.execute(db)
  return rows
}

interface NodeBehind {
  readonly id: number
  readonly desired: number
  readonly applied: number
}

/** Of those who are there: who is away is told of by itself. */
const readNodesBehind = async (db: Db, now: number): Promise<NodeBehind[]> => {
  const { rows } = await sql<NodeBehind>`
    select n.id, n.desired_revision as desired, st.applied_revision as applied
    from nodes n join node_status st on st.node_id = n.id
    where st.applied_revision < n.desired_revision
      and st.last_seen_at > ${now - onlineWithinSeconds}::bigint`.execute(db)
  return rows
}

/**
 * How long nodes have been behind. A busy one always has something newer to apply, so what counts is how long it has been without
 * the revision that was the newest when it was looked at.
 */
export class NodesBehind {
  readonly #awaited = new Map<number, { readonly revision: number; readonly sinceMs: number }>()

  note(nodes: readonly NodeBehind[], nowMs: number): void {
    const before = new Map(this.#awaited)
    this.#awaited.clear()
    for (const { id, desired, applied } of nodes) {
      const known = before.get(id)
      this.#awaited.set(id, known && applied < known.revision ? known : { revision: desired, sinceMs: nowMs })
    }
  }

  get count(): number {
    return this.#awaited.size
  }

  seconds(nowMs: number): number {
    return Math.max(0, ...[...this.#awaited.values()].map(({ sinceMs }) => (nowMs - sinceMs) / 1000))
  }
}

export interface FleetFigures {
  /** By label; of figures without one the label is empty. What nobody knows is not there. */
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly nodesBehind: number
  readonly nodesBehindSeconds: number
  readonly atMs: number
}

const keepMs = 15_000
/** Older ones say more of then than of now. */
const tellMs = 300_000
const patienceMs = 3000

const group = (rows: readonly Figure[]): Map<string, Map<string, number>> => {
  const byName = new Map<string, Map<string, number>>()
  for (const { name, label, value } of rows) {
    const labels = byName.get(name) ?? new Map<string, number>()
    byName.set(name, labels)
    if (value !== null) labels.set(label, value)
  }
  return byName
}

/** Read at most every 15 s, however many ask; who asks does not wait for a database that does not answer. */
export class FleetFiguresReader {
  readonly #db: Db
  readonly #now: () => number
  readonly #onFailure: (error: unknown) => void
  readonly #behind = new NodesBehind()
  #kept: FleetFigures | undefined
  #triedMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(db: Db, now: () => number, onFailure: (error: unknown) => void) {
    this.#db = db
    this.#now = now
    this.#onFailure = onFailure
  }

  /** The last ones, or undefined when there are none that say anything of now. */
  async read(): Promise<FleetFigures | undefined> {
    if (performance.now() - this.#triedMs >= keepMs) this.#begin()
    if (this.#reading) {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, patienceMs)
      await Promise.race([this.#reading, late.promise])
      clearTimeout(timer)
    }
    const isOld = performance.now() - (this.#kept?.atMs ?? 0) >= tellMs
    return isOld ? undefined : this.#kept
  }

  #begin(): void {
    this.#reading ??= this.#gather()
      .catch(this.#onFailure)
      .finally(() => {
        this.#reading = undefined
        this.#triedMs = performance.now()
      })
  }

  async #gather(): Promise<void> {
    const now = this.#now()
    const byName = group(await readFigures(this.#db, now))
    const behind = await readNodesBehind(this.#db, now)
    const atMs = performance.now()
    this.#behind.note(behind, atMs)
    this.#kept = {
      byName,
      nodesBehind: this.#behind.count,
      nodesBehindSeconds: this.#behind.seconds(atMs),
      atMs,
    }
  }
}
