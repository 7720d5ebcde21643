import { isNearlyUsedUp, isUsedUp, trafficPeriodSeconds } from '@sallyport/domain/lifecycle/option-status'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import type { Job } from '../kernel/jobs.ts'
import type { GrantContext } from '../sales/products.ts'
import { lockTerm, type Term } from '../terms/terms.ts'
import { findOption, listOptions, type Option } from './option-catalogue.ts'
import { findFurnished } from './option-terms.ts'
import { syncConfigsToServers } from './sync-configs-to-servers.ts'
import { applyQuota, beginPeriod, usageColumns, usageFrom } from './traffic-usage.ts'

/** What happens to options by itself: traffic runs out, periods begin anew, servers join and leave. */

type Parts = Omit<GrantContext, 'now'> & { readonly db: Db; readonly log: Log }

const batchSize = 5000
/** Rows of `moved_terms`, each what one report has moved: up to 5000 terms, and the same term in many of them. */
const takenAtOnce = 100
/** Rows of `moved_meters`, in which the release before notes each term by itself. */
const singlesAtOnce = 20_000
const takesInRound = 50
const pageSize = 1000

/** One subscription at a time, locked; what is gone meanwhile is left alone, and one that fails keeps no other waiting. */
const eachLocked = async (
  { db, log }: Parts,
  termIds: readonly number[],
  act: (tx: Db, term: Term, option: Option) => Promise<void>,
  isStillDue: (tx: Db, id: number) => Promise<boolean> = async () => true,
): Promise<void> => {
  for (const id of termIds) {
    try {
      await inTransaction(db, async (tx) => {
        if (!(await isStillDue(tx, id))) return
        const term = await lockTerm(tx, sql`t.id = ${id}::bigint and t.product = 'paid_options'`)
        const option = term && (await findOption(tx, term.product_id as number))
        if (option) await act(tx, term, option)
      })
    } catch (err) {
      log.error({ err, term: id }, 'an option could not be brought in line')
    }
  }
}

interface Moved {
  readonly term_id: number
  readonly traffic_limit: number
  readonly used: number
  readonly told: number
  readonly paused: string | null
}

const takeReports = async (tx: Db, into: Set<number>): Promise<boolean> => {
  const { rows } = await sql<{ term_ids: readonly number[] }>`
    delete from moved_terms where ctid = any(array(
      select ctid from moved_terms limit ${takenAtOnce} for update skip locked))
    returning term_ids`.execute(tx)
  for (const { term_ids: termIds } of rows) for (const id of termIds) into.add(id)
  return rows.length < takenAtOnce
}

const takeSingles = async (tx: Db, into: Set<number>): Promise<boolean> => {
  const { rows } = await sql<{ term_id: number; times: number }>`
    with taken as (
      delete from moved_meters where ctid = any(array(
        select ctid from moved_meters limit ${singlesAtOnce} for update skip locked))
      returning term_id)
    select term_id, count(*) as times from taken group by term_id`.execute(tx)
  for (const row of rows) into.add(row.term_id)
  return rows.reduce((sum, row) => sum + row.times, 0) < singlesAtOnce
}

/**
 * Takes away what nodes have reported of. All of it before anybody is looked at, so that nobody is looked at twice; but what
 * goes on coming faster than it is taken is left for the next round.
 */
const takeMoved = async (tx: Db): Promise<number[]> => {
  const termIds = new Set<number>()
  for (const take of [takeReports, takeSingles]) {
    for (let times = 0; times < takesInRound; times++) if (await take(tx, termIds)) break
  }
  return [...termIds].sort((one, other) => one - other)
}

/** Those of them that need somebody to do something. */
const findUsedUp = async (db: Db, termIds: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<Moved>`
    select ${sql.raw(usageColumns)}, o.term_id, t.paused
    from ${sql.raw(usageFrom)} join terms t on t.id = o.term_id and t.state = 'active'
    where o.term_id = any(${termIds}::bigint[]) and o.traffic_limit > 0`.execute(db)
  const due = rows.filter(
    ({ traffic_limit: limit, used, told, paused }) =>
      (isUsedUp(used, limit) && (paused === null || told < 2)) || (isNearlyUsedUp(used, limit) && told < 1),
  )
  return due.map((row) => row.term_id)
}

/** By number, so that instances that do the same wait for each other in one order. */
const noteToJudge = async (tx: Db, termIds: readonly number[]): Promise<void> => {
  if (termIds.length === 0) return
  await sql`
    insert into terms_to_judge (term_id) select id from unnest(${termIds}::bigint[]) id order by id
    on conflict do nothing`.execute(tx)
}

