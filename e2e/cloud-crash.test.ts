import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CompiledQuery } from 'kysely'
import { afterAll, describe, expect, inject, type TestContext, test } from 'vitest'
import type { Db } from '../apps/server/db/client.ts'
import { sellMachines } from '../test/support/clouds/sold-machines.ts'
import { createTestDatabase, patiently } from '../test/support/databases/database.ts'
import { brokenRules } from '../test/support/databases/invariants.ts'
import { fillPostgres } from '../test/support/databases/production.ts'
import { describeWith } from '../test/support/engines/engines.ts'
import { openPlaceDatabase } from '../test/support/in-process.ts'
import { postgresql } from '../test/support/pieces.ts'
import { seededRandom } from '../test/support/random.ts'
import { Crew } from './support/clouds/crew.ts'
import { Estate } from './support/clouds/estate.ts'
import { sinceSetting } from './support/clouds/pace.ts'
import { chooseMoment, stirUp } from './support/clouds/trouble.ts'
import {
  type Ends,
  expectRightEnds,
  expectRightMoney,
  listMachines,
  listOrders,
} from './support/clouds/verdict.ts'
import { readCredentials } from './support/demo.ts'
import { makePlace, type Place } from './support/process.ts'

const seed = Number(process.env.SALLYPORT_CRASH_SEED || randomInt(2 ** 32))
/** How many times as long as usual; before a release 5 is a good number. */
const times = Number(process.env.SALLYPORT_CRASH_TIMES || 1)
const customers = 8
const timeout = times * 30 * 60_000
const mostDoubles = 2 * times
const hurry = ['--import', fileURLToPath(new URL('./support/clouds/hurry.ts', import.meta.url))]

const summaries = [`cloud crash seed ${seed}; SALLYPORT_CRASH_SEED=${seed} makes the same choices`]
afterAll(() => console.log(summaries.join('\n')))

interface Stage {
  readonly place: Place
  readonly operatorTokenOf: () => string
  readonly secretKey: string
  readonly sinceMs: number
  readonly processes: number
  /** When the moment does not come, any will do. */
  readonly momentWithinMs: number
  /** How often something lapses while a process is dead. */
  readonly lapses: number
  /** While a process is dead: the database, where it can be had. */
  readonly withDatabase: (work: (db: Db) => Promise<void>) => Promise<void>
}

/** Kills whoever comes to a moment that is chosen now. Returns what they were at. */
const killOnce = async (
  crew: Crew,
  estate: Estate,
  momentWithinMs: number,
  random: () => number,
): Promise<string> => {
  const moment = chooseMoment(random)
  const victim = Math.floor(random() * 2)
  const killed = Promise.withResolvers<string>()
  let isOver = false
  /** As soon as one is alive: an earlier moment may have come late, and taken the last of them. */
  const killAny = async (what: string): Promise<void> => {
    await crew.url(() => 0)
    if (isOver) return
    const { names } = crew
    if (crew.kill(names[victim % names.length] ?? '')) killed.resolve(what)
    else await killAny(what)
  }
  const begin = (what: string) => void killAny(what).catch(killed.reject)
  let disarm = (): void => undefined
  if ('when' in moment) {
    disarm = estate.gate.arm(moment, (name) => {
      if (crew.kill(name)) killed.resolve(moment.asked)
    })
  } else if (moment.asked === 'enrolment') {
    estate.agents.onEnrolled = () => {
      estate.agents.onEnrolled = () => undefined
      setTimeout(begin, moment.lateMs, 'enrolment')
    }
  }
  const timer = setTimeout(
    begin,
    moment.asked === 'anything' ? 500 + moment.lateMs * 50 : momentWithinMs,
    'anything',
  )
  const what = await killed.promise
  isOver = true
  clearTimeout(timer)
  disarm()
  estate.agents.onEnrolled = () => undefined
  return what
}

