import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, inject, type TestContext, test } from 'vitest'
import { createTestDatabase, patiently } from '../test/support/databases/database.ts'
import { startPostgres } from '../test/support/databases/postgres.ts'
import { fillPostgres } from '../test/support/databases/production.ts'
import { describeWith } from '../test/support/engines/engines.ts'
import { postgresFolder, postgresql } from '../test/support/pieces.ts'
import { seededRandom } from '../test/support/random.ts'
import { optionPriceRub, tariff } from './support/deals.ts'
import { readCredentials } from './support/demo.ts'
import { Fleet } from './support/fleet.ts'
import { makePlace, type Place, type ServiceProcess } from './support/process.ts'
import { expectAllInOrder } from './support/proofs/in-order.ts'
import { atOnce, byLink, Shop } from './support/shop.ts'
import { addSellingNodes, type StandInAgent } from './support/stand-in-agent.ts'

const seed = Number(process.env.SALLYPORT_CRASH_SEED || randomInt(2 ** 32))
/** Of each database; 200 is what is promised, and takes a quarter of an hour. */
const kills = Number(process.env.SALLYPORT_CRASH_KILLS || 0)
const customers = 10
const killsBetweenLooks = 7
const refundsEveryMs = 10_000
const timeout = (kills > 0 ? 120 : 30) * 60_000

const summaries = [`crash seed ${seed}; SALLYPORT_CRASH_SEED=${seed} makes the same choices`]
afterAll(() => console.log(summaries.join('\n')))

/** Once so many requests have their answer, or no more come: some wait for a link that a dead process was making. */
const untilAnswered = async (target: number, bustle: (onAnswer: () => void) => Promise<void>) => {
  const enough = Promise.withResolvers<void>()
  let answers = 0
  let silence = setTimeout(enough.resolve, 1500)
  const load = bustle(() => {
    clearTimeout(silence)
    silence = setTimeout(enough.resolve, 500)
    if (++answers >= target) enough.resolve()
  })
  await Promise.race([enough.promise, load])
  clearTimeout(silence)
  return { load }
}

/** Kills the service once a random number of requests have their answer, and a few milliseconds more. */
const killAmidst = async (service: ServiceProcess, shop: Shop, random: () => number): Promise<void> => {
  const target = Math.ceil(random() * 1.5 * customers)
  const lateMs = random() * 15
  const { load } = await untilAnswered(target, (onAnswer) => shop.bustle(service.url, onAnswer))
  await sleep(lateMs)
  await service.kill()
  await load
}

/** Kills it while its jobs give money back. */
const killAtRefunds = async (service: ServiceProcess, shop: Shop, random: () => number): Promise<void> => {
  await sleep(refundsEveryMs - ((service.servedMs + 100) % refundsEveryMs))
  const load = shop.bustle(service.url)
  await sleep(50 + random() * 200)
  await service.kill()
  await load
}

interface Stage {
  readonly place: Place
  readonly operatorTokenOf: () => string
}

/** A service with customers, stopped again; its modules are compiled now. */
const openShop = async ({ place, operatorTokenOf }: Stage): Promise<{ agent: StandInAgent; shop: Shop }> => {
  const service = await place.start()
  const operatorToken = operatorTokenOf()
  const sold = { priceRub: optionPriceRub, days: tariff.days, seed }
  const agent = await addSellingNodes(service.url, operatorToken, sold)
  const shop = await Shop.open({ url: service.url, operatorToken, agent, seed }, customers)
  expect(await service.terminate()).toEqual({ code: 0, signal: null })
  return { agent, shop }
}

const crashAgainAndAgain = async (
  engine: string,
  stage: Stage,
  { kills, spares }: { readonly kills: number; readonly spares: number },
): Promise<void> => {
  const random = seededRandom(seed)
  const { agent, shop } = await openShop(stage)
  const fleet = await Fleet.start(stage.place, spares)
  for (let kill = 1; kill <= kills; kill++) {
    await agent.beat(fleet.current.url)
    const isLong = kill === Math.ceil(kills / 2)
    await (isLong ? killAtRefunds : killAmidst)(fleet.current, shop, random)
    await fleet.takeOver()
    shop.forgetLimits()
    if (kill % killsBetweenLooks > 0) continue
    await agent.beat(fleet.current.url)
    await shop.repeat(fleet.current.url)
    await shop.verify(fleet.current.url)
  }
  await fleet.terminate()
  await expectAllInOrder(stage.place.env, shop, agent)
  summaries.push(`${engine}: ${kills} kills; ${shop.summary}`)
  expect(shop.refusals.map((answer) => answer.body)).toEqual([])
  // A slow machine does little between two kills, and which of the rest it is, is left to the dice.
  for (const kind of [/^purchase/, /^payment/, /^(renewal|withdrawal|option)/]) {
    expect(shop.acknowledged(kind), `${kind} acknowledged`).toBeGreaterThan(0)
  }
  const foundDone = [atOnce, byLink, /^payment/].reduce((sum, kind) => sum + shop.foundDone(kind), 0)
  expect(foundDone, 'deals done although their answer was lost').toBeGreaterThan(0)
}

