import type { Access, Inbound } from '@sallyport/contract/agent'
import { privateNetworks } from '../private-networks.ts'

export interface XrayServerOptions {
  /** Port of Xray's own gRPC API on 127.0.0.1. */
  readonly apiPort: number
  /** Lets customers reach loopback and private networks; for tests and the one-machine demo only. */
  readonly allowPrivateTargets?: boolean
}

const client = ({ id, account }: Access) => ({
  id: account.uuid,
  email: id,
  level: 0,
  ...(account.flow === '' ? {} : { flow: account.flow }),
})

export const xrayInbound = (inbound: Inbound, accesses: readonly Access[]) => ({
  tag: inbound.tag,
  listen: inbound.listen,
  port: inbound.port,
  protocol: 'vless',
  settings: {
    clients: accesses.filter((access) => access.inbound === inbound.tag).map(client),
    decryption: 'none',
  },
  streamSettings: {
    network: 'tcp',
    security: 'reality',
    realitySettings: {
      target: inbound.reality.target,
      xver: 0,
      serverNames: inbound.reality.server_names,
      privateKey: inbound.reality.private_key,
      shortIds: inbound.reality.short_ids,
      // Newer servers otherwise refuse sing-box and mihomo, which announce 1.8.x.
      minClientVer: '1.8.0',
    },
  },
  sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'], routeOnly: true },
})

/**
 * Targets given as addresses are refused by the routing rule. Targets given as names are resolved by
 * Xray's own resolver, which drops private answers; a routing rule on resolved names would not do,
 * because the outbound resolves once more and a rebinding name may then answer differently.
 */
const publicTargetsOnly = {
  dns: { servers: [{ address: 'localhost', unexpectedIPs: privateNetworks }] },
  direct: { tag: 'direct', protocol: 'freedom', settings: { domainStrategy: 'ForceIPv4v6' } },
  rules: [{ ip: privateNetworks, outboundTag: 'block' }],
}

/** From 26.4 Xray refuses private targets by itself unless told otherwise; older versions ignore the key. */
const anyTarget = {
  direct: { tag: 'direct', protocol: 'freedom', settings: { finalRules: [{ action: 'allow' }] } },
  rules: [],
}

/** The whole server-side configuration of one Xray that serves these accesses. */
export const xrayServer = (
  inbounds: readonly Inbound[],
  accesses: readonly Access[],
  options: XrayServerOptions,
) => {
  const { direct, rules, ...rest } = options.allowPrivateTargets ? anyTarget : publicTargetsOnly
  return {
    // The access log goes to the agent through a pipe; see the agent's live-connections.ts.
    log: { loglevel: 'warning', access: '', error: '', dnsLog: false },
    api: {
      tag: 'api',
      listen: `127.0.0.1:${options.apiPort}`,
      services: ['HandlerService', 'StatsService', 'RoutingService'],
    },
    stats: {},
    policy: { levels: { '0': { statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true } } },
    ...rest,
    inbounds: inbounds.map((inbound) => xrayInbound(inbound, accesses)),
    outbounds: [direct, { tag: 'block', protocol: 'blackhole' }],
    // AsIs on purpose: rules must see the real target address, not what a sniffed name resolves to.
    routing: { domainStrategy: 'AsIs', rules },
  }
}