const prepare = async (stage: Stage, estate: Estate): Promise<void> => {
  const { place } = stage
  const service = await place.start(estate.gate.settingsOf('first'))
  await estate.addBuyers(service.url, stage.operatorTokenOf(), customers, seed)
  expect(await service.terminate()).toEqual({ code: 0, signal: null })
  await stage.withDatabase((db) => sellMachines(db, stage.secretKey, estate.now()))
}

interface Counts {
  readonly killedAt: Map<string, number>
  ends: Ends
}

const killAgainAndAgain = async (
  crew: Crew,
  estate: Estate,
  momentWithinMs: number,
  kills: number,
): Promise<Map<string, number>> => {
  const random = seededRandom(seed)
  const killedAt = new Map<string, number>()
  let isOver = false
  const load = estate.bustle(
    (dice) => crew.url(dice),
    () => isOver,
  )
  for (let kill = 0; kill < kills; kill++) {
    stirUp(estate.clouds, random, kill % 6 === 3)
    const what = await killOnce(crew, estate, momentWithinMs, random)
    killedAt.set(what, (killedAt.get(what) ?? 0) + 1)
    // Others go on meanwhile, where there are any.
    await Promise.race([crew.url(random), load])
    await sleep(random() * 500)
  }
  isOver = true
  await load
  return killedAt
}

