import { describe, expect, test } from 'vitest'
import { etagOf, namesEtag } from './delivery/etag.ts'
import { ipKey, networkKey } from './identity/ip-key.ts'
import { canMoveOrder, moveOrder, type OrderState, orderTransitions } from './lifecycle/order.ts'
import { shown } from './money/money.ts'
import { languageOf } from './text/language.ts'
import { uuidFromHex } from './vpn/endpoint.ts'

test('derived bytes become a version 4 UUID', () => {
  expect(uuidFromHex('f'.repeat(64))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(uuidFromHex('0'.repeat(32))).toBe('00000000-0000-4000-8000-000000000000')
})

test('amounts as the API shows them', () => {
  expect(shown(200, 'RUB')).toBe(200)
  expect(shown(189, 'TON')).toBe(1.89)
  expect(() => shown(1, 'XXX')).toThrow('XXX')
})

describe('the life of an order', () => {
  const states = Object.keys(orderTransitions) as OrderState[]
  const allowed = ['created>paid', 'created>cancelled', 'created>expired', 'paid>fulfilled', 'paid>refunded']
  const late = ['fulfilled>refunded', 'cancelled>paid', 'expired>paid']
  test.each(
    states.flatMap((from) => states.map((to): [OrderState, OrderState] => [from, to])),
  )('%s to %s', (from, to) => {
    const isAllowed = [...allowed, ...late].includes(`${from}>${to}`)
    expect(canMoveOrder(from, to)).toBe(isAllowed)
    if (isAllowed) expect(moveOrder(from, to)).toBe(to)
    else expect(() => moveOrder(from, to)).toThrow(`from ${from} to ${to}`)
  })
})

test.each([
  [undefined, 'ru'],
  ['', 'ru'],
  ['*', 'ru'],
  ['en', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
  ['de,en;q=0.7,ru;q=0.3', 'en'],
  ['en;q=0', 'ru'],
  ['energy', 'ru'],
] as const)('Accept-Language %s is %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (ip, key) => {
  expect(ipKey(ip)).toBe(key)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::5', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
])('guesses from %s are counted as %s', (ip, key) => {
  expect(networkKey(ip)).toBe(key)
})

test.each([
  [undefined, false],
  ['"other"', false],
  ['*', true],
  ['TAG', true],
  ['W/TAG', true],
  ['"a", W/TAG', true],
])('If-None-Match %s', (header, isSame) => {
  const etag = etagOf('text')
  expect(namesEtag(header?.replace('TAG', etag), etag)).toBe(isSame)
})
