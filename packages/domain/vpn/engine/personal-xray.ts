import type { SwitchName } from '@sallyport/contract/shapes'
import { privateNetworks } from '../private-networks.ts'
import type { XrayDns, XrayInstance, XrayOutbound, XrayRule, XrayStream } from './xray-json.ts'

/** What a personal instance is made from: one configuration with extended settings. */
export interface PersonalXray {
  readonly options: readonly SwitchName[]
  readonly listen: string
  readonly port: number
  readonly uuid: string
  readonly realityPrivateKey: string
  readonly shortId: string
  /** Path of xhttp and name of the gRPC service, unguessable. */
  readonly secretPath: string
  /** Borrowed sites: the usual one, and the one for change_sni. */
  readonly site: BorrowedSite
  readonly otherSite: BorrowedSite
  readonly warp: WarpAccount
  /** The country's own domain suffixes and networks; empty where nothing is special. */
  readonly homeDomains: readonly string[]
  readonly homeNetworks: readonly string[]
}

export interface BorrowedSite {
  readonly target: string
  readonly serverName: string
}

export interface WarpAccount {
  readonly privateKey: string
  readonly addresses: readonly string[]
  readonly peerPublicKey: string
  readonly endpoint: string
  readonly reserved: readonly number[]
}

const familyResolvers = ['1.1.1.3', '1.0.0.3']
/** Names of public resolvers over HTTPS, through which a browser would go around the family filter. */
const otherResolvers = [
  'domain:dns.google',
  'domain:cloudflare-dns.com',
  'domain:one.one.one.one',
  'domain:dns.quad9.net',
  'domain:dns.adguard-dns.com',
  'domain:doh.opendns.com',
  'domain:dns.nextdns.io',
]
const localNames = ['domain:local', 'domain:lan', 'domain:internal', 'full:localhost', 'domain:home.arpa']
const dnsTag = 'dns'

const security = (personal: PersonalXray): XrayStream => {
  const { options, realityPrivateKey, shortId } = personal
  if (options.includes('disable_reality')) {
    return { security: 'tls', tlsSettings: { alpn: ['h2', 'http/1.1'], minVersion: '1.3' } }
  }
  const { target, serverName } = options.includes('change_sni') ? personal.otherSite : personal.site
  return {
    security: 'reality',
    realitySettings: {
      target,
      xver: 0,
      serverNames: options.includes('disable_sni') ? [''] : [serverName],
      privateKey: realityPrivateKey,
      shortIds: [shortId],
    },
  }
}

const stream = (personal: PersonalXray): XrayStream => {
  const { options, secretPath } = personal
  if (options.includes('use_xhttp')) {
    return {
      network: 'xhttp',
      ...security(personal),
      xhttpSettings: { path: `/${secretPath}`, mode: 'auto' },
    }
  }
  if (options.includes('use_grpc')) {
    return { network: 'grpc', ...security(personal), grpcSettings: { serviceName: secretPath } }
  }
  return { network: 'tcp', ...security(personal) }
}

const hasFlow = (options: readonly SwitchName[]): boolean =>
  !options.some((name) => name === 'disable_flow_reality' || name === 'use_xhttp' || name === 'use_grpc')

const warpOutbound = (warp: WarpAccount): XrayOutbound => ({
  tag: 'warp',
  protocol: 'wireguard',
  settings: {
    secretKey: warp.privateKey,
    address: warp.addresses,
    peers: [{ publicKey: warp.peerPublicKey, endpoint: warp.endpoint, allowedIPs: ['0.0.0.0/0', '::/0'] }],
    reserved: warp.reserved,
    mtu: 1280,
    noKernelTun: true,
  },
})

/** An edited instance that still goes out through the account learns what the registrar has said since. */
export const withWarp = (instance: XrayInstance, warp: WarpAccount): XrayInstance => ({
  ...instance,
  outbounds: instance.outbounds.map((outbound) => {
    if (outbound.protocol !== 'wireguard' || outbound.settings?.secretKey !== warp.privateKey) return outbound
    const { address, peers, reserved } = warpOutbound(warp).settings ?? {}
    return { ...outbound, settings: { ...outbound.settings, address, peers, reserved } }
  }),
})

const outbounds = ({ options, warp }: PersonalXray): XrayOutbound[] => [
  { tag: 'direct', protocol: 'freedom' },
  { tag: 'block', protocol: 'blackhole' },
  ...(options.includes('enable_family_filter') ? [{ tag: 'family-dns', protocol: 'dns' }] : []),
  ...(options.includes('use_warp') ? [warpOutbound(warp)] : []),
]

/** The resolver's own questions leave first, or they would be sent back to it. */
const familyRules: readonly XrayRule[] = [
  { inboundTag: [dnsTag], outboundTag: 'direct' },
  { network: 'tcp,udp', port: '53', outboundTag: 'family-dns' },
  { port: '853', outboundTag: 'block' },
  { domain: otherResolvers, outboundTag: 'block' },
]

const rules = ({ options, homeDomains, homeNetworks }: PersonalXray): XrayRule[] => {
  const has = (name: SwitchName): boolean => options.includes(name)
  const goesHome = !has('pass_all_traffic_through_vpn')
  return [
    ...(has('enable_family_filter') ? familyRules : []),
    ...(has('block_bittorrent') ? [{ protocol: ['bittorrent'], outboundTag: 'block' }] : []),
    ...(has('block_local_network')
      ? [
          { ip: [...privateNetworks], outboundTag: 'block' },
          { domain: localNames, outboundTag: 'block' },
        ]
      : []),
    ...(goesHome && homeDomains.length > 0
      ? [{ domain: homeDomains.map((name) => `domain:${name}`), outboundTag: 'direct' }]
      : []),
    ...(goesHome && homeNetworks.length > 0 ? [{ ip: [...homeNetworks], outboundTag: 'direct' }] : []),
    ...(has('use_warp') ? [{ network: 'tcp,udp', outboundTag: 'warp' }] : []),
  ]
}

const dns: XrayDns = { tag: dnsTag, servers: familyResolvers }

/** The instance's server-side JSON, from its options. */
export const personalXray = (personal: PersonalXray): XrayInstance => ({
  ...(personal.options.includes('enable_family_filter') && { dns }),
  inbounds: [
    {
      tag: 'in',
      listen: personal.listen,
      port: personal.port,
      protocol: 'vless',
      settings: {
        clients: [{ id: personal.uuid, ...(hasFlow(personal.options) && { flow: 'xtls-rprx-vision' }) }],
        decryption: 'none',
      },
      streamSettings: stream(personal),
      sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'], routeOnly: true },
    },
  ],
  outbounds: outbounds(personal),
  routing: { domainStrategy: 'AsIs', rules: rules(personal) },
})
