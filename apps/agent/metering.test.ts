import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countersPerReport, Meter } from './metering.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-meter-'))
})
afterEach(() => rm(directory, { recursive: true }))

const run = (bootId: string, ...users: [id: string, up: number, down: number][]) => ({
  bootId,
  users: users.map(([id, up, down]) => ({ id, up, down })),
})
const counter = (boot_id: string, id: string, up: number, down: number) => ({ boot_id, id, up, down })

test('counters are reported until the service has accepted them', async () => {
  const meter = await Meter.open(directory)
  meter.record(run('b1', ['c1', 1, 10]))
  expect(meter.pending()).toEqual([counter('b1', 'c1', 1, 10)])
  // The report was lost: the same, and more, is said again.
  meter.record(run('b1', ['c1', 2, 20]))
  const said = meter.pending()
  expect(said).toEqual([counter('b1', 'c1', 2, 20)])
  meter.acknowledge(said, new Set(['b1']))
  expect(meter.pending()).toEqual([])
})

test('traffic that came while a report was under way is reported next', async () => {
  const meter = await Meter.open(directory)
  meter.record(run('b1', ['c1', 1, 10]))
  const said = meter.pending()
  meter.record(run('b1', ['c1', 1, 15]))
  meter.acknowledge(said, new Set(['b1']))
  expect(meter.pending()).toEqual([counter('b1', 'c1', 1, 15)])
})

test('the last values of an earlier run survive a restart and go once accepted', async () => {
  const before = await Meter.open(directory)
  before.record(run('b1', ['c1', 1, 10], ['c2', 2, 20]))
  before.acknowledge([counter('b1', 'c2', 2, 20)], new Set(['b1']))
  await before.save()
  const meter = await Meter.open(directory)
  meter.record(run('b2', ['c1', 5, 5]))
  expect(meter.pending()).toEqual([counter('b1', 'c1', 1, 10), counter('b2', 'c1', 5, 5)])
  meter.acknowledge(meter.pending(), new Set(['b2']))
  await meter.save()
  expect((await Meter.open(directory)).pending()).toEqual([])
})

test('somebody who was removed is still reported, and values never go back', async () => {
  const meter = await Meter.open(directory)
  meter.record(run('b1', ['c1', 1, 10]))
  meter.record(run('b1'))
  meter.record(run('b1', ['c1', 0, 0]))
  expect(meter.pending()).toEqual([counter('b1', 'c1', 1, 10)])
})

test('a report carries no more than it may; the rest follows', async () => {
  const meter = await Meter.open(directory)
  const users = Array.from({ length: countersPerReport + 3 }, (_, index) => [`c${index}`, 1, 1] as const)
  meter.record(run('b1', ...users.map(([...user]): [string, number, number] => [...user])))
  const first = meter.pending()
  expect(first).toHaveLength(countersPerReport)
  meter.acknowledge(first, new Set(['b1']))
  expect(meter.pending()).toHaveLength(3)
})

test('where more move than a report holds, those who waited come first', async () => {
  const meter = await Meter.open(directory)
  const move = (bytes: number) => {
    const ids = Array.from({ length: countersPerReport + 3 }, (_, index) => `c${index}`)
    meter.record(run('b1', ...ids.map((id): [string, number, number] => [id, bytes, bytes])))
  }
  move(1)
  meter.acknowledge(meter.pending(), new Set(['b1']))
  const waiting = meter.pending().map(({ id }) => id)
  move(2)
  expect(meter.pending().slice(0, 3)).toEqual(waiting.map((id) => counter('b1', id, 2, 2)))
})

test('a damaged file is no reason to stop', async () => {
  await writeFile(join(directory, 'traffic.json'), '{"b1":{"c1":')
  expect((await Meter.open(directory)).pending()).toEqual([])
})

test('runs that go on are kept apart, and only those that are over are forgotten', async () => {
  const meter = await Meter.open(directory)
  meter.record(run('b1', ['c1', 1, 10]))
  meter.record(run('b2', ['c1', 2, 20]))
  meter.acknowledge(meter.pending(), new Set(['b1', 'b2']))
  meter.record(run('b1', ['c1', 1, 11]))
  expect(meter.pending()).toEqual([counter('b1', 'c1', 1, 11)])
  meter.acknowledge(meter.pending(), new Set(['b2']))
  meter.record(run('b1', ['c1', 1, 11]))
  expect(meter.pending()).toEqual([counter('b1', 'c1', 1, 11)])
  meter.record(run('b2', ['c1', 2, 20]))
  expect(meter.pending()).toHaveLength(1)
})

test('saves that overlap do not disturb each other', async () => {
  const meter = await Meter.open(directory)
  const saves: Promise<void>[] = []
  for (let up = 1; up <= 20; up++) {
    meter.record(run('b1', ['c1', up, up]))
    saves.push(meter.save())
  }
  await Promise.all(saves)
  expect((await Meter.open(directory)).pending()).toEqual([counter('b1', 'c1', 20, 20)])
})
