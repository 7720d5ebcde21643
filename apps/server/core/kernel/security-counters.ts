import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Counting in the database: the limits outlive restarts and hold for all instances. */

const keepSeconds = 2 * 86_400

export interface Counter {
  readonly key: string
  readonly most: number
  readonly windowSeconds: number
}

/** One attempt, and everything it counts against; what most share comes last, because it is locked last. */
export interface Guess {
  readonly counters: readonly Counter[]
  /** The time of the request; the same when the attempt is given back. */
  readonly now: number
}

/** What counts has to count although the rest of a request fails. */
export const refuseTransaction = (db: Db, what: string): void => {
  if (db.isTransaction) throw new Error(`${what} counted in a transaction would be forgotten when it fails`)
}

export const windowStart = ({ windowSeconds }: Pick<Counter, 'windowSeconds'>, now: number): number =>
  now - (now % windowSeconds)

const isSpent = (counter: Counter, now: number) => sql`
  (key = ${counter.key} and window_start = ${windowStart(counter, now)}::bigint and count >= ${counter.most}::integer)`

const grow = (counter: Counter, now: number, isNext: RawBuilder<unknown>) => sql`
  insert into security_counters (key, window_start, count)
  select ${counter.key}, ${windowStart(counter, now)}::bigint, 1 where ${isNext}
  on conflict (key, window_start) do update set count = security_counters.count + 1
    where security_counters.count < ${counter.most}::integer
  returning key`

/**
 * The guess at this place, as parts of the statement: whether it is the first with room in all its counters, and then
 * these. Each counter grows only when the one before it did, so locks are always taken in their order.
 */
const stepsOf = ({ counters, now }: Guess, place: number) => {
  const name = (at: number) => sql.ref(`counter_${place}_${at}`)
  const option = (at: number) => sql.ref(`option_${at}`)
  const keys = sql.join(counters.map(({ key }) => key))
  const isNoneBefore = Array.from(
    { length: place },
    (_, at) => sql` and not exists (select from ${option(at)})`,
  )
  const choice = sql`${option(place)} as (
    select 1 where not exists (select from spent where key in (${keys}))${sql.join(isNoneBefore, sql``)})`
  const grown = counters.map((counter, at) => {
    const isNext = sql`exists (select from ${at === 0 ? option(place) : name(at - 1)})`
    return sql`${name(at)} as (${grow(counter, now, isNext)})`
  })
  return {
    steps: [choice, ...grown],
    results: [
      sql`select null as key, ${place}::integer as place from ${option(place)}`,
      ...counters.map((_, at) => sql`select key, ${place}::integer from ${name(at)}`),
    ],
  }
}

/** One statement: the place of the first guess that had room, the keys of counters that grew, and of those that were full. */
export const count = async (db: Db, guesses: readonly Guess[]) => {
  const all = guesses.flatMap(({ counters, now }) => counters.map((counter) => isSpent(counter, now)))
  const parts = guesses.map(stepsOf)
  const { rows } = await sql<{ key: string | null; place: number | null }>`
    with spent as (select key from security_counters where ${sql.join(all, sql` or `)}),
    ${sql.join(parts.flatMap(({ steps }) => steps))}
    select key, null::integer as place from spent
    union all ${sql.join(
      parts.flatMap(({ results }) => results),
      sql` union all `,
    )}`.execute(db)
  const keys = (isOf: boolean) =>
    rows.flatMap(({ key, place }) => (key !== null && (place === null) === isOf ? [key] : []))
  const chosen = rows.find(({ key }) => key === null)
  return { spent: keys(true), grown: keys(false), place: chosen?.place ?? undefined }
}

export const shrink = async (db: Db, { counters, now }: Guess): Promise<void> => {
  const keys = counters.map(({ key }) => key)
  const starts = counters.map((counter) => windowStart(counter, now))
  await sql`
    update security_counters c set count = c.count - 1
    from (
      select s.key, s.window_start from security_counters s
      join unnest(${keys}::text[], ${starts}::bigint[]) with ordinality given (key, window_start, place)
        on given.key = s.key and given.window_start = s.window_start
      where s.count > 0
      order by given.place for update of s
    ) held
    where c.key = held.key and c.window_start = held.window_start`.execute(db)
}

/** Windows that nobody counts in any more, with room for clocks that differ. */
export const forgetGuesses = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('security_counters')
    .where('window_start', '<=', now - keepSeconds)
    .execute()
}
