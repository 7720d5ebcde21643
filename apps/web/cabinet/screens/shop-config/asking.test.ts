import { expect, test } from 'vitest'
import { afterAnswer, placesOf } from './asking.ts'

const chosen = 3

test('places are those of all servers, and unknown until they are known', () => {
  expect(
    placesOf([
      { id: 1, available_slots: 4 },
      { id: 2, available_slots: 6 },
    ]),
  ).toBe(10)
  expect(placesOf([])).toBe(0)
  expect([placesOf(null), placesOf(undefined)]).toEqual([undefined, undefined])
})

test('one is asked after the other, slower than the service refuses', () => {
  const { queue, waitMs } = afterAnswer([3, 1, 2], chosen)
  expect(queue).toEqual([1, 2])
  expect(waitMs).toBeGreaterThan(1000)
  expect(afterAnswer([2], chosen).queue).toEqual([])
})

test('what was asked too early waits as long as it was told', () => {
  expect(afterAnswer([1, 2], chosen, { retryAfterSeconds: 4 })).toEqual({ queue: [1, 2], waitMs: 4000 })
})

test('what failed is asked again where it is the chosen one, and the others are left alone', () => {
  const failure = { retryAfterSeconds: undefined }
  expect(afterAnswer([3, 1, 2], chosen, failure).queue).toEqual([3])
  expect(afterAnswer([1, 2], chosen, failure).queue).toEqual([])
})