/** What was taken away and who has to be judged for it are one step: whoever dies in between has done neither. */
const sortMoved = (db: Db, choose: (tx: Db, moved: readonly number[]) => Promise<number[]>): Promise<void> =>
  inTransaction(db, async (tx) => {
    const moved = await takeMoved(tx)
    for (let from = 0; from < moved.length; from += batchSize) {
      await noteToJudge(tx, await choose(tx, moved.slice(from, from + batchSize)))
    }
  })

/**
 * Switches off what has used its traffic up; a report's counters are looked at within the round's seconds. Each is judged in
 * the transaction that takes it from the list, and one that fails stays there and keeps no other waiting.
 */
export const watchTraffic = async (at: Parts, now: number): Promise<void> => {
  try {
    await sortMoved(at.db, findUsedUp)
  } catch (err) {
    // Something about one of them: then each is looked at by itself.
    at.log.error({ err }, 'traffic could not be looked at together')
    await sortMoved(at.db, async (_, moved) => [...moved])
  }
  await inPages(
    async (after) => {
      const noted = at.db.selectFrom('terms_to_judge').select('term_id').where('term_id', '>', after)
      return (await noted.orderBy('term_id').limit(pageSize).execute()).map((row) => row.term_id)
    },
    (ids) =>
      eachLocked(at, ids, (tx, term, option) => applyQuota(tx, { ...at, now }, term, option), takeQuotaMark),
  )
}

/** False when another instance was here. */
const takeQuotaMark = async (tx: Db, id: number): Promise<boolean> => {
  const taken = await tx.deleteFrom('terms_to_judge').where('term_id', '=', id).executeTakeFirst()
  return taken.numDeletedRows > 0n
}

type FindDue = (after: number) => Promise<number[]>

/** Each once, also when some of them fail. */
const inPages = async (findDue: FindDue, act: (ids: readonly number[]) => Promise<void>): Promise<void> => {
  for (let after = 0; ; ) {
    const ids = await findDue(after)
    await act(ids)
    if (ids.length < pageSize) return
    after = ids.at(-1) as number
  }
}

/** Traffic begins anew every 30 days from the purchase. */
export const beginPeriods = (at: Parts, now: number): Promise<void> =>
  inPages(
    async (after) => {
      const rows = await at.db
        .selectFrom('option_terms as o')
        .innerJoin('terms as t', 't.id', 'o.term_id')
        .select('o.term_id')
        .where('o.period_began_at', '<=', now - trafficPeriodSeconds)
        .where('o.term_id', '>', after)
        .where('t.state', '=', 'active')
        .orderBy('o.term_id')
        .limit(pageSize)
        .execute()
      return rows.map((row) => row.term_id)
    },
    (ids) => eachLocked(at, ids, (tx, term, option) => beginPeriod(tx, { ...at, now }, term, option)),
  )

/** Those of one option that are behind it. */
const findBehind = async (db: Db, { id, revision }: Option, after: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('option_terms as o')
    .innerJoin('terms as t', 't.id', 'o.term_id')
    .select('o.term_id')
    .where('o.option_id', '=', id)
    .where('o.furnished', '<', revision)
    .where('o.term_id', '>', after)
    .where('t.state', '=', 'active')
    .orderBy('o.term_id')
    .limit(pageSize)
    .execute()
  return rows.map((row) => row.term_id)
}

/** Customers' configurations follow the servers of their option. */
export const followServers = async (at: Parts, now: number): Promise<void> => {
  const follow = async (tx: Db, term: Term, option: Option): Promise<void> => {
    const isDue = term.state === 'active' && (await findFurnished(tx, term.id)) < option.revision
    if (isDue) await syncConfigsToServers(tx, { ...at, now }, term, option)
  }
  for (const option of await listOptions(at.db)) {
    await inPages(
      (after) => findBehind(at.db, option, after),
      (ids) => eachLocked(at, ids, follow),
    )
  }
}

export const watchTrafficJob: Job<Parts> = { name: 'watch traffic', everySeconds: 5, run: watchTraffic }
export const beginPeriodsJob: Job<Parts> = {
  name: 'begin traffic periods',
  everySeconds: 10,
  run: beginPeriods,
}
export const followServersJob: Job<Parts> = { name: 'follow servers', everySeconds: 10, run: followServers }
