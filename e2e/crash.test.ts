import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
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
import { makePlace, type Place, type ServiceProcess } from './support/process.ts'
import { Shop } from './support/shop.ts'
import { addSellingNode } from './support/stand-in-agent.ts'

const seed = Number(process.env.SALLYPORT_CRASH_SEED || randomInt(2 ** 32))
const kills = 20
const customers = 24
/** Purchases begin spread over this time, so that a kill finds some before, some within and some after. */
const spreadMs = 120

const summaries: string[] = []
const summarise = (engine: string, crashes: string, shop: Shop) =>
  summaries.push(
    `${engine}: ${crashes}, ${shop.acknowledged} purchases acknowledged, ${shop.retried} retried ` +
      `(${shop.replayed} had been kept), ${shop.lost} lost, seed ${seed}`,
  )
afterAll(() => console.log(summaries.join('\n')))

const expectSoundBooks = async (at: { databaseUrl?: string | undefined; dataDir: string }, shop: Shop) => {
  const database = await openDatabase(at)
  try {
    const query = async (sql: string) =>
      (await database.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
    expect(await brokenRules(query)).toEqual([])
    const [bought] = await query('select count(*)::int as count from configs')
    expect(bought?.count).toBe(shop.acknowledged)
  } finally {
    await database.close()
  }
}

/** Kills the service once a random number of its customers have their answer, and a few milliseconds more. */
const killDuringPurchases = async (service: ServiceProcess, shop: Shop, random: () => number) => {
  const reached = Promise.withResolvers<void>()
  const target = Math.floor(random() * shop.size)
  const lateMs = random() * 15
  let answers = 0
  const load = shop.buyAll(service.url, spreadMs, () => ++answers === target && reached.resolve())
  if (target > 0) await Promise.race([reached.promise, load])
  else await sleep(random() * spreadMs)
  await sleep(lateMs)
  await service.kill()
  await load
}

const crashAgainAndAgain = async (
  place: Place,
  operatorTokenOf: () => string,
  engine: string,
): Promise<Shop> => {
  const random = seededRandom(seed)
  let service = await place.start()
  const operatorToken = operatorTokenOf()
  const agent = await addSellingNode(service.url, operatorToken)
  const shop = await Shop.open({ url: service.url, operatorToken, random }, customers)
  for (let round = 0; round < kills; round++) {
    await agent.beat(service.url)
    await killDuringPurchases(service, shop, random)
    service = await place.start()
    await agent.beat(service.url)
    await shop.verify(service.url)
  }
  await shop.settle(service.url)
  await sleep(1100)
  await shop.replayAll(service.url)
  await shop.verify(service.url)
  expect(shop.refusals).toEqual([])
  expect(shop.replayed, 'answers were lost after the purchase was kept').toBeGreaterThan(0)
  expect(await service.terminate()).toEqual({ code: 0, signal: null })
  summarise(engine, `${kills} kills`, shop)
  return shop
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

const minutes = 60_000

test('kill -9 during purchases loses no acknowledged purchase (embedded)', {
  timeout: 5 * minutes,
}, async () => {
  const place = await makePlace()
  const operatorToken = () =>
    JSON.parse(readFileSync(join(place.dataDir, 'credentials.json'), 'utf8')).operator_token as string
  const shop = await crashAgainAndAgain(place, operatorToken, 'embedded')
  await expectSoundBooks({ dataDir: place.dataDir }, shop)
})

describeWith(postgresql, 'with PostgreSQL', () => {
  const secretKey = randomBytes(32).toString('base64')

  test('kill -9 during purchases loses no acknowledged purchase', { timeout: 5 * minutes }, async () => {
    const { databaseUrl, dataDir, remove } = await createTestDatabase('postgres')
    onTestFinished(remove)
    const operatorToken = await fillPostgres(databaseUrl ?? '', secretKey)
    const place = await makePlace({ env: { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey } })
    const shop = await crashAgainAndAgain(place, () => operatorToken, 'PostgreSQL')
    await expectSoundBooks({ databaseUrl, dataDir }, shop)
  })

  /** A backend that dies makes PostgreSQL drop every connection and recover from its log, as after a crash. */
  const crashPostgres = async (url: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
    )
    process.kill(rows[0]?.pid as number, 'SIGKILL')
    await client.end().catch(() => undefined)
  }

  test('a crash of PostgreSQL loses none either, and the service outlives it', async () => {
    const cluster = await startPostgres()
    if (!cluster) throw new Error('PostgreSQL was found but did not start')
    onTestFinished(cluster.stop)
    // The test cluster answers before it has written; production does not, and here it must not.
    const databaseUrl = `${cluster.url}?options=-c%20synchronous_commit%3Don`
    const operatorToken = await fillPostgres(databaseUrl, secretKey)
    const place = await makePlace({ env: { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey } })
    const service = await place.start()
    const random = seededRandom(seed)
    const agent = await addSellingNode(service.url, operatorToken)
    const shop = await Shop.open({ url: service.url, operatorToken, random }, customers)
    const crashes = 3
    for (let round = 0; round < crashes; round++) {
      await agent.beat(service.url)
      const load = shop.buyAll(service.url, spreadMs)
      await sleep(random() * spreadMs)
      await crashPostgres(cluster.url)
      await load
      const crashedMs = service.ageMs
      await service.untilReady(crashedMs + 10_000)
      await sleep(1100)
      await shop.settle(service.url)
      await shop.verify(service.url)
      await sleep(1100)
    }
    const statuses = new Set(shop.refusals.map((answer) => `${answer.status} ${answer.body.message}`))
    const failures = new Set(service.output.match(/"message":"[^"]*"/g))
    const others = [...statuses].filter((status) => status !== '503 UNAVAILABLE')
    expect(others, `the service logged ${[...failures].join(', ')}`).toEqual([])
    expect(service.isRunning).toBe(true)
    expect(await service.terminate()).toEqual({ code: 0, signal: null })
    summarise('PostgreSQL itself', `${crashes} crashes`, shop)
    await expectSoundBooks({ databaseUrl, dataDir: place.dataDir }, shop)
  })
})
