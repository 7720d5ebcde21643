import { isDeepStrictEqual } from 'node:util'
import { findDifferences } from '../../../apps/server/core/statistics/check.ts'
import { everyRollup } from '../../../apps/server/core/statistics/facts.ts'
import { foldFigures, forgetSums } from '../../../apps/server/core/statistics/fold.ts'
import { inTransaction } from '../../../apps/server/db/client.ts'
import type { World } from '../world.ts'

/** What the operator is shown of the year is what the ledger and the orders say. */

const hourSeconds = 3600

const sumsOf = async ({ service }: World): Promise<unknown[]> => {
  const sums: unknown[] = []
  for (const { table } of everyRollup) {
    const rows = service.db.selectFrom(table).selectAll()
    sums.push(await rows.orderBy('step').orderBy('dimension').orderBy('at').orderBy('value').execute())
  }
  return sums
}

const statistics = [
  'sales',
  'sales?by=product',
  'sales?by=method',
  'sales?by=location',
  'customers',
  'traffic',
]

/** A year by months, as the operator asks for it. */
const answersOf = (world: World): Promise<unknown[]> =>
  Promise.all(
    statistics.map(async (path) => {
      const from = world.now() - 400 * 24 * hourSeconds
      const query = `${path.includes('?') ? '&' : '?'}step=month&from=${from}`
      return (await world.operator('GET', `/statistics/${path}${query}`)).data
    }),
  )

export const checkFigures = async (world: World): Promise<string[]> => {
  const { db } = world.service
  // By then everything is old enough to be in the sums, and no hour is half over.
  const later = world.now() + 2 * hourSeconds
  await foldFigures(db, later)
  const found = await inTransaction(db, (tx) => findDifferences(tx, later))
  const problems = found.map((difference) => JSON.stringify(difference))
  const ledger = (await world.operator('GET', '/ledger/check')).data
  if (ledger.imbalance !== 0) problems.push(`the ledger is out of balance by ${ledger.imbalance}`)
  const [kept, answers] = [await sumsOf(world), await answersOf(world)]
  await inTransaction(db, forgetSums)
  if (!isDeepStrictEqual(await answersOf(world), answers)) problems.push('facts alone say something else')
  await foldFigures(db, later)
  if (!isDeepStrictEqual(await sumsOf(world), kept)) problems.push('made anew, the sums are others')
  return problems
}
