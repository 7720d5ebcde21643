import type { Certificate, Reality } from '@sallyport/contract/agent/agent'
import { privateNetworks } from '../private-networks.ts'
import { fallbackLimits } from './fallback-limits.ts'
import {
  isProxy,
  isShared,
  type ProxyAccess,
  proxyTag,
  type SharedAccess,
  userOf,
  type XrayAccess,
  type XrayInbound,
  xrayClient,
} from './xray-accounts.ts'
import type { XrayOutbound, XrayRule } from './xray-json.ts'

export interface XrayServerOptions {
  /** Port of Xray's own gRPC API on 127.0.0.1. */
  readonly apiPort: number
  /** Lets customers reach loopback and private networks; for tests and the one-machine demo only. */
  readonly allowPrivateTargets?: boolean
  /**
   * Rules see only the first datagram of a UDP session, whose later ones may go anywhere. Where the kernel
   * does not keep them from private networks, customers get no UDP. True unless said otherwise.
   */
  readonly allowUdp?: boolean
  /**
   * Stands in the tag of every outbound, and so in every true line of the access log. Customers choose the
   * targets that the log repeats, line ends included, and must not be able to write lines of their own.
   */
  readonly mark?: string
  /** The machine's own, public ones too: closed here where no packet filter closes them. */
  readonly ownAddresses?: readonly string[]
  /** Put on the sockets through which traffic leaves from here, for the packet filter; needs CAP_NET_ADMIN. */
  readonly socketMark?: number
}

const sniffing = { enabled: true, destOverride: ['http', 'tls', 'quic'], routeOnly: true }

const realityStream = (reality: Reality) => ({
  network: 'tcp',
  security: 'reality',
  realitySettings: {
    target: reality.target,
    xver: 0,
    serverNames: reality.server_names,
    privateKey: reality.private_key,
    shortIds: reality.short_ids,
    // Newer servers otherwise refuse sing-box and mihomo, which announce 1.8.x.
    minClientVer: '1.8.0',
    ...fallbackLimits,
  },
})

const lines = (pem: string): string[] => pem.trim().split(/\r?\n/)

const tlsSettings = ({ certificate, key }: Certificate, alpn: readonly string[]) => ({
  alpn,
  certificates: [{ certificate: lines(certificate), key: lines(key) }],
})

const hysteriaStream = (tls: Certificate, obfsPassword: string) => ({
  network: 'hysteria',
  hysteriaSettings: { version: 2 },
  security: 'tls',
  tlsSettings: tlsSettings(tls, ['h3']),
  finalmask: { udp: [{ type: 'salamander', settings: { password: obfsPassword } }] },
})

const protocolSettings = (inbound: XrayInbound, clients: ReturnType<typeof xrayClient>[]) => {
  switch (inbound.protocol) {
    case 'vless':
    case 'vless-2410':
      return {
        protocol: 'vless',
        settings: { clients, decryption: 'none' },
        streamSettings: realityStream(inbound.reality),
      }
    case 'trojan':
      return {
        protocol: 'trojan',
        settings: { clients },
        streamSettings: {
          network: 'tcp',
          security: 'tls',
          tlsSettings: tlsSettings(inbound.tls, ['h2', 'http/1.1']),
        },
      }
    case 'trojan-2901':
      return { protocol: 'trojan', settings: { clients }, streamSettings: realityStream(inbound.reality) }
    case 'outline':
      return { protocol: 'shadowsocks', settings: { clients, network: 'tcp,udp' } }
    case 'shadowsocks-2022':
      return {
        protocol: 'shadowsocks',
        settings: {
          method: '2022-blake3-aes-256-gcm',
          password: inbound.server_key,
          clients,
          network: 'tcp,udp',
        },
      }
    case 'hysteria2':
      return {
        protocol: 'hysteria',
        settings: { version: 2, clients },
        streamSettings: hysteriaStream(inbound.tls, inbound.obfs_password),
      }
  }
}

/** A shared inbound with those of the accesses that are its own. */
export const xrayInbound = (inbound: XrayInbound, accesses: readonly XrayAccess[]) => {
  const { tag, listen, port } = inbound
  const own = accesses.filter(isShared).filter((access) => access.inbound === tag)
  return { tag, listen, port, ...protocolSettings(inbound, own.map(xrayClient)), sniffing }
}

/** The inbound that is one customer's proxy. */
export const xrayProxy = ({ id, protocol, listen, port, user, password, without_udp }: ProxyAccess) => {
  const udp = !without_udp
  const accounts = [{ user, pass: password }]
  const settings =
    protocol === 'http' ? { accounts, userLevel: 0 } : { auth: 'password', accounts, udp, userLevel: 0 }
  return {
    tag: proxyTag(id),
    listen,
    port,
    protocol: protocol === 'http' ? 'http' : 'socks',
    settings,
    sniffing,
  }
}

