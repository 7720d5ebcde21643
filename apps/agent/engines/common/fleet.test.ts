import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sleep } from '../../common/backoff.ts'
import { until } from '../../testing/fixtures.ts'
import { Fleet, type FleetOptions } from './fleet.ts'
import type { InTurn, Run } from './fleet-member.ts'

interface Item {
  readonly id: string
  readonly revision: number
  readonly listen: string
  readonly port: number
  readonly content: string
}

const item = (id: string, content: string, revision = 1): Item => ({
  id,
  revision,
  listen: '127.0.0.1',
  port: 9,
  content,
})

/** A program that starts unless its content says not to. */
class FakeProgram implements FleetOptions<Item> {
  readonly events: string[] = []
  readonly runs = new Map<string, { end: (reason: string) => void }>()
  readonly log = () => {}
  startsNow = 0
  mostStarts = 0
  asked = 0
  failing = new Set<string>()
  stale = new Set<string>()

  refusal = async ({ content }: Item) => {
    this.asked += 1
    return content === 'refused' ? 'no thanks' : null
  }

  shutsOut = (_before: Item, after: Item) => after.content.startsWith('renewed')

  beforeStop = async () => {
    this.events.push('count')
  }

  start = (item: Item, inTurn: InTurn): Promise<Run> => inTurn(() => this.#start(item))

  async #start({ id, content }: Item): Promise<Run> {
    this.startsNow += 1
    this.mostStarts = Math.max(this.mostStarts, this.startsNow)
    await sleep(5)
    this.startsNow -= 1
    if (this.failing.has(content)) throw new Error(`${content} fails`)
    this.events.push(`start ${id} ${content}`)
    const { promise: exited, resolve: end } = Promise.withResolvers<string>()
    this.runs.set(id, { end })
    const stop = async () => {
      this.events.push(`stop ${id} ${content}`)
      end('killed')
    }
    const { stale } = this
    return {
      pid: 1,
      get isStale() {
        return stale.has(content)
      },
      exited,
      traffic: async () => ({ up: 1, down: 2 }),
      stop,
    }
  }
}

