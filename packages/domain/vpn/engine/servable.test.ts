import type { Access, Inbound, InboundOf } from '@sallyport/contract/agent/agent'
import { expect, test } from 'vitest'
import { servable } from './servable.ts'

const inbound: InboundOf<'vless'> = {
  tag: 'vless-1',
  protocol: 'vless',
  listen: '0.0.0.0',
  port: 443,
  reality: {
    target: 'www.example.com:443',
    server_names: ['www.example.com'],
    private_key: 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo',
    short_ids: ['0123456789abcdef'],
  },
}
const access = (id: string, uuid: string, onInbound = 'vless-1'): Access => ({
  id,
  revision: 1,
  kind: 'shared',
  inbound: onInbound,
  account: { protocol: 'vless', uuid, flow: '' },
})
const uuid = '5783a3e7-e373-51cd-8642-c83782b807c5'

test('a good state is served whole', () => {
  expect(servable([inbound], [access('c1', uuid)])).toEqual({
    inbounds: [inbound],
    accesses: [access('c1', uuid)],
    problems: [],
  })
})

test.each([
  ['a private key in standard base64', { ...inbound.reality, private_key: `${'x'.repeat(42)}+` }],
  ['an odd short id', { ...inbound.reality, short_ids: ['abc'] }],
  ['no server names', { ...inbound.reality, server_names: [] }],
  ['a target without a port', { ...inbound.reality, target: 'www.example.com' }],
])('an inbound with %s is left out with its accesses, others stay', (_what, reality) => {
  const answer = servable(
    [{ ...inbound, tag: 'bad', port: 444, reality }, inbound],
    [access('c1', uuid), access('c2', uuid, 'bad')],
  )
  expect(answer.inbounds).toEqual([inbound])
  expect(answer.accesses).toEqual([access('c1', uuid)])
  expect(answer.problems).toHaveLength(2)
})

test('a malformed uuid and one that Xray cannot tell from another are left out', () => {
  const lookalike = '5783a3e7-e373-ffff-8642-c83782b807c5'
  const answer = servable([inbound], [access('c1', uuid), access('c2', 'nope'), access('c3', lookalike)])
  expect(answer.accesses.map(({ id }) => id)).toEqual(['c1'])
  expect(answer.problems).toEqual([
    { id: 'c2', revision: 1, reason: 'access c2: its uuid is not a UUID' },
    { id: 'c3', revision: 1, reason: 'access c3: its uuid is taken on this inbound' },
  ])
})

const trojan: Inbound = {
  tag: 'trojan-1',
  protocol: 'trojan',
  listen: '0.0.0.0',
  port: 8443,
  tls: { server_name: 'a', certificate: 'c', key: 'k' },
}
const shadowsocks: Inbound = {
  tag: 'ss-1',
  protocol: 'shadowsocks-2022',
  listen: '0.0.0.0',
  port: 8388,
  server_key: `${'A'.repeat(43)}=`,
}
const wireguard: Inbound = { tag: 'wg-1', protocol: 'wg', listen: '0.0.0.0', port: 51820, private_key: 'k' }
const shared = (id: string, onInbound: string, account: Extract<Access, { kind: 'shared' }>['account']) => ({
  id,
  revision: 1,
  kind: 'shared' as const,
  inbound: onInbound,
  account,
})
const proxy = (id: string, user: string, port = 1080): Access => ({
  id,
  revision: 1,
  kind: 'proxy',
  protocol: 'socks5',
  listen: '0.0.0.0',
  port,
  user,
  password: 'p',
})
const reasonsOf = (inbounds: Inbound[], accesses: Access[]) =>
  servable(inbounds, accesses).problems.map(({ reason }) => reason)

test('an account of another protocol is refused', () => {
  const accesses = [
    shared('c1', 'trojan-1', { protocol: 'trojan', password: 'p' }),
    shared('c2', 'trojan-1', { protocol: 'outline', password: 'q' }),
    shared('c3', 'vless-1', { protocol: 'wg', public_key: '', preshared_key: '', address: '' }),
  ]
  const answer = servable([inbound, trojan], accesses)
  expect(answer.accesses.map(({ id }) => id)).toEqual(['c1'])
  expect(answer.problems.map(({ reason }) => reason)).toEqual([
    'access c2: a outline account cannot be on trojan',
    'access c3: a wg account cannot be on vless',
  ])
})

