import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patienceMs, watched } from './slow.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what answers in time is not called slow', async () => {
  const onSlow = vi.fn()
  expect(await watched(Promise.resolve(1), onSlow)).toBe(1)
  await vi.advanceTimersByTimeAsync(patienceMs * 2)
  expect(onSlow).not.toHaveBeenCalled()
})

test('what is silent for five seconds is told once, and still waited for', async () => {
  const onSlow = vi.fn()
  let answer = (_: number) => {}
  const work = watched(new Promise<number>((resolve) => (answer = resolve)), onSlow)
  await vi.advanceTimersByTimeAsync(patienceMs - 1)
  expect(onSlow).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(patienceMs)
  expect(onSlow).toHaveBeenCalledTimes(1)
  answer(2)
  expect(await work).toBe(2)
})
