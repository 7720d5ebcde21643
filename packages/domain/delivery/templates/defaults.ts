import type { JsonObject } from '../../text/strict-json.ts'
import { localNetworks } from './local-networks.ts'

/**
 * What a client does besides connecting, as each app wants it said. Small on purpose: private networks go directly,
 * everything else through the tunnel, and nothing is fetched from elsewhere. Where connections are put in is said in
 * template.ts.
 */

const { v4, v6 } = localNetworks
const testUrl = 'https://www.gstatic.com/generate_204'
const resolvers = ['1.1.1.1', '8.8.8.8']
const selector = 'VPN'
const fastest = 'Auto'

/** Ports as v2rayN and v2rayNG have them by default. Names are never looked up outside of the tunnel. */
export const xrayTemplate = {
  log: { loglevel: 'warning' },
  dns: { servers: resolvers },
  inbounds: [
    {
      tag: 'socks',
      listen: '127.0.0.1',
      port: 10808,
      protocol: 'socks',
      settings: { udp: true },
      sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'], routeOnly: true },
    },
    { tag: 'http', listen: '127.0.0.1', port: 10809, protocol: 'http' },
  ],
  outbounds: [
    { tag: 'proxy' },
    { tag: 'direct', protocol: 'freedom' },
    { tag: 'block', protocol: 'blackhole' },
  ],
  routing: {
    domainStrategy: 'AsIs',
    rules: [{ type: 'field', ip: [...v4, ...v6], outboundTag: 'direct' }],
  },
} satisfies JsonObject

const clashGroups: readonly ({ readonly url?: string } & JsonObject)[] = [
  { name: selector, type: 'select', proxies: [fastest, '$proxies'] },
  { name: fastest, type: 'url-test', url: testUrl, interval: 300, proxies: ['$proxies'] },
]
const clashRules = [
  ...v4.map((network) => `IP-CIDR,${network},DIRECT,no-resolve`),
  ...v6.map((network) => `IP-CIDR6,${network},DIRECT,no-resolve`),
  `MATCH,${selector}`,
]
const localNames = ['*.lan', '*.local', '+.msftconnecttest.com', '+.msftncsi.com']

/** With fake addresses names are looked up at the far end, but for servers and for what goes directly. */
export const mihomoTemplate = {
  'mixed-port': 7890,
  'allow-lan': false,
  mode: 'rule',
  'log-level': 'warning',
  dns: {
    enable: true,
    'enhanced-mode': 'fake-ip',
    'fake-ip-range': '198.18.0.1/16',
    'fake-ip-filter': localNames,
    nameserver: ['system', ...resolvers],
  },
  'proxy-groups': clashGroups,
  rules: clashRules,
} satisfies JsonObject

export const stashTemplate = {
  mode: 'rule',
  'log-level': 'warning',
  dns: {
    'default-nameserver': ['system', ...resolvers],
    nameserver: ['system', ...resolvers],
    'fake-ip-filter': localNames,
  },
  // Each proxy there has its own address to be tested with.
  'proxy-groups': clashGroups.map(({ url: _url, ...group }) => group),
  rules: clashRules,
} satisfies JsonObject

/** The old Clash cannot ask the device's resolver. */
export const clashTemplate = {
  'mixed-port': 7890,
  'allow-lan': false,
  mode: 'rule',
  'log-level': 'warning',
  dns: {
    enable: true,
    'enhanced-mode': 'fake-ip',
    'fake-ip-range': '198.18.0.1/16',
    'fake-ip-filter': localNames,
    nameserver: resolvers,
  },
  'proxy-groups': clashGroups,
  rules: clashRules,
} satisfies JsonObject

const singBoxCommon = {
  log: { level: 'warn' },
  inbounds: [
    {
      type: 'tun',
      tag: 'tun',
      address: ['172.19.0.1/30', 'fdfe:dcba:9876::1/126'],
      auto_route: true,
      strict_route: true,
    },
  ],
  outbounds: [
    { type: 'selector', tag: selector, outbounds: [fastest, '$proxies'], default: fastest },
    { type: 'urltest', tag: fastest, outbounds: ['$proxies'], url: testUrl, interval: '5m' },
    { type: 'direct', tag: 'direct' },
  ],
  // Without it the app forgets which server was chosen.
  experimental: { cache_file: { enabled: true } },
}
const singBoxRules = [
  { action: 'sniff' },
  { protocol: 'dns', action: 'hijack-dns' },
  { ip_is_private: true, outbound: 'direct' },
]
const singBoxRoute = { rules: singBoxRules, final: selector, auto_detect_interface: true }

/** 1.12 and later: servers of DNS have types, and who looks up the servers' own names is said in the route. */
export const singBoxTemplate = {
  ...singBoxCommon,
  dns: {
    servers: [
      { type: 'https', tag: 'remote', server: '1.1.1.1', detour: selector },
      { type: 'local', tag: 'local' },
    ],
    final: 'remote',
    strategy: 'prefer_ipv4',
  },
  route: { ...singBoxRoute, default_domain_resolver: 'local' },
} satisfies JsonObject

/** 1.11: the same in the words of its time, which 1.14 no longer reads. */
export const singBox111Template = {
  ...singBoxCommon,
  dns: {
    servers: [
      { tag: 'remote', address: 'https://1.1.1.1/dns-query', detour: selector },
      { tag: 'local', address: 'local', detour: 'direct' },
    ],
    rules: [{ outbound: 'any', server: 'local' }],
    final: 'remote',
    strategy: 'prefer_ipv4',
  },
  route: singBoxRoute,
} satisfies JsonObject