/** Tags of outbounds under a mark. */
const marked = (name: string, mark = ''): string => (mark === '' ? name : `${name}~${mark}`)
export const blockTag = (mark?: string): string => marked('block', mark)
export const exitTag = (id: string, mark?: string): string => marked(`bridge-${id}`, mark)

/** The outbound of a bridged customer, or null for one who leaves from here. */
export const exitOutbound = ({ id, exit }: SharedAccess, mark?: string): XrayOutbound | null =>
  exit ? { ...(JSON.parse(exit.outbound) as XrayOutbound), tag: exitTag(id, mark) } : null

/** Names of a bridged customer's rules, in their order; each stands once in a router. */
export const exitRuleTags = (id: string): string[] => [
  `bridge-${id}-domains`,
  `bridge-${id}-networks`,
  `bridge-${id}`,
]

/** Xray compares users exactly, so a12 is not a123. */
export const exitRules = ({ id, account, exit }: SharedAccess, mark?: string): XrayRule[] => {
  if (!exit) return []
  const [domainsTag, networksTag, restTag] = exitRuleTags(id)
  const { direct_domains: domains, direct_networks: networks } = exit
  const direct = marked('direct', mark)
  const user = [userOf({ id, account })]
  return [
    ...(domains.length > 0
      ? [
          {
            ruleTag: domainsTag,
            user,
            domain: domains.map((name) => `domain:${name}`),
            outboundTag: direct,
          },
        ]
      : []),
    ...(networks.length > 0 ? [{ ruleTag: networksTag, user, ip: networks, outboundTag: direct }] : []),
    { ruleTag: restTag, user, network: 'tcp,udp', outboundTag: exitTag(id, mark) },
  ]
}

/**
 * Targets given as addresses are refused by the routing rule. Targets given as names are resolved by
 * Xray's own resolver, which drops private answers; a routing rule on resolved names would not do,
 * because the outbound resolves once more and a rebinding name may then answer differently.
 */
const publicTargetsOnly = ({ mark, ownAddresses = [] }: XrayServerOptions) => {
  const closed = [...privateNetworks, ...ownAddresses]
  return {
    dns: { servers: [{ address: 'localhost', unexpectedIPs: closed }] },
    directSettings: { domainStrategy: 'ForceIPv4v6' },
    rules: [{ ip: closed, outboundTag: blockTag(mark) }],
  }
}

/** From 26.4 Xray refuses private targets by itself unless told otherwise; older versions ignore the key. */
const anyTarget = { directSettings: { finalRules: [{ action: 'allow' }] }, rules: [] }

/** The whole server-side configuration of one Xray that serves these accesses. */
export const xrayServer = (
  inbounds: readonly XrayInbound[],
  accesses: readonly XrayAccess[],
  options: XrayServerOptions,
) => {
  const { mark, socketMark, allowUdp = true } = options
  const noUdp: XrayRule[] = allowUdp ? [] : [{ network: 'udp', outboundTag: blockTag(mark) }]
  const { directSettings, rules, ...rest } = options.allowPrivateTargets
    ? anyTarget
    : publicTargetsOnly(options)
  const shared = accesses.filter(isShared)
  return {
    // The access log goes to the agent through a pipe; see the agent's live-connections.ts.
    log: { loglevel: 'warning', access: '', error: '', dnsLog: false },
    api: {
      tag: 'api',
      listen: `127.0.0.1:${options.apiPort}`,
      services: ['HandlerService', 'StatsService', 'RoutingService'],
    },
    stats: {},
    policy: { levels: { '0': { statsUserUplink: true, statsUserDownlink: true } } },
    ...rest,
    inbounds: [
      ...inbounds.map((inbound) => xrayInbound(inbound, shared)),
      ...accesses.filter(isProxy).map(xrayProxy),
    ],
    outbounds: [
      {
        tag: marked('direct', mark),
        protocol: 'freedom',
        settings: directSettings,
        ...(socketMark !== undefined && { streamSettings: { sockopt: { mark: socketMark } } }),
      },
      { tag: blockTag(mark), protocol: 'blackhole' },
      ...shared.flatMap((access) => exitOutbound(access, mark) ?? []),
    ],
    routing: {
      // AsIs on purpose: rules must see the real target address, not what a sniffed name resolves to.
      domainStrategy: 'AsIs',
      // Bridges come after what is forbidden to everybody.
      rules: [...noUdp, ...rules, ...shared.flatMap((access) => exitRules(access, mark))],
    },
  }
}
