import { expect, test } from 'vitest'
import { SharedClock } from './shared-clock.ts'

const epochMs = 1_800_000_000_000
const hourMs = 3_600_000

/** A database, a machine and what passes, each to be set by itself. */
const world = async ({
  databaseOffMs = 0,
  notedAgoMs,
}: {
  databaseOffMs?: number
  notedAgoMs?: number
} = {}) => {
  const at = { databaseMs: epochMs + databaseOffMs, wallMs: epochMs, steadyMs: 1000, tripMs: 0 }
  const said: string[] = []
  const say = (_fields: object, message: string) => said.push(message)
  const own = { wallMs: () => at.wallMs, steadyMs: () => at.steadyMs }
  const pass = (ms: number) => {
    at.databaseMs += ms
    at.wallMs += ms
    at.steadyMs += ms
  }
  const readDatabaseMs = async () => {
    pass(at.tripMs)
    const read = at.databaseMs
    pass(at.tripMs)
    return read
  }
  const log = { info: say, warn: say, error: say }
  const noted = async () => (notedAgoMs === undefined ? undefined : epochMs - notedAgoMs)
  const clock = await SharedClock.open(readDatabaseMs, log, own, noted)
  return { at, said, pass, clock }
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

test('time goes on between two looks', async () => {
  const { clock, pass, said } = await world()
  expect(clock.now()).toBe(seconds(epochMs))
  pass(90_000)
  expect(clock.now()).toBe(seconds(epochMs) + 90)
  expect(said).toEqual([])
})

test('a machine that is an hour off lives in the second of the others, and is told', async () => {
  for (const databaseOffMs of [hourMs, -hourMs]) {
    const { clock, said } = await world({ databaseOffMs })
    expect(clock.now()).toBe(seconds(epochMs + databaseOffMs))
    expect(said).toEqual([expect.stringContaining('set it right')])
  }
})

test('who starts while the database is wrong lives in the second of those who ran until now', async () => {
  for (const databaseOffMs of [hourMs, -hourMs, 400 * 24 * hourMs]) {
    const { clock, said } = await world({ databaseOffMs, notedAgoMs: 60_000 })
    expect(clock.now()).toBe(seconds(epochMs))
    expect(said).toEqual([expect.stringContaining('is not followed')])
  }
  const machineIsWrong = await world({ databaseOffMs: hourMs, notedAgoMs: 60_000 - hourMs })
  expect(machineIsWrong.clock.now()).toBe(seconds(epochMs + hourMs))
  const nobodyRan = await world({ databaseOffMs: hourMs, notedAgoMs: 24 * hourMs })
  expect(nobodyRan.clock.now()).toBe(seconds(epochMs + hourMs))
})

test('a clock of this machine that is set to another time changes nothing', async () => {
  for (const step of [hourMs, -hourMs, 24 * hourMs]) {
    const { clock, at, pass } = await world()
    at.wallMs += step
    pass(60_000)
    await clock.lookAgain()
    expect(clock.now()).toBe(seconds(epochMs) + 60)
  }
})

test('a clock of the database that jumps is not followed, and the operator is told', async () => {
  for (const step of [hourMs, -hourMs, 24 * hourMs]) {
    const { clock, at, pass, said } = await world()
    at.databaseMs += step
    pass(60_000)
    await clock.lookAgain()
    expect(clock.now()).toBe(seconds(epochMs) + 60)
    expect(said).toEqual([expect.stringContaining('has jumped')])
  }
})

test('a machine that stood still for an hour catches up', async () => {
  const { clock, at, said } = await world()
  at.databaseMs += hourMs
  at.wallMs += hourMs
  await clock.lookAgain()
  expect(clock.now()).toBe(seconds(epochMs + hourMs))
  expect(said).toEqual([])
})

test('a drift is followed, and an answer that took long is not believed', async () => {
  const { clock, at, pass } = await world()
  at.databaseMs += 3000
  at.tripMs = 600
  await clock.lookAgain()
  expect(clock.now()).toBe(seconds(epochMs + 1200))
  at.tripMs = 100
  await clock.lookAgain()
  pass(0)
  expect(clock.now()).toBe(seconds(epochMs + 3000 + 1400))
})
