import { chromium, type Page } from 'playwright-core'
import { createOperator } from '../../apps/server/core/operators/operators.ts'
import { foldFigures } from '../../apps/server/core/statistics/fold.ts'
import { openDatabase } from '../../apps/server/db/client.ts'
import { browserArgs } from '../../e2e/support/browser.ts'
import { chromiumPath } from '../../test/support/pieces.ts'
import { median, row } from '../report.ts'
import { openBulk, type Seeded, seed } from '../seed.ts'
import { seedYear } from '../statistics/seed.ts'
import { startSallyport, stopTargets } from '../targets.ts'

/** How long an operator waits in a real browser, with as many customers and orders as a large service has. */

export interface ConsoleOptions {
  readonly customers: number
  readonly orders: number
  readonly rounds: number
}

const boundMs = 1500

/** What is opened, and what stands there when it can be used. */
interface Visit {
  readonly name: string
  readonly path: string
  readonly ready: string
}

const visits = (someone: number): readonly Visit[] => [
  { name: 'the front page', path: '/console', ready: 'main .figures' },
  { name: 'customers', path: '/console/customers', ready: 'main tbody tr:nth-child(50)' },
  {
    name: 'customers by balance',
    path: '/console/customers?sort=-balance',
    ready: 'main tbody tr:nth-child(50)',
  },
  {
    name: 'customers whose things end soon',
    path: '/console/customers?view=ending',
    ready: 'main .table, main .empty',
  },
  {
    name: 'customers who paid',
    path: '/console/customers?view=paying',
    ready: 'main tbody tr:nth-child(50)',
  },
  { name: 'search by number', path: `/console/search?for=${someone}`, ready: 'main .facts, main tbody tr' },
  {
    name: 'search by mail',
    path: `/console/search?for=c${someone}@bench.example`,
    ready: 'main .facts, main tbody tr',
  },
  { name: 'a customer', path: `/console/customers/${someone}`, ready: 'main .facts' },
  { name: 'orders', path: '/console/orders', ready: 'main tbody tr:nth-child(50)' },
  { name: 'an order', path: '/console/orders/5000', ready: 'main .facts' },
]

/** From the press until it is there and nothing is drawn any more. */
const waitMs = async (page: Page, origin: string, { path, ready }: Visit): Promise<number> => {
  const startedMs = performance.now()
  await page.goto(`${origin}${path}`, { waitUntil: 'commit' })
  await page
    .locator(ready)
    .first()
    .waitFor()
    .catch(async (error: unknown) => {
      throw new Error(`${path}: ${await page.locator('main').innerText()}`, { cause: error })
    })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return performance.now() - startedMs
}

const linkOf = async (origin: string, token: string): Promise<string> => {
  const answer = await fetch(`${origin}/operator/v1/operators`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Olga', role: 'owner' }),
  })
  const { data } = (await answer.json()) as { data: { sign_in_link: string } }
  return data.sign_in_link.replace('127.0.0.1', 'localhost')
}

const visitAll = async (seeded: Seeded, token: string, { rounds, customers }: ConsoleOptions) => {
  const service = await startSallyport(seeded)
  const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
  try {
    const origin = `http://localhost:${service.port}`
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en' })
    await page.goto(await linkOf(`http://127.0.0.1:${service.port}`, token))
    await page.click('#enter')
    await page.locator('#me').waitFor({ state: 'visible' })
    const found: { readonly name: string; readonly first: number; readonly usual: number }[] = []
    for (const visit of visits(1001 + Math.floor(customers / 2))) {
      const first = await waitMs(page, origin, visit)
      const again: number[] = []
      for (let round = 0; round < rounds; round++) again.push(await waitMs(page, origin, visit))
      found.push({ name: visit.name, first, usual: median(again) })
    }
    return found
  } finally {
    await browser.close()
    await stopTargets([service])
  }
}

export const runConsole = async (
  adminUrl: string,
  options: ConsoleOptions,
  say: (text: string) => void,
): Promise<{ report: string; isGood: boolean }> => {
  const { customers, orders } = options
  const now = Math.floor(Date.now() / 1000)
  say(`Making ${customers} customers and ${orders} orders…`)
  const seeded = await seed(
    adminUrl,
    { customers, active: Math.min(customers, 20_000), configsEach: 5 },
    'console',
  )
  const client = await openBulk(seeded.databaseUrl)
  await seedYear(client, { orders, customers, begins: now - 365 * 86_400 })
  await client.end()
  const { db, close } = await openDatabase({ databaseUrl: seeded.databaseUrl, dataDir: '.' })
  const token = await createOperator(db, { name: 'bench', role: 'owner', now })
  // A service that has been at work all the time is not a year behind with its sums.
  await foldFigures(db, now)
  await close()
  say('Looking…')
  const found = await visitAll(seeded, token, options)
  const slowest = Math.max(...found.map(({ first }) => first))
  const isGood = slowest <= boundMs
  const report = [
    row([`${customers} customers, ${orders} orders`, 'first visit, ms', 'usual, ms']),
    row(['---', '---:', '---:']),
    ...found.map(({ name, first, usual }) => row([name, first.toFixed(0), usual.toFixed(0)])),
    '',
    `The longest wait is ${slowest.toFixed(0)} ms, ${isGood ? 'within' : 'BEYOND'} the ${boundMs} ms wanted.`,
  ].join('\n')
  return { report, isGood }
}
