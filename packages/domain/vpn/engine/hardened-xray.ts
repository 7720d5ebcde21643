import type { Exit } from '@sallyport/contract/agent/agent'
import { privateNetworks } from '../private-networks.ts'
import { fallbackLimits } from './fallback-limits.ts'
import type { XrayDns, XrayInstance, XrayOutbound, XrayRule, XrayVlessInbound } from './xray-json.ts'

/** What the agent adds to a personal instance's JSON, whoever wrote it. */
export interface Hardening {
  readonly id: string
  readonly listen: string
  readonly port: number
  readonly apiPort: number
  /** Where REALITY goes instead of what the JSON names: the agent's own site, or the address of the one named. */
  readonly target?: string | undefined
  readonly exit?: Exit | undefined
  readonly allowPrivateTargets: boolean
  /**
   * Rules see only the first datagram of a UDP session, whose later ones may go anywhere. Where the kernel
   * does not keep them from private networks, customers get no UDP. True unless said otherwise.
   */
  readonly allowUdp?: boolean
  /** The machine's own, public ones too: closed here where no packet filter closes them. */
  readonly ownAddresses?: readonly string[]
}

const exitTag = 'bridge'
const blockTag = 'private-targets'
const inboundTag = 'in'
const homeTag = 'from-here'

const hardenedInbound = (inbound: XrayVlessInbound, at: Hardening) => {
  const { realitySettings, ...stream } = inbound.streamSettings
  return {
    ...inbound,
    tag: inboundTag,
    listen: at.listen,
    port: at.port,
    settings: {
      ...inbound.settings,
      clients: inbound.settings.clients.map((client, index) => ({
        ...client,
        email: `${at.id}~${index}`,
        level: 0,
      })),
    },
    streamSettings: {
      ...stream,
      ...(realitySettings && {
        realitySettings: {
          ...realitySettings,
          ...(at.target !== undefined && { target: at.target }),
          minClientVer: '1.8.0',
          ...fallbackLimits,
        },
      }),
    },
  }
}

/** Names are resolved by Xray's own resolver, which drops private answers, and by nothing after it. */
const guardedOutbound = (outbound: XrayOutbound): XrayOutbound => {
  if (outbound.protocol === 'freedom') {
    return { ...outbound, settings: { ...outbound.settings, domainStrategy: 'ForceIPv4v6' } }
  }
  return outbound.protocol === 'wireguard'
    ? { ...outbound, settings: { ...outbound.settings, noKernelTun: true } }
    : outbound
}

const closedTo = ({ ownAddresses = [] }: Hardening): string[] => [...privateNetworks, ...ownAddresses]

const guardedDns = (dns: XrayDns | undefined, at: Hardening) => ({
  ...dns,
  servers: (dns?.servers ?? ['localhost']).map((server) => ({
    ...(typeof server === 'string' ? { address: server } : server),
    unexpectedIPs: closedTo(at),
  })),
})

const isCatchAll = ({ outboundTag, network, ...matchers }: XrayRule): boolean =>
  Object.keys(matchers).length === 0

const exitRules = ({ direct_domains, direct_networks }: Exit): XrayRule[] => [
  ...(direct_domains.length > 0
    ? [{ domain: direct_domains.map((name) => `domain:${name}`), outboundTag: homeTag }]
    : []),
  ...(direct_networks.length > 0 ? [{ ip: direct_networks, outboundTag: homeTag }] : []),
  { network: 'tcp,udp', outboundTag: exitTag },
]

/** A bridge goes before what would send everything elsewhere, and after what blocks or picks. */
const withExit = (rules: readonly XrayRule[], exit: Exit | undefined): readonly XrayRule[] => {
  if (!exit) return rules
  const at = rules.findIndex(isCatchAll)
  const index = at === -1 ? rules.length : at
  return [...rules.slice(0, index), ...exitRules(exit), ...rules.slice(index)]
}

/** What is forbidden before all else. Questions of Xray's own resolver do not come from the inbound. */
const bans = (at: Hardening): XrayRule[] => [
  ...((at.allowUdp ?? true) ? [] : [{ inboundTag: [inboundTag], network: 'udp', outboundTag: blockTag }]),
  ...(at.allowPrivateTargets ? [] : [{ ip: closedTo(at), outboundTag: blockTag }]),
]

/** The whole configuration of one personal Xray as it runs. */
export const hardenedXray = (instance: XrayInstance, at: Hardening) => {
  const { exit, allowPrivateTargets: isOpen } = at
  const rules = withExit(instance.routing.rules, exit)
  const direct: XrayOutbound = { tag: homeTag, protocol: 'freedom' }
  const own = exit ? [{ ...(JSON.parse(exit.outbound) as XrayOutbound), tag: exitTag }, direct] : []
  const anyTarget = { finalRules: [{ action: 'allow' }] }
  return {
    log: { loglevel: 'error', access: 'none', error: '', dnsLog: false },
    api: { tag: 'api', listen: `127.0.0.1:${at.apiPort}`, services: ['StatsService'] },
    stats: {},
    policy: { levels: { '0': { statsUserUplink: true, statsUserDownlink: true } } },
    ...(isOpen ? instance.dns && { dns: instance.dns } : { dns: guardedDns(instance.dns, at) }),
    inbounds: [hardenedInbound(instance.inbounds[0], at)],
    outbounds: [
      ...instance.outbounds.map((outbound) => {
        if (!isOpen) return guardedOutbound(outbound)
        return outbound.protocol === 'freedom' ? { ...outbound, settings: anyTarget } : outbound
      }),
      ...own,
      { tag: blockTag, protocol: 'blackhole' },
    ],
    routing: {
      // AsIs on purpose: rules must see the real target address, not what a sniffed name resolves to.
      domainStrategy: 'AsIs',
      rules: [...bans(at), ...rules],
    },
  }
}
