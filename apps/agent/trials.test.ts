import { expect, test } from 'vitest'
import { sleep } from './common/backoff.ts'
import type { Verdict } from './engines/xray/trial.ts'
import { until } from './testing/fixtures.ts'
import { Trials } from './trials.ts'

const accepted: Verdict = { isAccepted: true, reason: null }

const bench = (tryConfig: (config: string) => Promise<Verdict | null>, failures = 0) => {
  const answers: [number, Verdict][] = []
  const tried: string[] = []
  const messages: string[] = []
  let left = failures
  const trials = new Trials({
    tryConfig: (config) => {
      tried.push(config)
      return tryConfig(config)
    },
    answer: async (id, verdict) => {
      left -= 1
      if (left >= 0) throw new Error('no service')
      answers.push([id, verdict])
    },
    log: (message) => messages.push(message),
  })
  return { trials, answers, tried, messages }
}

test('what is open comes again and again, and is tried once', async () => {
  const verdict = Promise.withResolvers<typeof accepted>()
  const { trials, answers, tried } = bench(() => verdict.promise)
  for (let polls = 0; polls < 4; polls += 1) {
    trials.take([{ id: 1, config: 'a' }])
    await sleep(5)
  }
  verdict.resolve(accepted)
  await until(() => answers.length > 0)
  expect(tried).toEqual(['a'])
  expect(answers).toEqual([[1, accepted]])
})

test('an answer that was lost is given again without another trial', async () => {
  const { trials, answers, tried, messages } = bench(async () => accepted, 1)
  trials.take([{ id: 1, config: 'a' }])
  await until(() => messages.length > 0)
  expect(messages).toEqual(['trial 1: no service'])
  trials.take([{ id: 1, config: 'a' }])
  await until(() => answers.length > 0)
  expect(tried).toEqual(['a'])
})

test('four at once, the others after them', async () => {
  let running = 0
  let most = 0
  const { trials, answers } = bench(async () => {
    running += 1
    most = Math.max(most, running)
    await sleep(20)
    running -= 1
    return accepted
  })
  trials.take(Array.from({ length: 9 }, (_, index) => ({ id: index, config: '' })))
  await until(() => answers.length === 9)
  expect(most).toBe(4)
})

test('without an engine there is no answer, and with one there is', async () => {
  let engine: Verdict | null = null
  const { trials, answers } = bench(async () => engine)
  trials.take([{ id: 1, config: 'a' }])
  await sleep(10)
  expect(answers).toEqual([])
  engine = accepted
  trials.take([{ id: 1, config: 'a' }])
  await until(() => answers.length === 1)
})

test('the engine is told which sites are the service’s own, in the words of the answer that asked', async () => {
  const told: unknown[] = []
  const trials = new Trials({
    tryConfig: async (_, ownTargets) => {
      told.push(ownTargets)
      return accepted
    },
    answer: async () => {},
    log: () => {},
  })
  trials.take([{ id: 1, config: 'a' }], ['www.example.com:443'])
  trials.take([{ id: 2, config: 'a' }])
  await until(() => told.length === 2)
  expect(told).toEqual([['www.example.com:443'], undefined])
})