describe('a fleet', () => {
  let program: FakeProgram
  let fleet: Fleet<Item>

  beforeEach(() => {
    program = new FakeProgram()
    fleet = new Fleet(program)
  })
  afterEach(() => fleet.stop())

  const taken = (): string[] => program.events.splice(0)

  test('starts at most four at once', async () => {
    await fleet.apply(Array.from({ length: 20 }, (_, index) => item(`c${index}`, 'a')))
    expect(program.mostStarts).toBe(4)
    expect(fleet.size).toBe(20)
    expect(await fleet.traffic()).toHaveLength(20)
  })

  test('one that waits for others before its turn keeps nobody waiting', async () => {
    const answer = Promise.withResolvers<void>()
    const start = program.start
    program.start = async (wanted, inTurn) => {
      if (wanted.content === 'asks') await answer.promise
      return start(wanted, inTurn)
    }
    const asking = Array.from({ length: 10 }, (_, index) => item(`c${index}`, 'asks'))
    const applied = fleet.apply([...asking, item('c10', 'a')])
    await until(() => program.events.includes('start c10 a'))
    answer.resolve()
    await applied
    expect(fleet.size).toBe(11)
  })

  test('never touches what is unchanged, whatever its revision', async () => {
    await fleet.apply([item('c1', 'a'), item('c2', 'a')])
    taken()
    await fleet.apply([item('c1', 'a', 5), item('c2', 'b', 6)])
    expect(taken()).toEqual(['count', 'stop c2 a', 'start c2 b'])
  })

  test('reads the counters once before it ends several', async () => {
    await fleet.apply([item('c1', 'a'), item('c2', 'a'), item('c3', 'a')])
    taken()
    await fleet.apply([])
    expect(taken()).toEqual(['count', 'stop c1 a', 'stop c2 a', 'stop c3 a'])
  })

  test('asks before it replaces, and only once about the same wish', async () => {
    await fleet.apply([item('c1', 'a')])
    taken()
    const trouble = [{ id: 'c1', revision: 2, reason: 'no thanks', isUnfit: true }]
    expect(await fleet.apply([item('c1', 'refused', 2)])).toEqual(trouble)
    expect(await fleet.apply([item('c1', 'refused', 2)])).toEqual(trouble)
    expect(program.asked).toBe(1)
    expect(taken()).toEqual([])
    expect(await fleet.apply([item('c1', 'a', 3)])).toEqual([])
  })

  test('serves the old again when the new does not come up, and tries the new again later', async () => {
    await fleet.apply([item('c1', 'a')])
    taken()
    program.failing.add('b')
    const trouble = [{ id: 'c1', revision: 2, reason: 'b fails' }]
    expect(await fleet.apply([item('c1', 'b', 2)])).toEqual(trouble)
    expect(taken()).toEqual(['count', 'stop c1 a', 'start c1 a'])
    expect(await fleet.apply([item('c1', 'b', 2)])).toEqual(trouble)
    expect(taken()).toEqual([])
    program.failing.clear()
    await until(async () => (await fleet.apply([item('c1', 'b', 2)])).length === 0)
    expect(taken()).toEqual(['count', 'stop c1 a', 'start c1 b'])
  })

  test('never serves the old again once somebody is shut out, whether or not the new comes up', async () => {
    await fleet.apply([item('c1', 'a'), item('c2', 'a')])
    taken()
    program.failing.add('renewed')
    const trouble = [{ id: 'c1', revision: 2, reason: 'renewed fails' }]
    const wanted = [item('c1', 'renewed', 2), item('c2', 'a')]
    expect(await fleet.apply(wanted)).toEqual(trouble)
    expect(taken()).toEqual(['count', 'stop c1 a'])
    expect(program.asked).toBe(0)
    expect(await fleet.apply(wanted)).toEqual(trouble)
    expect(taken()).toEqual([])
    program.failing.clear()
    await until(() => fleet.troubles.length === 0)
    expect(taken()).toEqual(['start c1 renewed'])
    expect(await fleet.apply(wanted)).toEqual([])
    expect(taken()).toEqual([])
  })

  test('brings up anew what went stale, alone and with its counters read, at a call and at the next state', async () => {
    const wanted = [item('c1', 'a'), item('c2', 'b')]
    await fleet.apply(wanted)
    taken()
    await fleet.renew()
    expect(taken()).toEqual([])
    program.stale.add('b')
    await fleet.renew()
    expect(taken()).toEqual(['count', 'stop c2 b', 'start c2 b'])
    expect(await fleet.apply(wanted)).toEqual([])
    expect(taken()).toEqual(['count', 'stop c2 b', 'start c2 b'])
    program.failing.add('b')
    expect(await fleet.apply(wanted)).toEqual([{ id: 'c2', revision: 1, reason: 'b fails' }])
    expect(taken()).toEqual(['count', 'stop c2 b'])
    expect(fleet.accesses.map(({ id }) => id)).toEqual(['c1', 'c1', 'c2', 'c2'])
  })

  test('one that never came up follows the newest wish', async () => {
    program.failing.add('a')
    expect(await fleet.apply([item('c1', 'a')])).toMatchObject([{ reason: 'a fails' }])
    expect(fleet.state).toBe('crashed')
    expect(await fleet.apply([item('c1', 'b', 2)])).toEqual([])
    expect(taken()).toEqual(['start c1 b'])
  })

  test('starts a crashed one again, but not one that was removed', async () => {
    await fleet.apply([item('c1', 'a'), item('c2', 'a')])
    taken()
    program.runs.get('c1')?.end('boom')
    program.runs.get('c2')?.end('boom')
    await until(() => fleet.troubles.length === 2)
    expect(fleet.troubles[0]).toEqual({ id: 'c1', revision: 1, reason: 'ended (boom)' })
    await fleet.apply([item('c1', 'a')])
    await until(() => fleet.troubles.length === 0)
    await sleep(600)
    expect(taken()).toEqual(['start c1 a'])
    expect((await fleet.traffic()).map(({ users }) => users)).toEqual([[{ id: 'c1', up: 1, down: 2 }]])
  })
})
