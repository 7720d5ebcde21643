import type { Access, Inbound } from '@sallyport/contract/agent/agent'
import { expect, test } from 'vitest'
import { mtgByHand, wireguardByHand, xrayByHand } from './by-hand.ts'
import { offers } from './offers.ts'
import { isBelow, type Row, replaceFigures, tunnelsReport } from './report.ts'
import { bytesFor, compare, type Pair, quantile, type Turn } from './statistics.ts'

const turn = (down: number, latency: number): Turn => ({
  down,
  up: 100,
  connections: 100,
  latency,
  'down cost': 10,
  'up cost': 10,
  'connection cost': 1,
})
const pairs: Pair[] = [
  { agent: turn(90, 2), hand: turn(100, 1) },
  { agent: turn(45, 1), hand: turn(50, 1) },
  { agent: turn(400, 1), hand: turn(400, 2) },
]

test('pairs are compared, not sums, and more is always better', () => {
  expect(compare('down', pairs)).toMatchObject({ ratio: 0.9, from: 0.9, to: 0.95, agent: 90, hand: 100 })
  expect(compare('latency', pairs)).toMatchObject({ ratio: 1, from: 0.75, to: 1.5 })
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
})

test('a copy is as long as its turn', () => {
  expect(bytesFor(0.5, 1024 * 1024, 0.25)).toBe(2 * 1024 * 1024)
  expect(bytesFor(0.5, 1024, 100)).toBe(64 * 1024)
})

const [offer] = offers
if (!offer) throw new Error('Nothing is sold')
const slow = Array.from({ length: 4 }, () => ({ agent: turn(50, 1), hand: turn(100, 1) }))
const quick = Array.from({ length: 4 }, () => ({ agent: turn(100, 1), hand: turn(100, 1) }))
const rowOf = (fields: Partial<Row>): Row => ({
  offer,
  accesses: 1,
  pairs: quick,
  failures: { agent: 0, hand: 0 },
  ...fields,
})
const judged = (row: Row) => tunnelsReport([row], { rounds: 4, seconds: 0.1 })

test('what is surely below is told, and is good only where the reason is known', () => {
  expect(isBelow(compare('down', slow))).toBe(true)
  expect(isBelow(compare('down', pairs))).toBe(false)
  expect(judged(rowOf({})).isGood).toBe(true)
  const { report, isGood } = judged(rowOf({ pairs: slow, accesses: 2000 }))
  expect(report).toContain(`- ${offer.name}, 2,000 customers: download 0.50 (0.50–0.50)`)
  expect(isGood).toBe(false)
  const known = judged(rowOf({ pairs: slow, offer: { ...offer, reasons: { down: 'it is so' } } }))
  expect(known.report).toContain('(0.50–0.50): it is so')
  expect(known.isGood).toBe(true)
  const crowded = { ...offer, reasonsOfMany: { down: 'they are many' } }
  expect(judged(rowOf({ pairs: slow, offer: crowded, accesses: 2000 })).isGood).toBe(true)
  expect(judged(rowOf({ pairs: slow, offer: crowded })).isGood).toBe(false)
  expect(judged(rowOf({ pairs: [], failed: 'no way' }))).toMatchObject({ isGood: false })
  expect(judged(rowOf({ failures: { agent: 1, hand: 0 } })).isGood).toBe(false)
})

test('a document has its figures replaced and the rest as it was', () => {
  const document = 'a\n<!-- tunnels -->\nold\n<!-- /tunnels -->\nb\n'
  expect(replaceFigures(document, '$1 new')).toBe('a\n<!-- tunnels -->\n$1 new\n<!-- /tunnels -->\nb\n')
  expect(() => replaceFigures('a', 'new')).toThrow('no place')
})

