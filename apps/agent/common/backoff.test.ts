import { expect, test } from 'vitest'
import { backoff, sleep } from './backoff.ts'

test('doubles up to the most and starts over after a reset', () => {
  const waits = backoff(100, 500, () => 0)
  expect([waits.next(), waits.next(), waits.next(), waits.next()]).toEqual([100, 200, 400, 500])
  waits.reset()
  expect(waits.next()).toBe(100)
})

test('jitter takes away at most half', () => {
  expect(backoff(100, 500, () => 1).next()).toBe(50)
})

test('a sleep ends when its signal is aborted', async () => {
  const stop = new AbortController()
  const slept = sleep(60_000, stop.signal)
  stop.abort()
  await slept
  await sleep(60_000, stop.signal)
})
