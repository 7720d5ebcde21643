import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { whenTurnEnds } from './turn.ts'

/** As the service's own process has it, one that fails is told and the process goes on. */
const failures: unknown[] = []
const before = process.listeners('uncaughtException')
const listen = (failure: unknown): number => failures.push(failure)

afterEach(() => {
  process.off('uncaughtException', listen)
  for (const listener of before) process.on('uncaughtException', listener)
  failures.length = 0
})

test('what was asked for in one turn goes at its end, in order, with what comes meanwhile', async () => {
  const done: number[] = []
  whenTurnEnds(() => {
    done.push(1)
    whenTurnEnds(() => done.push(3))
  })
  whenTurnEnds(() => done.push(2))
  expect(done).toEqual([])
  await setImmediate()
  expect(done).toEqual([1, 2, 3])
})

test('one that throws keeps neither its neighbours nor later turns waiting', async () => {
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', listen)
  const done: string[] = []
  whenTurnEnds(() => done.push('before'))
  whenTurnEnds(() => {
    throw new Error('one fails')
  })
  whenTurnEnds(() => done.push('beside'))
  await expect.poll(() => done).toEqual(['before', 'beside'])
  whenTurnEnds(() => done.push('later'))
  await expect.poll(() => done).toEqual(['before', 'beside', 'later'])
  expect(failures).toEqual([new Error('one fails')])
})
