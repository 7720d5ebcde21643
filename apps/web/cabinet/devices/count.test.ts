import { describe, expect, test } from 'vitest'
import { pagesOf, placesTaken, withBlocked } from './count.ts'

const device = (id: number, is_blocked = false) => ({
  id,
  device_name: 'Phone',
  device_type: 'ios',
  os_version: '18',
  is_blocked,
  last_seen_at: 0,
})

const page = { devices: [device(1), device(2, true), device(3)], total: 3, limit: 20 }

describe('places', () => {
  test('are not taken by the blocked', () => {
    expect(placesTaken(page)).toBe(2)
  })
  test('are not known by a part of the list', () => {
    expect(placesTaken({ ...page, total: 40 })).toBeUndefined()
  })
})

test('there is always a page', () => {
  expect([0, 1, 20, 21].map((total) => pagesOf({ ...page, total }))).toEqual([1, 1, 1, 2])
})

test('one is blocked, and the others stay', () => {
  expect(withBlocked(page, 3, true).devices.map(({ is_blocked }) => is_blocked)).toEqual([false, true, true])
  expect(withBlocked(page, 2, false).devices.map(({ is_blocked }) => is_blocked)).toEqual([
    false,
    false,
    false,
  ])
})
