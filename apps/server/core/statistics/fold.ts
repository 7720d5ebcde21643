import { nextStart, type Step, startOf, startsBetween } from '@sallyport/domain/time/local-time'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { allowLongStatements, type Job, type Progress } from '../kernel/jobs.ts'
import { readSettings } from '../kernel/settings.ts'
import { bucketOf, everyRollup, type Rollup, summed } from './facts.ts'
import { look } from './looks.ts'
import { apartSeconds, restAfter, takeTurn } from './turns.ts'

/**
 * Sums that are kept. Each round counts the last hours again, and the first of an hour the last two days, so that what was
 * written late is in them; from the beginning it comes to the same. What is newer than the last round whoever reads counts for
 * themselves.
 */

/** What is written a little later than it says is counted by the next round. */
const settledAfterSeconds = 5
const againSeconds = 2 * 3600
/** Once an hour: what says that it was earlier than it was written, such as the end of what nobody looked at. */
const longAgainSeconds = 2 * 86_400
/** Of one transaction. */
const chunkSeconds = 31 * 86_400

export interface FiguresState {
  readonly zone: string | null
  /** Everything before this moment is in the sums; null where nothing is. */
  readonly folded_to: number | null
}

const steps: readonly Step[] = ['hour', 'day', 'month']

const foldHours = async (tx: Db, rollup: Rollup, from: number, to: number, zone: string): Promise<void> => {
  const starts = startsBetween(from, to, zone, 'hour')
  const names = sql.join(Object.keys(rollup.measures).map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(rollup.table)} (step, dimension, at, value, ${names})
    select 'hour', f.dimension, ${bucketOf(sql`f.at`, starts)}, f.value, ${summed(rollup, 'f')}
    from (${rollup.facts({ from, to })}) f group by 1, 2, 3, 4`.execute(tx)
}

const foldLonger = async (
  tx: Db,
  rollup: Rollup,
  span: { readonly from: number; readonly to: number; readonly zone: string },
  [shorter, longer]: readonly [Step, Step],
): Promise<void> => {
  const from = startOf(span.from, span.zone, longer)
  const starts = startsBetween(from, span.to, span.zone, longer)
  const names = sql.join(Object.keys(rollup.measures).map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(rollup.table)} (step, dimension, at, value, ${names})
    select ${longer}::text, f.dimension, ${bucketOf(sql`f.at`, starts)}, f.value, ${summed(rollup, 'f')}
    from ${sql.table(rollup.table)} f where f.step = ${shorter} and f.at >= ${from}::bigint group by 1, 2, 3, 4`.execute(
    tx,
  )
}

const forget = async (tx: Db, { table }: Rollup, from: number, zone: string): Promise<void> => {
  for (const step of steps) {
    await sql`delete from ${sql.table(table)}
      where step = ${step} and at >= ${startOf(from, zone, step)}::bigint`.execute(tx)
  }
}

const foldSpan = async (tx: Db, from: number, to: number, zone: string): Promise<void> => {
  for (const rollup of everyRollup) {
    await forget(tx, rollup, from, zone)
    if (to <= from) continue
    await foldHours(tx, rollup, from, to, zone)
    await foldLonger(tx, rollup, { from, to, zone }, ['hour', 'day'])
    await foldLonger(tx, rollup, { from, to, zone }, ['day', 'month'])
  }
}

const findEarliest = async (tx: Db): Promise<number | null> => {
  const { rows } = await sql<{ at: number | null }>`
    select min(at) as at from (${sql.join(
      everyRollup.map(({ earliest }) => earliest),
      sql` union all `,
    )}) first`.execute(tx)
  return rows[0]?.at ?? null
}

/** Whose turn it is; undefined while somebody else is at it. */
export const lockState = async (
  tx: Db,
): Promise<(FiguresState & { checked_at: number | null }) | undefined> => {
  const { rows } = await sql<FiguresState & { checked_at: number | null }>`
    select zone, folded_to, checked_at from figures_state for update skip locked`.execute(tx)
  return rows[0]
}

export const readState = async (db: Db): Promise<FiguresState> => {
  const state = await db.selectFrom('figures_state').select(['zone', 'folded_to']).executeTakeFirst()
  return state ?? { zone: null, folded_to: null }
}

/** Forgets all sums: the next rounds make them anew. */
export const forgetSums = async (tx: Db): Promise<void> => {
  for (const { table } of everyRollup) await sql`delete from ${sql.table(table)}`.execute(tx)
  await tx.updateTable('figures_state').set({ folded_to: null }).execute()
}

/** One step towards now; true when there is none left, or somebody else takes them. */
const foldOnce = async (tx: Db, now: number): Promise<boolean> => {
  const state = await lockState(tx)
  if (!state) return true
  await allowLongStatements(tx)
  const { time_zone: zone } = await readSettings(tx)
  const isAsBefore = state.zone === zone && state.folded_to !== null
  if (!isAsBefore) await forgetSums(tx)
  const known = isAsBefore ? (state.folded_to as number) : ((await findEarliest(tx)) ?? now)
  const isSameHour = startOf(known, zone, 'hour') === startOf(now - settledAfterSeconds, zone, 'hour')
  const again = isSameHour ? againSeconds : longAgainSeconds
  const from = startOf(isAsBefore ? known - again : known, zone, 'hour')
  const until = Math.max(now - settledAfterSeconds, isAsBefore ? known : from)
  const to = Math.min(until, nextStart(known + chunkSeconds, zone, 'day'))
  await foldSpan(tx, from, to, zone)
  await tx.updateTable('figures_state').set({ zone, folded_to: to }).execute()
  return to >= until
}

/** Brings the sums up to now. */
export const foldFigures = async (db: Db, now: number, progress?: Progress): Promise<void> => {
  while (!(await inTransaction(db, (tx) => foldOnce(tx, now)))) progress?.()
}

/** Not while what another instance has done is less than a round old, unless days are those of another zone since. */
const isFoldDue = async (db: Db, now: number): Promise<boolean> => {
  const { zone, folded_to: to } = await readState(db)
  const { time_zone } = await readSettings(db)
  return zone !== time_zone || to === null || to > now || to <= now - apartSeconds
}

export const foldFiguresJob: Job<{ readonly db: Db }> = {
  name: 'fold figures',
  everySeconds: 60,
  run: async ({ db }, now, progress) => {
    if (await takeTurn(db, now)) {
      const beganMs = performance.now()
      await look(db, now)
      await restAfter(db, now, (performance.now() - beganMs) / 1000)
    }
    progress()
    if (await isFoldDue(db, now)) await foldFigures(db, now, progress)
  },
}