/** Everything begun is finished, nothing is there twice, and every memory, every book and every provider agrees. */
const expectAllInOrder = async (stage: Stage, estate: Estate, calm: { url: string }): Promise<Ends> => {
  const running = await estate.startCalm(stage.place)
  calm.url = running.url
  const { url, database, services } = running
  const { db } = database
  const query = async (sql: string) =>
    (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
  const look = async (): Promise<Ends> => {
    await estate.comeToRest(running)
    // First, for what was refused without a reason explains what the books say.
    expect(estate.buyers.flatMap((buyer) => buyer.unexpected)).toEqual([])
    expect(await brokenRules(query)).toEqual([])
    await expectRightMoney(url, estate.buyers, await listOrders(db))
    const at = { isLapsed: (item: number) => estate.lapsed.has(item), now: services.clock.now() }
    return expectRightEnds(await listMachines(db), estate.present(), at)
  }
  try {
    await look()
    // Also what ends when nothing else happens any more.
    await estate.lapse(db, seededRandom(seed + 2))
    const ends = await look()
    const refunded = (await listMachines(db)).filter((row) => row.order_state === 'refunded')
    const ids = new Set(refunded.map((row) => row.id))
    for (const buyer of estate.buyers) {
      await buyer.repeatAll(url)
      await buyer.useAgain(url, ids)
    }
    await look()
    return ends
  } finally {
    await running.stop()
  }
}

const summaryOf = (engine: string, estate: Estate, { killedAt, ends }: Counts): string => {
  const made = estate.clouds.flatMap((cloud) => cloud.machines())
  const orders = new Set(made.map(({ name }) => name))
  const retried = estate.buyers.reduce((sum, buyer) => sum + buyer.retried, 0)
  const done = estate.buyers.flatMap(({ deals }) => deals.filter(({ outcome }) => outcome === 'done'))
  const kinds = Map.groupBy(done, ({ kind }) => kind)
  const late = done.filter(({ settled }) => settled === 'late').length
  const listed = (counts: Iterable<[string, number]>) =>
    [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
  const kills = [...killedAt.values()].reduce((sum, count) => sum + count, 0)
  return [
    `${engine}: ${kills} kills (${listed(killedAt)})`,
    `acknowledged: ${listed([...kinds].map(([kind, deals]) => [kind, deals.length]))}; ${retried} retried, ${late} too late to pay`,
    `${made.length} machines made for ${orders.size} orders, ${made.length - orders.size} of them in place of others, ${estate.agents.doubles} doubles, all removed`,
    `${estate.agents.enrolled} enrolled; in the end ${listed(Object.entries(ends))}`,
  ].join('; ')
}

const crashAgainAndAgain = async (
  engine: string,
  stage: Stage,
  kills: number,
  onEnd: TestContext['onTestFinished'],
): Promise<void> => {
  const started = performance.now()
  const calm = { url: '' }
  let crew: Crew | undefined
  const random = seededRandom(seed + 1)
  const estate = await Estate.open(stage.sinceMs, async () => calm.url || (crew?.url(random) ?? ''))
  onEnd(() => estate.close())
  await prepare(stage, estate)
  const whenDead = async () => {
    if (random() < stage.lapses) await stage.withDatabase((db) => estate.lapse(db, random))
  }
  crew = await Crew.start(stage.place, estate.gate, { size: stage.processes, whenDead })
  const killedAt = await killAgainAndAgain(crew, estate, stage.momentWithinMs, kills)
  const killed = performance.now()
  await crew.terminate()
  const ends = await expectAllInOrder(stage, estate, calm)
  const seconds = [killed - started, performance.now() - killed].map((ms) => Math.round(ms / 1000))
  summaries.push(`${summaryOf(engine, estate, { killedAt, ends })}; ${seconds.join(' s, and to rest ')} s`)
  // A process that is held up for longer than its lease may make one; whoever asks before looking makes many.
  expect(estate.agents.doubles, 'doubles').toBeLessThanOrEqual(mostDoubles)
  expect(ends.live).toBeGreaterThan(0)
  expect(ends.ended + ends.refunded).toBeGreaterThan(0)
  await estate.close()
}

const settingsAt = (sinceMs: number, secretKey: string) => ({
  SECRET_KEY: secretKey,
  SANDBOX_PAYMENTS: 'on',
  [sinceSetting]: String(sinceMs),
})

describe.concurrent('what was paid for is there once, or the money is back', () => {
  test('after kill -9, embedded', { timeout }, async ({ onTestFinished: onEnd }: TestContext) => {
    const [secretKey, sinceMs] = [randomBytes(32).toString('base64'), Date.now()]
    const place = await makePlace({
      env: settingsAt(sinceMs, secretKey),
      databaseCopyOf: inject('embeddedTemplates').empty,
      nodeFlags: ['--liftoff-only', ...hurry],
      onEnd,
    })
    const operatorTokenOf = () => readCredentials(place.dataDir).operator_token
    const withDatabase: Stage['withDatabase'] = async (work) => {
      const database = await openPlaceDatabase(place)
      await work(database.db).finally(() => database.close())
    }
    const pace = { processes: 1, momentWithinMs: 4000, lapses: 0.4 }
    const stage = { place, operatorTokenOf, secretKey, sinceMs, ...pace, withDatabase }
    await crashAgainAndAgain('embedded', stage, Math.ceil(20 * times), onEnd)
  })

  describeWith(postgresql, 'with PostgreSQL', () => {
    test('after kill -9', { timeout }, async ({ onTestFinished: onEnd }: TestContext) => {
      const { databaseUrl = '', remove } = await createTestDatabase('postgres')
      onEnd(remove)
      const [secretKey, sinceMs] = [randomBytes(32).toString('base64'), Date.now()]
      const operatorToken = await fillPostgres(databaseUrl, secretKey)
      const env = { ...settingsAt(sinceMs, secretKey), DATABASE_URL: patiently(databaseUrl) }
      const place = await makePlace({ env, nodeFlags: hurry, onEnd })
      const database = await openPlaceDatabase(place)
      onEnd(() => database.close())
      const withDatabase: Stage['withDatabase'] = (work) => work(database.db)
      const operatorTokenOf = () => operatorToken
      const pace = { processes: 2, momentWithinMs: 1500, lapses: 1 }
      const stage = { place, operatorTokenOf, secretKey, sinceMs, ...pace, withDatabase }
      await crashAgainAndAgain('PostgreSQL', stage, Math.ceil(50 * times), onEnd)
    })
  })
})
