import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { Bus } from '../apps/server/core/bus.ts'
import { loadDemo } from '../apps/server/core/demo.ts'
import { createOperator } from '../apps/server/core/operators.ts'
import { Vault } from '../apps/server/core/vault.ts'
import { openDatabase } from '../apps/server/db/client.ts'
import { migrate } from '../apps/server/db/migrate.ts'
import { createTestDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/engines.ts'
import { brokenRules } from '../test/support/invariants.ts'
import { postgresql } from '../test/support/pieces.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { seededRandom } from '../test/support/random.ts'
import { readCredentials } from './support/demo.ts'
import { Fleet } from './support/fleet.ts'
import { startLater } from './support/later.ts'
import { type Env, makePlace, type Place } from './support/process.ts'
import { Shop } from './support/shop.ts'
import { addSellingNode, type StandInAgent } from './support/stand-in-agent.ts'

const seed = Number(process.env.SALLYPORT_CRASH_SEED || randomInt(2 ** 32))
const customers = 16
const killsBetweenLooks = 5
const minutes = 60_000

const summaries = [`crash seed ${seed}: SALLYPORT_CRASH_SEED=${seed} makes the same choices again`]
afterAll(() => console.log(summaries.join('\n')))

/** Kills the service once a random number of requests have their answer, and a few milliseconds more. */
const killAmidst = async (fleet: Fleet, shop: Shop, random: () => number): Promise<void> => {
  const reached = Promise.withResolvers<void>()
  const target = Math.floor(random() * shop.size)
  const lateMs = random() * 15
  let answers = 0
  const load = shop.bustle(fleet.url, () => ++answers === target && reached.resolve())
  if (target > 0) await Promise.race([reached.promise, load, sleep(1500)])
  else await sleep(random() * 120)
  await sleep(lateMs)
  await fleet.killCurrent()
  await load
}

/** Moneys that came in twice, or wrong, would show here; nobody sends such. */
const neverHere = {
  'receipts that paid nothing': `select id, verdict from receipts where verdict <> 'accepted'`,
  alerts: 'select kind, subject, details from alerts',
  'failed refunds': `select id, failure from refunds where state = 'failed'`,
}

/** Ten minutes later: everything begun is finished, all jobs have run, and every memory and every book agrees. */
const expectAllInOrder = async (env: Env, shop: Shop, agent: StandInAgent): Promise<void> => {
  const running = await startLater(env)
  try {
    const { url, database } = running
    const query = async (sql: string) =>
      (await database.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
    await agent.beat(url)
    await shop.finish(url)
    let broken: string[] = ['jobs']
    for (let attempt = 0; attempt < 10 && broken.length > 0; attempt++) {
      await running.runJobs()
      broken = await brokenRules(query)
    }
    expect(broken).toEqual([])
    const nowSeconds = running.services.clock.now
    await shop.verify(url, { isAtRest: true, nowSeconds })
    await shop.repeatLast(url)
    await running.runJobs()
    await shop.verify(url, { isAtRest: true, nowSeconds })
    expect(await brokenRules(query)).toEqual([])
    for (const [what, sql] of Object.entries(neverHere)) expect(await query(sql), what).toEqual([])
  } finally {
    await running.stop()
  }
}

interface Crashing {
  readonly engine: string
  readonly place: Place
  readonly kills: number
  /** Processes that stand ready to take over. */
  readonly spares: number
  readonly operatorTokenOf: () => string
}

const crashAgainAndAgain = async (at: Crashing): Promise<void> => {
  const random = seededRandom(seed)
  const fleet = await Fleet.start(at.place, at.spares)
  const operatorToken = at.operatorTokenOf()
  const agent = await addSellingNode(fleet.url, operatorToken)
  const shop = await Shop.open({ url: fleet.url, operatorToken, seed }, customers)
  for (let round = 1; round <= at.kills; round++) {
    await agent.beat(fleet.url)
    await killAmidst(fleet, shop, random)
    await fleet.takeOver()
    shop.meetNewService()
    if (round % killsBetweenLooks > 0) continue
    await agent.beat(fleet.url)
    await shop.repeat(fleet.url)
    await shop.verify(fleet.url)
  }
  await fleet.terminate()
  await expectAllInOrder(at.place.env, shop, agent)
  summaries.push(`${at.engine}: ${at.kills} kills; ${shop.summary}`)
  expect(shop.refusals.map((answer) => answer.body)).toEqual([])
  expect(
    shop.found((kind) => kind === 'purchase'),
    'purchases kept and not heard of',
  ).toBeGreaterThan(0)
  const links = shop.found((kind) => kind.endsWith('by link')) + shop.continuedLinks
  expect(links, 'links made and not heard of').toBeGreaterThan(0)
  expect(
    shop.found((kind) => kind === 'payment'),
    'payments made and not heard of',
  ).toBeGreaterThan(0)
}

/** Production has no demo: here the catalogue is loaded for it, and its first operator made. */
const fillPostgres = async (databaseUrl: string, secretKey: string): Promise<string> => {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(database)
  const { db } = database
  const now = Math.floor(Date.now() / 1000)
  const vault = new Vault(Buffer.from(secretKey, 'base64'))
  const address = '127.0.0.1'
  await loadDemo({ db, vault, bus: new Bus(), now, address, listenAddress: address })
  const token = await createOperator(db, { name: 'crash', role: 'owner', now })
  await database.close()
  return token
}

const secretKey = randomBytes(32).toString('base64')
const productionEnv = (databaseUrl: string): Env => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: secretKey,
  SANDBOX_PAYMENTS: 'on',
})

describe.concurrent('kill -9 loses nothing that was answered, and repeats have one effect', () => {
  test('embedded', { timeout: 5 * minutes }, async ({ onTestFinished: onEnd }: TestContext) => {
    const place = await makePlace({ onEnd })
    const operatorTokenOf = () => readCredentials(place.dataDir).operator_token
    await crashAgainAndAgain({ engine: 'embedded', place, kills: 50, spares: 0, operatorTokenOf })
  })

  describeWith(postgresql, 'with PostgreSQL', () => {
    test('PostgreSQL', { timeout: 5 * minutes }, async ({ onTestFinished: onEnd }: TestContext) => {
      const { databaseUrl = '', remove } = await createTestDatabase('postgres')
      onEnd(remove)
      const operatorToken = await fillPostgres(databaseUrl, secretKey)
      const place = await makePlace({ env: productionEnv(databaseUrl), onEnd })
      const operatorTokenOf = () => operatorToken
      await crashAgainAndAgain({ engine: 'PostgreSQL', place, kills: 55, spares: 2, operatorTokenOf })
    })
  })
})
