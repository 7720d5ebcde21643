import type { InboundOf } from '@sallyport/contract/agent/agent'
import { expect, test } from 'vitest'
import { fallbackLimits } from './fallback-limits.ts'
import type { ProxyAccess, SharedAccess, XrayInbound } from './xray-accounts.ts'
import { xrayServer } from './xray-server.ts'

const inbound: InboundOf<'vless'> = {
  tag: 'vless-3',
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
const access = (id: string, tag: string, flow: '' | 'xtls-rprx-vision'): SharedAccess => ({
  id,
  revision: 1,
  kind: 'shared',
  inbound: tag,
  account: { protocol: 'vless', uuid: '5783a3e7-e373-51cd-8642-c83782b807c5', flow },
})

test('the whole configuration, word for word', () => {
  const accesses = [access('c12', 'vless-3', 'xtls-rprx-vision'), access('c13', 'vless-4', '')]
  const { dns, routing, ...config } = xrayServer([inbound], accesses, { apiPort: 10085 })
  expect(config).toEqual({
    log: { loglevel: 'warning', access: '', error: '', dnsLog: false },
    api: {
      tag: 'api',
      listen: '127.0.0.1:10085',
      services: ['HandlerService', 'StatsService', 'RoutingService'],
    },
    stats: {},
    policy: { levels: { '0': { statsUserUplink: true, statsUserDownlink: true } } },
    inbounds: [
      {
        tag: 'vless-3',
        listen: '0.0.0.0',
        port: 443,
        protocol: 'vless',
        settings: {
          clients: [
            {
              id: '5783a3e7-e373-51cd-8642-c83782b807c5',
              email: 'c12',
              level: 0,
              flow: 'xtls-rprx-vision',
            },
          ],
          decryption: 'none',
        },
        streamSettings: {
          network: 'tcp',
          security: 'reality',
          realitySettings: {
            target: 'www.example.com:443',
            xver: 0,
            serverNames: ['www.example.com'],
            privateKey: 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo',
            shortIds: ['0123456789abcdef'],
            minClientVer: '1.8.0',
            ...fallbackLimits,
          },
        },
        sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'], routeOnly: true },
      },
    ],
    outbounds: [
      { tag: 'direct', protocol: 'freedom', settings: { domainStrategy: 'ForceIPv4v6' } },
      { tag: 'block', protocol: 'blackhole' },
    ],
  })
  expect(dns?.servers).toEqual([{ address: 'localhost', unexpectedIPs: routing.rules[0]?.ip }])
})

test('private networks are refused both as addresses and as answers to names', () => {
  const { dns, routing } = xrayServer([inbound], [], { apiPort: 1 })
  expect(routing.rules).toHaveLength(1)
  for (const network of ['127.0.0.0/8', '10.0.0.0/8', '169.254.0.0/16', '::/127', 'fc00::/7']) {
    expect(routing.rules[0]?.ip).toContain(network)
    expect(dns?.servers[0]?.unexpectedIPs).toContain(network)
  }
})

test('so are the addresses of the machine itself, where Xray has to close them', () => {
  const own = ['198.51.100.7', '2001:db8::7']
  const { dns, routing } = xrayServer([inbound], [], { apiPort: 1, ownAddresses: own })
  expect(routing.rules[0]?.ip).toEqual(expect.arrayContaining(own))
  expect(dns?.servers[0]?.unexpectedIPs).toEqual(expect.arrayContaining(own))
})

test('an account without a flow has no flow key', () => {
  const config = xrayServer([inbound], [access('c1', 'vless-3', '')], { apiPort: 1 })
  const [served] = config.inbounds
  expect(served?.settings).toHaveProperty('clients', [
    expect.not.objectContaining({ flow: expect.anything() }),
  ])
})

test('private targets are reachable only on request', () => {
  const config = xrayServer([inbound], [], { apiPort: 1, allowPrivateTargets: true })
  expect(config.routing.rules).toEqual([])
  expect(config).not.toHaveProperty('dns')
  expect(config.outbounds[0]).toEqual({
    tag: 'direct',
    protocol: 'freedom',
    settings: { finalRules: [{ action: 'allow' }] },
  })
})

const tls = { server_name: 'a', certificate: '-----B\ncert\n-----E\n', key: '-----B\nkey\n-----E\n' }
const place = { listen: '0.0.0.0', port: 443 }
const { reality } = inbound

const cases: [XrayInbound, SharedAccess['account'], object][] = [
  [
    { ...place, tag: 't', protocol: 'trojan', tls },
    { protocol: 'trojan', password: 'p' },
    {
      protocol: 'trojan',
      settings: { clients: [{ password: 'p', email: 'c1', level: 0 }] },
      streamSettings: {
        network: 'tcp',
        security: 'tls',
        tlsSettings: {
          alpn: ['h2', 'http/1.1'],
          certificates: [{ certificate: ['-----B', 'cert', '-----E'], key: ['-----B', 'key', '-----E'] }],
        },
      },
    },
  ],
  [
    { ...place, tag: 't', protocol: 'trojan-2901', reality },
    { protocol: 'trojan', password: 'p' },
    { protocol: 'trojan', streamSettings: { network: 'tcp', security: 'reality' } },
  ],
  [
    { ...place, tag: 't', protocol: 'vless-2410', reality, site: tls },
    { protocol: 'vless', uuid: 'u', flow: 'xtls-rprx-vision' },
    { protocol: 'vless', streamSettings: { realitySettings: { target: reality.target } } },
  ],
  [
    { ...place, tag: 't', protocol: 'outline' },
    { protocol: 'outline', password: 'p' },
    {
      protocol: 'shadowsocks',
      settings: {
        clients: [{ method: 'chacha20-ietf-poly1305', password: 'p', email: 'c1', level: 0 }],
        network: 'tcp,udp',
      },
    },
  ],
  [
    { ...place, tag: 't', protocol: 'shadowsocks-2022', server_key: 's' },
    { protocol: 'shadowsocks-2022', key: 'k' },
    {
      protocol: 'shadowsocks',
      settings: {
        method: '2022-blake3-aes-256-gcm',
        password: 's',
        clients: [{ password: 'k', email: 'c1', level: 0 }],
        network: 'tcp,udp',
      },
    },
  ],
  [
    { ...place, tag: 't', protocol: 'hysteria2', tls, obfs_password: 'o' },
    { protocol: 'hysteria2', auth: 'a' },
    {
      protocol: 'hysteria',
      settings: { version: 2, clients: [{ auth: 'a', email: 'c1.ca978112ca1b', level: 0 }] },
      streamSettings: {
        network: 'hysteria',
        hysteriaSettings: { version: 2 },
        security: 'tls',
        tlsSettings: { alpn: ['h3'] },
        finalmask: { udp: [{ type: 'salamander', settings: { password: 'o' } }] },
      },
    },
  ],
]

test.each(cases)('an inbound of %j', (on, account, expected) => {
  const user: SharedAccess = { id: 'c1', revision: 1, kind: 'shared', inbound: 't', account }
  const { inbounds } = xrayServer([on], [user], { apiPort: 1 })
  expect(inbounds).toMatchObject([{ tag: 't', ...place, ...expected }])
})

const proxy = (protocol: 'http' | 'socks5'): ProxyAccess => ({
  id: 's1',
  revision: 1,
  kind: 'proxy',
  protocol,
  ...place,
  user: 'u',
  password: 'p',
})

test('proxies are inbounds of their own', () => {
  const { inbounds } = xrayServer([], [proxy('http'), proxy('socks5')], { apiPort: 1 })
  const accounts = [{ user: 'u', pass: 'p' }]
  expect(inbounds).toMatchObject([
    { tag: 'proxy-s1', ...place, protocol: 'http', settings: { accounts, userLevel: 0 } },
    { tag: 'proxy-s1', protocol: 'socks', settings: { auth: 'password', accounts, udp: true } },
  ])
})

test("a bridge is one customer's outbound and rules, after what is forbidden to everybody", () => {
  const exit = {
    outbound: '{"tag":"mine","protocol":"vless","settings":{"a":1}}',
    direct_domains: ['ru'],
    direct_networks: ['203.0.113.0/24'],
  }
  const bridged = { ...access('c12', 'vless-3', ''), exit }
  const plain = access('c1', 'vless-3', '')
  const { outbounds, routing } = xrayServer([inbound], [plain, bridged], { apiPort: 1, mark: 'm' })
  expect(outbounds.slice(1)).toEqual([
    { tag: 'block~m', protocol: 'blackhole' },
    { tag: 'bridge-c12~m', protocol: 'vless', settings: { a: 1 } },
  ])
  const user = ['c12']
  expect(routing.rules).toEqual([
    { ip: expect.anything(), outboundTag: 'block~m' },
    { ruleTag: 'bridge-c12-domains', user, domain: ['domain:ru'], outboundTag: 'direct~m' },
    { ruleTag: 'bridge-c12-networks', user, ip: ['203.0.113.0/24'], outboundTag: 'direct~m' },
    { ruleTag: 'bridge-c12', user, network: 'tcp,udp', outboundTag: 'bridge-c12~m' },
  ])
})

test('sockets to targets carry the mark for the packet filter, those of bridges do not', () => {
  const { outbounds } = xrayServer([inbound], [], { apiPort: 1, socketMark: 7 })
  expect(outbounds[0]).toMatchObject({ protocol: 'freedom', streamSettings: { sockopt: { mark: 7 } } })
})

test('UDP is refused before anything else where it is off', () => {
  const rulesWith = (allowUdp?: boolean) =>
    xrayServer([inbound], [], { apiPort: 1, mark: 'm', ...(allowUdp !== undefined && { allowUdp }) }).routing
      .rules
  expect(rulesWith(false)).toEqual([{ network: 'udp', outboundTag: 'block~m' }, ...rulesWith()])
  expect(rulesWith(true)).toEqual(rulesWith())
})
