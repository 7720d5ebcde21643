import pg from 'pg'
import { allowLongStatements } from '../../apps/server/core/kernel/jobs.ts'
import { createOperator } from '../../apps/server/core/operators/operators.ts'
import { findDifferences } from '../../apps/server/core/statistics/check.ts'
import { foldFigures } from '../../apps/server/core/statistics/fold.ts'
import { inTransaction, openDatabase } from '../../apps/server/db/client.ts'
import { median, percentile, row } from '../report.ts'
import { openBulk, type Seeded, seed } from '../seed.ts'
import { startSallyport, stopTargets } from '../targets.ts'
import { seedYear } from './seed.ts'

/** What figures cost that people wait for: a year by days over a million orders, beside the bare query of the same rows. */

export interface StatisticsOptions {
  readonly orders: number
  readonly customers: number
  readonly requests: number
}

const boundMs = 50
const day = 86_400

interface Asked {
  readonly name: string
  readonly path: string
  /** The same rows without the product; nothing where there is no such query. */
  readonly bare?: { readonly dimension: string; readonly table: string }
}

const questions = (from: number): readonly Asked[] => {
  const year = `step=day&from=${from}`
  const of = (name: string, path: string, table: string, dimension: string): Asked => ({
    name,
    path,
    bare: { table, dimension },
  })
  return [
    of('sales, a year by days', `/statistics/sales?${year}`, 'sales_rollup', 'all'),
    ...['product', 'method', 'location'].map((by) =>
      of(`the same by ${by}`, `/statistics/sales?${year}&by=${by}`, 'sales_rollup', by),
    ),
    of('customers, a year by days', `/statistics/customers?${year}`, 'customer_rollup', 'all'),
    of('traffic by location', `/statistics/traffic?${year}&by=location`, 'traffic_rollup', 'location'),
    of('fleet, a year by days', `/statistics/fleet?${year}`, 'fleet_rollup', 'all'),
    { name: 'the front page', path: '/overview' },
    { name: 'orders', path: '/orders' },
    { name: 'refunded orders', path: '/orders?state=refunded' },
    { name: 'orders of a rare product and state', path: '/orders?product_type=cloud_servers&state=created' },
    { name: 'one order', path: '/orders/5000' },
    { name: 'transfers of revenue', path: '/ledger?account=revenue' },
    { name: 'transfers of a customer', path: '/ledger?account=user:1500:wallet' },
    { name: 'transfers by cause', path: '/ledger?cause=order:77777:' },
  ]
}

const timed = async (requests: number, ask: () => Promise<unknown>): Promise<Float64Array> => {
  for (let warm = 0; warm < 5; warm++) await ask()
  const took = new Float64Array(requests)
  for (let n = 0; n < requests; n++) {
    const startedMs = performance.now()
    await ask()
    took[n] = performance.now() - startedMs
  }
  return took.sort()
}

const askOf = (origin: string, token: string, path: string) => async () => {
  const response = await fetch(`${origin}/operator/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${text.slice(0, 200)}`)
}

/** Prepared, and as JSON: as quick as it can be had. */
const bareOf =
  (client: pg.Client, { table, dimension }: NonNullable<Asked['bare']>, from: number) =>
  async () => {
    const { rows } = await client.query({
      name: `${table}-${dimension}`,
      text: `select * from ${table} where step = 'day' and dimension = $1 and at >= $2 order by at`,
      values: [dimension, from],
    })
    JSON.stringify(rows)
  }

const fold = async (databaseUrl: string, now: number): Promise<string[]> => {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '.' })
  const since = (startedMs: number) => `${((performance.now() - startedMs) / 1000).toFixed(2)} s`
  try {
    let startedMs = performance.now()
    await foldFigures(db, now)
    const all = since(startedMs)
    startedMs = performance.now()
    await foldFigures(db, now + 60)
    const again = since(startedMs)
    startedMs = performance.now()
    const found = await inTransaction(db, async (tx) => {
      await allowLongStatements(tx)
      return findDifferences(tx, now - (now % 3600))
    })
    return [
      `Sums of everything from the beginning: ${all}; a round: ${again}; the check: ${since(startedMs)}.`,
      ...found.map((difference) => `DIFFERENCE: ${JSON.stringify(difference)}`),
    ]
  } finally {
    await close()
  }
}

const measureAll = async (seeded: Seeded, token: string, from: number, requests: number) => {
  const service = await startSallyport(seeded)
  const client = new pg.Client({ connectionString: seeded.databaseUrl })
  await client.connect()
  const lines: string[] = []
  let slowest = 0
  try {
    for (const { name, path, bare } of questions(from)) {
      const took = await timed(requests, askOf(`http://127.0.0.1:${service.port}`, token, path))
      const baseline = bare && median([...(await timed(requests, bareOf(client, bare, from)))])
      const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)]
      if (path.startsWith('/statistics')) slowest = Math.max(slowest, p50)
      const ratio = baseline === undefined ? '–' : (p50 / baseline).toFixed(1)
      lines.push(row([name, p50.toFixed(1), p99.toFixed(1), baseline?.toFixed(1) ?? '–', ratio]))
    }
  } finally {
    await client.end()
    await stopTargets([service])
  }
  return { lines, slowest }
}

export const runStatistics = async (
  adminUrl: string,
  { orders, customers, requests }: StatisticsOptions,
  say: (text: string) => void,
): Promise<{ report: string; isGood: boolean }> => {
  const now = Math.floor(Date.now() / 1000)
  const begins = now - 365 * day
  say(`Making ${orders} orders of ${customers} customers in a year…`)
  const seeded = await seed(adminUrl, { customers, active: 100, configsEach: 1 }, 'statistics')
  const client = await openBulk(seeded.databaseUrl)
  await seedYear(client, { orders, customers, begins })
  await client.end()
  say('Folding…')
  const folded = await fold(seeded.databaseUrl, now)
  const { db, close } = await openDatabase({ databaseUrl: seeded.databaseUrl, dataDir: '.' })
  const token = await createOperator(db, { name: 'bench', role: 'owner', now })
  await close()
  say('Asking…')
  const { lines, slowest } = await measureAll(seeded, token, begins, requests)
  const isGood = slowest <= boundMs && folded.length === 1
  const report = [
    ...folded,
    '',
    row([`${orders} orders`, 'p50 ms', 'p99 ms', 'bare query ms', 'ratio']),
    row(['---', '---:', '---:', '---:', '---:']),
    ...lines,
    '',
    `The slowest of the statistics takes ${slowest.toFixed(1)} ms, ${slowest <= boundMs ? 'within' : 'BEYOND'} the ${boundMs} ms wanted.`,
  ].join('\n')
  return { report, isGood }
}