test('what other engines carry is neither served nor a problem', () => {
  const mtproto: Access = { id: 's1', revision: 1, kind: 'mtproto', listen: '::', port: 1, secret: 'ee' }
  const peer = shared('c1', 'wg-1', { protocol: 'wg', public_key: '', preshared_key: '', address: '' })
  expect(servable([wireguard], [mtproto, peer])).toEqual({ inbounds: [], accesses: [], problems: [] })
})

test('keys of another length are refused: one would shut everybody out of the inbound', () => {
  const account = (key: string) => ({ protocol: 'shadowsocks-2022' as const, key })
  const good = shared('c1', 'ss-1', account(`${'B'.repeat(43)}=`))
  const short = shared('c2', 'ss-1', account(`${'B'.repeat(22)}==`))
  const twice = shared('c3', 'ss-1', account(`${'B'.repeat(43)}=`))
  expect(servable([shadowsocks], [good, short, twice]).accesses).toEqual([good])
  expect(reasonsOf([{ ...shadowsocks, server_key: 'x' }], [])).toEqual([
    'inbound ss-1: its server key is not 32 bytes in Base64',
  ])
})

test('names that Xray would confuse are refused', () => {
  const odd = { ...access('regexp:.', uuid), revision: 3 }
  expect(servable([inbound], [odd]).problems).toEqual([
    { id: 'regexp:.', revision: 3, reason: expect.stringContaining('its id has letters') },
  ])
  const names = reasonsOf(
    [inbound],
    [access('c1', uuid), proxy('s1', 'c1', 1), proxy('s2', 'u', 2), proxy('s3', 'u', 3)],
  )
  expect(names).toEqual([
    'access s3: its user name is taken by another proxy',
    "access s1: its user name is a customer's id",
  ])
  expect(reasonsOf([{ ...inbound, tag: 'proxy-s1' }], [])).toEqual(['inbound proxy-s1: its tag is reserved'])
})

test('a port is opened once, but TCP and UDP are different ports', () => {
  const hysteria: Inbound = { ...trojan, tag: 'h', protocol: 'hysteria2', port: 443, obfs_password: 'o' }
  expect(reasonsOf([inbound, hysteria], [proxy('s1', 'u', 80)])).toEqual([])
  expect(reasonsOf([inbound, { ...trojan, port: 443 }], [proxy('s1', 'u', 443)])).toEqual([
    'inbound trojan-1: its port 443 is taken here',
    'access s1: its port 443 is taken here',
  ])
})

test.each([
  ['not JSON', '{', 'its exit is not JSON'],
  ['no way out', '{"protocol":"freedom"}', 'its exit cannot go through freedom'],
])('an exit that is %s is refused', (_what, outbound, problem) => {
  const exit = { outbound, direct_domains: [], direct_networks: [] }
  const bridged = { ...access('c1', uuid), exit } as Access
  expect(reasonsOf([inbound], [bridged])).toEqual([`access c1: ${problem}`])
})

test('Shadowsocks 2022 without users is not opened: the server key alone would do', () => {
  const key = Buffer.alloc(32, 5).toString('base64')
  const user: Access = {
    ...access('c1', uuid, 'ss-1'),
    kind: 'shared',
    inbound: 'ss-1',
    account: { protocol: 'shadowsocks-2022', key },
  }
  const empty: Inbound = {
    tag: 'ss-1',
    protocol: 'shadowsocks-2022',
    listen: '0.0.0.0',
    port: 8388,
    server_key: Buffer.alloc(32, 6).toString('base64'),
  }
  expect(servable([empty, inbound], []).inbounds).toEqual([inbound])
  expect(servable([empty, inbound], [user]).inbounds).toEqual([empty, inbound])
})