const ground = { address: '198.51.100.20', target: '192.0.2.80:443' }
const reality = {
  target: 'elsewhere:443',
  server_names: ['www.example.com'],
  private_key: 'key',
  short_ids: ['0123'],
}
const tls = { server_name: 's', certificate: 'CERT\n', key: 'KEY\n' }
const at = { tag: 'in-1', listen: '0.0.0.0', port: 443 }
const inbounds: readonly (readonly [Inbound, object])[] = [
  [
    { ...at, protocol: 'vless', reality },
    { protocol: 'vless', uuid: 'u', flow: 'xtls-rprx-vision' },
  ],
  [
    { ...at, protocol: 'vless-2410', reality, site: tls },
    { protocol: 'vless', uuid: 'u', flow: '' },
  ],
  [
    { ...at, protocol: 'trojan', tls },
    { protocol: 'trojan', password: 'p' },
  ],
  [
    { ...at, protocol: 'trojan-2901', reality },
    { protocol: 'trojan', password: 'p' },
  ],
  [
    { ...at, protocol: 'outline' },
    { protocol: 'outline', password: 'p' },
  ],
  [
    { ...at, protocol: 'shadowsocks-2022', server_key: 's' },
    { protocol: 'shadowsocks-2022', key: 'k' },
  ],
  [
    { ...at, protocol: 'hysteria2', tls, obfs_password: 'o' },
    { protocol: 'hysteria2', auth: 'a' },
  ],
]
const entry = { id: 'a1', revision: 1 }
const sharedBy = (account: object): Access =>
  ({ ...entry, kind: 'shared', inbound: 'in-1', account }) as unknown as Access

test.each(inbounds)('$protocol by hand is one inbound and one way out', (inbound, account) => {
  const config = xrayByHand({ access: sharedBy(account), inbound }, ground)
  expect(Object.keys(config)).toEqual(['log', 'inbounds', 'outbounds'])
  const [only] = (config as { inbounds: object[] }).inbounds
  expect(only).toMatchObject({ listen: ground.address, port: 443 })
  expect(only).not.toHaveProperty('sniffing')
  expect(JSON.stringify(config)).not.toMatch(/elsewhere|limitFallback|a1/)
})

test("one's own engine by hand has the keys of the access and the site of the lab", () => {
  const stream = {
    network: 'xhttp',
    security: 'reality',
    realitySettings: { target: 'x:443', shortIds: ['1'] },
  }
  const own = {
    protocol: 'vless',
    settings: { clients: [{ id: 'u' }] },
    streamSettings: stream,
    sniffing: {},
  }
  const config = JSON.stringify({ inbounds: [own], routing: { rules: [{}] } })
  const access: Access = { ...entry, kind: 'instance', listen: '0.0.0.0', port: 12_000, config }
  const realitySettings = { target: ground.target, shortIds: ['1'] }
  expect(xrayByHand({ access }, ground)).toMatchObject({
    inbounds: [{ port: 12_000, streamSettings: { network: 'xhttp', realitySettings } }],
  })
  expect(() => xrayByHand({ access: sharedBy({ protocol: 'trojan' }) }, ground)).toThrow('does not carry')
})

test('proxies and Telegram by hand', () => {
  const proxy = { ...entry, kind: 'proxy', listen: '0.0.0.0', port: 1080, user: 'u', password: 'p' } as const
  for (const [protocol, name] of [
    ['http', 'http'],
    ['socks5', 'socks'],
  ] as const) {
    expect(xrayByHand({ access: { ...proxy, protocol } }, ground)).toMatchObject({
      inbounds: [{ protocol: name, settings: { accounts: [{ user: 'u', pass: 'p' }] } }],
    })
  }
  const telegram = { ...entry, kind: 'mtproto', listen: '0.0.0.0', port: 8443, secret: 'ee00' } as const
  expect(mtgByHand(telegram, ground)).toBe('secret = "ee00"\nbind-to = "198.51.100.20:8443"\n')
})

test('WireGuard and AmneziaWG by hand, in words of the engine', () => {
  const key = Buffer.alloc(32, 1).toString('base64')
  const peer = { public_key: key, preshared_key: key, address: '100.64.0.9' }
  const zero = { jc: 4, jmin: 10, jmax: 40, s1: 0, s2: 0, s3: 0, s4: 0, h1: 1, h2: 2, h3: 3, h4: 4 }
  const own: Access = {
    ...entry,
    kind: 'amnezia-wg',
    listen: '0.0.0.0',
    port: 51_820,
    private_key: key,
    parameters: zero,
    peer,
  }
  const { lines, customer } = wireguardByHand({ access: own })
  expect(customer).toBe('100.64.0.9')
  expect(lines).toContain('jc=4')
  expect(lines).not.toContain('s1=0')
  const inbound: Inbound = { ...at, port: 51_821, protocol: 'wg', private_key: key }
  const shared = wireguardByHand({ access: sharedBy({ protocol: 'wg', ...peer }), inbound })
  expect(shared.lines).toEqual([
    `private_key=${'01'.repeat(32)}`,
    'listen_port=51821',
    `public_key=${'01'.repeat(32)}`,
    `preshared_key=${'01'.repeat(32)}`,
    'allowed_ip=100.64.0.9/32',
  ])
})