const newSecretKey = (): string => randomBytes(32).toString('base64')

const stageOnPostgres = async (databaseUrl: string, onEnd: TestContext['onTestFinished']): Promise<Stage> => {
  const secretKey = newSecretKey()
  const operatorToken = await fillPostgres(databaseUrl, secretKey)
  const env = { DATABASE_URL: patiently(databaseUrl), SECRET_KEY: secretKey, SANDBOX_PAYMENTS: 'on' }
  return { place: await makePlace({ env, onEnd }), operatorTokenOf: () => operatorToken }
}

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

/** As an operator in a hurry does it: nobody is waited for, and what was not written is recovered from the log. */
const restartPostgres = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  const data = rows[0]?.data_directory as string
  const program = join(dirname(realpathSync(join(postgresFolder() as string, 'postgres'))), 'pg_ctl')
  const { uid, gid } = statSync(data)
  const restart = [program, 'restart', '-m', 'immediate', '-w', '-D', data, '-l', '/dev/null']
  // What it starts would hold on to our pipes.
  const child = spawn(restart[0] as string, restart.slice(1), { uid, gid, cwd: data, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  expect(code, 'pg_ctl restart').toBe(0)
}

const stopRestarted = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end().catch(() => undefined)
  const [pid] = readFileSync(join(rows[0]?.data_directory as string, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGQUIT')
}

const crashPostgresUnder = async (url: string, stage: Stage): Promise<void> => {
  const random = seededRandom(seed)
  const { agent, shop } = await openShop(stage)
  const service = await stage.place.start()
  const faults = [crashPostgres, restartPostgres, restartPostgres]
  for (const fault of faults) {
    await agent.beat(service.url)
    const load = shop.bustle(service.url)
    await sleep(random() * 150)
    const struckMs = service.ageMs
    await fault(url)
    await service.untilReady(struckMs + 10_000)
    await load
    await sleep(1100)
    shop.forgetLimits()
    await shop.repeat(service.url)
    await shop.verify(service.url)
    await sleep(1100)
  }
  const statuses = new Set(shop.refusals.map((answer) => `${answer.status} ${answer.body.message}`))
  const failures = new Set(service.output.match(/"message":"[^"]*"/g))
  const others = [...statuses].filter((status) => status !== '503 UNAVAILABLE')
  expect(others, `the service logged ${[...failures].join(', ')}`).toEqual([])
  expect(service.isRunning).toBe(true)
  expect(await service.terminate()).toEqual({ code: 0, signal: null })
  await expectAllInOrder(stage.place.env, shop, agent)
  summaries.push(`PostgreSQL itself: ${faults.length} crashes; ${shop.summary}`)
}

/** All at once: each waits mostly for processes to start. */
describe.concurrent('what was answered is kept, and a repeat has one effect', () => {
  test('check 10: after kill -9, embedded', { timeout }, async ({ onTestFinished: onEnd }: TestContext) => {
    // A process that lives for seconds gains nothing from optimising the code of its database.
    const nodeFlags = ['--liftoff-only']
    const env = { SECRET_KEY: newSecretKey() }
    const place = await makePlace({
      env,
      databaseCopyOf: inject('embeddedTemplates').empty,
      nodeFlags,
      onEnd,
    })
    const operatorTokenOf = () => readCredentials(place.dataDir).operator_token
    await crashAgainAndAgain('embedded', { place, operatorTokenOf }, { kills: kills || 10, spares: 0 })
  })

  describeWith(postgresql, 'with PostgreSQL', () => {
    test('check 10: after kill -9', { timeout }, async ({ onTestFinished: onEnd }: TestContext) => {
      const { databaseUrl = '', remove } = await createTestDatabase('postgres')
      onEnd(remove)
      const stage = await stageOnPostgres(databaseUrl, onEnd)
      await crashAgainAndAgain('PostgreSQL', stage, { kills: kills || 20, spares: 2 })
    })

    test('check 11: after PostgreSQL crashed or was restarted at once, which the service outlives', {
      timeout,
    }, async ({ onTestFinished: onEnd }: TestContext) => {
      const cluster = await startPostgres()
      if (!cluster) throw new Error('PostgreSQL was found but did not start')
      onEnd(async () => {
        await stopRestarted(cluster.url).catch(() => undefined)
        await cluster.stop()
      })
      // The test cluster answers before it has written; production does not, and here it must not.
      const url = `${cluster.url}?options=-c%20synchronous_commit%3Don`
      await crashPostgresUnder(cluster.url, await stageOnPostgres(url, onEnd))
    })
  })
})
