import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import type { PaidOption, PaidOptionConfig } from '@sallyport/contract/customer/paid-options/shapes'
import type { UserConfig } from '@sallyport/contract/customer/shapes'
import { describe, expect, test } from 'vitest'
import {
  inOrder,
  leftOf,
  ofCloud,
  ofConfig,
  ofOption,
  partLeft,
  renewableUntil,
  type Thing,
  toneOf,
} from './things.ts'

const day = 86_400
const now = 1_800_000_000

const config = (change: Partial<UserConfig> = {}): UserConfig => ({
  id: 1,
  connection_url: 'vless://',
  title: null,
  location_id: 1,
  server_id: 1,
  protocol: 'vless',
  expires_at: now + 20 * day,
  created_at: now - 10 * day,
  is_online: true,
  auto_renewal: false,
  auto_renewal_days: null,
  ...change,
})

const option = (online: readonly boolean[], change: Partial<PaidOption> = {}): PaidOption => ({
  option_id: 1,
  status: 'active',
  expires_at: now + day,
  configs: online.map(
    (is_online, index) => ({ id: index, index, is_online, created_at: now - 29 * day }) as PaidOptionConfig,
  ),
  auto_renewal: false,
  auto_renewal_days: null,
  ...change,
})

const cloud = (change: Partial<CloudServer> = {}): CloudServer => ({
  id: 1,
  location_id: 1,
  tariff_config_id: 1,
  status: 'active',
  expires_at: now + day,
  url: '203.0.113.1',
  is_online: true,
  auto_renewal: false,
  auto_renewal_days: null,
  hostname: null,
  ...change,
})

describe('the state', () => {
  test('of a configuration', () => {
    expect(ofConfig(config(), now).state).toBe('online')
    expect(ofConfig(config({ is_online: false }), now).state).toBe('offline')
    expect(ofConfig(config({ is_online: null }), now).state).toBe('unknown')
    expect(ofConfig(config({ is_online: false, expires_at: now }), now).state).toBe('ended')
  })

  test('of an option: what the operator or its traffic says, then its servers', () => {
    expect(ofOption(option([true, true]), now).state).toBe('online')
    expect(ofOption(option([true, false]), now).state).toBe('partly')
    expect(ofOption(option([false, false]), now).state).toBe('offline')
    expect(ofOption(option([]), now).state).toBe('unknown')
    expect(ofOption(option([false], { status: 'limited' }), now).state).toBe('limited')
    expect(ofOption(option([false], { status: 'disabled' }), now).state).toBe('disabled')
    expect(ofOption(option([], { status: 'expired', expires_at: now - 1 }), now).state).toBe('ended')
  })

  test('of a cloud server: on its way before it can answer', () => {
    expect(ofCloud(cloud(), now).state).toBe('online')
    expect(ofCloud(cloud({ is_online: false }), now).state).toBe('offline')
    expect(ofCloud(cloud({ status: 'ordered', is_online: false }), now).state).toBe('preparing')
    expect(ofCloud(cloud({ expires_at: now - 1 }), now).state).toBe('ended')
  })
})

test('what ends first stands first, whatever it is', () => {
  const things = [
    ofConfig(config({ id: 7, expires_at: now + 3 * day }), now),
    ofOption(option([true], { expires_at: now + day }), now),
    ofCloud(cloud({ expires_at: now + 2 * day }), now),
    ofConfig(config({ id: 8, expires_at: now - day }), now),
    ofConfig(config({ id: 6, expires_at: now + 3 * day }), now),
  ]
  expect(inOrder(things).map(({ kind, id }) => `${kind}${id}`)).toEqual([
    'config8',
    'option1',
    'cloud1',
    'config6',
    'config7',
  ])
})

test.each([
  [30 * day, { unit: 'days', count: 30 }],
  [2 * day - 1, { unit: 'days', count: 1 }],
  [day - 1, { unit: 'hours', count: 23 }],
  [3600, { unit: 'hours', count: 1 }],
  [3599, { unit: 'minutes', count: 60 }],
  [1, { unit: 'minutes', count: 1 }],
  [-5, { unit: 'minutes', count: 0 }],
])('%d seconds before the end', (seconds, left) => {
  expect(leftOf(now + seconds, now)).toEqual(left)
})

test('the bar is of the last month, or of all that was bought', () => {
  const part = (left: number, term: number | undefined) => partLeft({ expiresAt: now + left, term }, now)
  expect(part(200 * day, 365 * day)).toBe(1)
  expect(part(15 * day, 365 * day)).toBe(0.5)
  expect(part(7 * day, 7 * day)).toBe(1)
  expect(part(3.5 * day, 7 * day)).toBe(0.5)
  expect(part(15 * day, undefined)).toBe(0.5)
  expect(part(-1, 30 * day)).toBe(0)
})

test('three days before the end it warns, on the last day more', () => {
  expect(toneOf(now + 3 * day, now)).toBe('good')
  expect(toneOf(now + 3 * day - 1, now)).toBe('warn')
  expect(toneOf(now + day - 1, now)).toBe('bad')
})

test('machines are kept for less long than links', () => {
  const until = (kind: Thing['kind']) => (renewableUntil({ kind, expiresAt: now }) - now) / day
  expect([until('config'), until('option'), until('cloud')]).toEqual([14, 14, 3])
})
