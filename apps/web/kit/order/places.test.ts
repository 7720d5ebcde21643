import { describe, expect, test } from 'vitest'
import { moved, placeFor } from './places.ts'

describe('an order', () => {
  const list = ['a', 'b', 'c', 'd']
  test.each([
    [0, 2, 'bcad'],
    [3, 0, 'dabc'],
    [1, 1, 'abcd'],
    [0, -1, 'abcd'],
    [1, 9, 'acdb'],
    [9, 0, 'abcd'],
  ])('from %i to %i', (from, to, expected) => {
    expect(moved(list, from, to).join('')).toBe(expected)
  })
  test('what does not move stays the same list', () => {
    expect(moved(list, 3, 4)).toBe(list)
  })
})

describe('something that is dragged', () => {
  const middles = [10, 30, 50, 70]
  test.each([
    [0, 10, 0],
    [0, 31, 1],
    [0, 29, 0],
    [0, 500, 3],
    [3, 45, 2],
    [3, -90, 0],
    [1, 49, 1],
  ])('the one at %i, let go of at %i, lands at %i', (from, y, expected) => {
    expect(placeFor(middles, from, y)).toBe(expected)
  })
})
