import { describe, expect, test } from 'vitest'
import { arrivedSince, beforeOf, fileNameOf, ownPlatform } from './device.ts'

const seen = (id: number, device_type: string, last_seen_at: number, is_blocked = false) => ({
  id,
  device_type,
  last_seen_at,
  is_blocked,
})

describe('this device', () => {
  const mac =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15'
  test('a Mac that can be touched is an iPad', () => {
    expect(ownPlatform({ userAgent: mac, maxTouchPoints: 0 })).toBe('macos')
    expect(ownPlatform({ userAgent: mac, maxTouchPoints: 5 })).toBe('ios')
  })
  test('others are what they say', () => {
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
    expect(ownPlatform({ userAgent: agent, maxTouchPoints: 10 })).toBe('windows')
    expect(ownPlatform({ userAgent: 'curl', maxTouchPoints: 0 })).toBeUndefined()
  })
})

describe('has come', () => {
  const before = beforeOf([seen(1, 'ios', 100), seen(2, 'android', 100)])
  test('nobody, until something is newer', () => {
    expect(arrivedSince(before, [seen(1, 'ios', 100), seen(2, 'android', 100)], 'ios')).toBeUndefined()
  })
  test('who was not there before, rather than who came again', () => {
    const after = [seen(1, 'ios', 160), seen(3, 'ios', 150)]
    expect(arrivedSince(before, after, 'ios')?.id).toBe(3)
    expect(arrivedSince(before, [seen(1, 'ios', 160)], 'ios')?.id).toBe(1)
  })
  test('of this system only; a television may be any', () => {
    const after = [seen(2, 'android', 160)]
    expect(arrivedSince(before, after, 'ios')).toBeUndefined()
    expect(arrivedSince(before, after, 'tv')?.id).toBe(2)
  })
  test('nobody who is blocked', () => {
    expect(arrivedSince(before, [seen(4, 'ios', 160, true)], 'ios')).toBeUndefined()
  })
})

test('a tunnel has a name that every system takes', () => {
  expect(fileNameOf(42)).toBe('vpn-42.conf')
  expect(fileNameOf(9_007_199_254_740_991).replace('.conf', '').length).toBe(15)
})
