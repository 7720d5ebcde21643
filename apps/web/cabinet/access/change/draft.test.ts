import { expect, test } from 'vitest'
import { type Draft, isSame, wishOf } from './draft.ts'

const before: Draft = {
  protocol: 'vless',
  locationId: 1,
  serverId: 3,
  on: ['use_extended_settings', 'use_warp'],
}

test('only what differs is named', () => {
  const draft: Draft = { ...before, on: ['use_extended_settings', 'use_grpc'] }
  expect(wishOf(draft, before).switches).toEqual({ use_grpc: true, use_warp: false })
  expect(isSame(draft, before)).toBe(false)
  expect(isSame({ ...before, on: ['use_warp', 'use_extended_settings'] }, before)).toBe(true)
})

test('another server, or any, is a change', () => {
  expect(isSame({ ...before, serverId: 4 }, before)).toBe(false)
  expect(isSame({ ...before, serverId: undefined }, before)).toBe(false)
  expect(wishOf({ ...before, serverId: undefined }, before).serverId).toBeUndefined()
})
