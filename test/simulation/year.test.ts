import { randomInt } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MemoryLimiter } from '../../apps/server/adapters/limits/memory-limiter.ts'
import { readConfig } from '../../apps/server/config.ts'
import { type RunningService, startService } from '../../apps/server/main.ts'
import { testEngine } from '../support/databases/database.ts'
import { brokenRules } from '../support/databases/invariants.ts'
import { freePort } from '../support/ports.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { comeToRest, passYear, type Size } from './calendar.ts'
import { chargesOf } from './charges.ts'
import { checkCharges } from './checks/check-charges.ts'
import { checkEnds } from './checks/check-ends.ts'
import { checkFigures } from './checks/check-figures.ts'
import { checkIntents, checkNotices, checkRenewals } from './checks/check-intents.ts'
import { checkWallets, type Model } from './checks/check-wallets.ts'
import { asCustomer, type Customer } from './customer.ts'
import { inBatches } from './dice.ts'
import { checkGifts } from './gifts.ts'
import { checkMachines } from './machines/check-machines.ts'
import { type Clouds, MachinePark, startClouds } from './machines/park.ts'
import { setUsualRates, useRealProviders } from './office.ts'
import { checkOptions } from './options/check-options.ts'
import { MeteringNodes } from './options/meters.ts'
import { beginFaults, type Providers, startProviders } from './providers.ts'
import { readBooks } from './queries.ts'
import { summaryOf } from './summary.ts'
import { World } from './world.ts'

/** A year of the shop in seconds: customers, an operator and faulty providers, all drawn from one seed. */

const seed = Number(process.env.SALLYPORT_YEAR_SEED || randomInt(2 ** 31))
const isShared = testEngine() === 'postgres'
const size: Size = isShared
  ? { customers: 200, days: 365, actsPerDay: 3.5, roundsPerDay: 1.2, officeShare: 0.8, reportsPerDay: 0.4 }
  : { customers: 50, days: 365, actsPerDay: 1.5, roundsPerDay: 0.5, officeShare: 0.4, reportsPerDay: 0.15 }
const patienceMs = 1_800_000

let providers: Providers
let clouds: Clouds
let service: TestService
let other: RunningService | undefined
let world: World

/** A second instance on the same database; its limits forget everything between two requests. */
const startOther = (): Promise<RunningService> => {
  let nowMs = 0
  const hastyLimiter = new MemoryLimiter(() => (nowMs += 1e9))
  return startService(readConfig(service.env), { clock: service.clock, limiter: hastyLimiter })
}

beforeAll(async () => {
  providers = await startProviders(() => service.clock.now())
  clouds = await startClouds(() => service.clock.now())
  const port = String(await freePort())
  // Every instance says the same address, or a provider would see another request in the repeat of one.
  const env = { ...providers.env, ...clouds.env, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }
  service = await startTestService({ withoutLimits: true, env })
  if (isShared) other = await startOther()
  const instances = other ? [service.running, other] : [service.running]
  world = new World({ service, instances, providers, seed })
})
afterAll(async () => {
  await other?.stop()
  await service?.stop()
  await Promise.all(providers.all.map((standIn) => standIn.stop()))
  await Promise.all(clouds.all.map((cloud) => cloud.close()))
})

const query = async (sql: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows

/** What customers see is what the model says. */
const checkProfiles = async (
  customers: readonly Customer[],
  { wallets, referrals }: Model,
): Promise<string[]> => {
  const problems: string[] = []
  await inBatches(customers, async (customer) => {
    const { data } = await asCustomer(world, customer, 'GET', '/profile')
    const { id } = customer.user
    const isRight = data.balance === wallets.get(id) && data.referral_balance === referrals.get(id)
    if (!isRight) problems.push(`customer ${id} sees ${data.balance} and ${data.referral_balance}`)
  })
  return problems
}

test(`a year passes and every rouble is where it belongs (SALLYPORT_YEAR_SEED=${seed})`, {
  timeout: patienceMs,
}, async () => {
  await setUsualRates(world)
  await useRealProviders(world)
  world.meters = await MeteringNodes.start(world)
  world.machines = await MachinePark.start(world, clouds)
  beginFaults(providers, seed, world.tally)
  const customers = await passYear(world, size)
  expect(await brokenRules(query, { isAtRest: false })).toEqual([])
  await comeToRest(world)
  const options = await checkOptions(world)

  const figures = await checkFigures(world)
  const books = await readBooks(service.db)
  const charges = chargesOf(providers, books)
  console.log(summaryOf(world, size, books))
  const { problems, model } = checkWallets(world.journal, books)
  expect.soft(world.problems, 'what should not have happened').toEqual([])
  expect.soft(await brokenRules(query), 'the rules of the books').toEqual([])
  expect.soft(checkCharges(charges, providers, books), 'the providers’ books').toEqual([])
  expect.soft(checkIntents(world.journal, books), 'what customers were told').toEqual([])
  expect.soft(problems, 'balances').toEqual([])
  expect.soft(checkGifts(world.journal, books), 'gifts').toEqual([])
  expect.soft(checkEnds(world.journal, books), 'ends of what is sold for a time').toEqual([])
  expect.soft(checkRenewals(world.journal, books), 'automatic renewals').toEqual([])
  expect.soft(checkNotices(world.journal, books), 'notices of payments').toEqual([])
  expect.soft(figures, 'figures').toEqual([])
  expect.soft(options, 'options at rest').toEqual([])
  expect.soft(checkMachines(world, books), 'machines at rest').toEqual([])
  expect.soft(await checkProfiles(customers, model), 'profiles').toEqual([])
})
