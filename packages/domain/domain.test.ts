import { describe, expect, test } from 'vitest'
import { uuidFromHex, type VlessEndpoint } from './endpoint.ts'
import { etagOf, namesEtag } from './etag.ts'
import { ipKey } from './ip-key.ts'
import { languageOf } from './language.ts'
import { canMoveOrder, moveOrder, type OrderState, orderTransitions } from './lifecycle/order.ts'
import { shown } from './money.ts'
import { connectionUrl } from './render/link.ts'
import { placeholderLink } from './render/placeholder.ts'

const endpoint: VlessEndpoint = {
  protocol: 'vless',
  title: '🇩🇪 Германия #1',
  host: '203.0.113.10',
  port: 443,
  uuid: '5783a3e7-e373-41cd-8642-c83782b807c5',
  flow: 'xtls-rprx-vision',
  security: {
    kind: 'reality',
    serverName: 'www.example.com',
    publicKey: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo',
    shortId: '0123456789abcdef',
    fingerprint: 'chrome',
  },
}

describe('connection links', () => {
  test('vless with REALITY and vision', () => {
    expect(connectionUrl(endpoint)).toBe(
      'vless://5783a3e7-e373-41cd-8642-c83782b807c5@203.0.113.10:443?encryption=none&flow=xtls-rprx-vision' +
        '&type=tcp&headerType=none&security=reality&sni=www.example.com&fp=chrome' +
        '&pbk=hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo&sid=0123456789abcdef&spx=%2F' +
        '#%F0%9F%87%A9%F0%9F%87%AA%20%D0%93%D0%B5%D1%80%D0%BC%D0%B0%D0%BD%D0%B8%D1%8F%20%231',
    )
  })

  test('without flow, without a name, on IPv6', () => {
    const security = { ...endpoint.security, serverName: null, fingerprint: 'qq' }
    const link = connectionUrl({ ...endpoint, host: '2001:db8::1', flow: '', security, title: 'x' })
    expect(link).toBe(
      'vless://5783a3e7-e373-41cd-8642-c83782b807c5@[2001:db8::1]:443?encryption=none&type=tcp&headerType=none' +
        '&security=reality&fp=qq&pbk=hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo&sid=0123456789abcdef&spx=%2F#x',
    )
  })

  test('a placeholder carries its message as the title', () => {
    expect(decodeURIComponent(placeholderLink('Продлите').split('#')[1] ?? '')).toBe('Продлите')
  })
})

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
