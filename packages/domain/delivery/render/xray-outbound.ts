import { isIP } from 'node:net'
import type {
  Endpoint,
  Hysteria2Endpoint,
  ProxyEndpoint,
  ShadowsocksEndpoint,
  TlsSecurity,
  Transport,
  TrojanEndpoint,
  VlessEndpoint,
  WireguardEndpoint,
} from '../../vpn/endpoint.ts'
import type { XrayOutbound } from '../../vpn/engine/xray-json.ts'
import { offeredAlpn, plainTcp, type Secured, shownName } from './client-tls.ts'
import { allTraffic, keepaliveSeconds } from './conf.ts'
import { authority } from './url-parts.ts'

/** Xray's client side of an endpoint, without a tag. */

const transportSettings = (transport: Transport): object => {
  switch (transport.kind) {
    case 'tcp':
      return { network: 'tcp' }
    case 'xhttp':
      return { network: 'xhttp', xhttpSettings: { path: transport.path, mode: transport.mode } }
    case 'grpc':
      return { network: 'grpc', grpcSettings: { serviceName: transport.serviceName } }
    case 'ws':
    case 'httpupgrade': {
      const { kind, path, host } = transport
      return { network: kind, [`${kind}Settings`]: { path, ...(host !== '' && { host }) } }
    }
  }
}

/** A pin stands in for the authority; without one and without a name to send, the host is what it must be for. */
const trust = ({ pinSha256, serverName }: TlsSecurity, host: string): object => {
  if (pinSha256 !== null) return { pinnedPeerCertSha256: pinSha256 }
  return serverName === null && isIP(host) === 0 ? { verifyPeerCertByName: host } : {}
}

const securitySettings = ({ host, security }: Secured, transport: Transport): object => {
  const { fingerprint } = security
  const serverName = shownName(security.serverName, host)
  if (security.kind === 'reality') {
    const { publicKey, shortId } = security
    const realitySettings = { serverName, fingerprint, publicKey, shortId, spiderX: '/' }
    return { security: 'reality', realitySettings }
  }
  const alpn = offeredAlpn(security.alpn, transport)
  const tlsSettings = { serverName, fingerprint, ...(alpn.length > 0 && { alpn }), ...trust(security, host) }
  return { security: 'tls', tlsSettings }
}

const streamSettings = (endpoint: Secured, transport: Transport): object => ({
  ...transportSettings(transport),
  ...securitySettings(endpoint, transport),
})

const vless = (endpoint: VlessEndpoint): XrayOutbound => {
  const { host: address, port, uuid: id, flow, transport } = endpoint
  const user = { id, encryption: 'none', ...(flow !== '' && { flow }) }
  return {
    protocol: 'vless',
    settings: { vnext: [{ address, port, users: [user] }] },
    streamSettings: streamSettings(endpoint, transport),
  }
}

const trojan = (endpoint: TrojanEndpoint): XrayOutbound => ({
  protocol: 'trojan',
  settings: { servers: [{ address: endpoint.host, port: endpoint.port, password: endpoint.password }] },
  streamSettings: streamSettings(endpoint, plainTcp),
})

const shadowsocks = ({ host: address, port, method, password }: ShadowsocksEndpoint): XrayOutbound => ({
  protocol: 'shadowsocks',
  settings: { servers: [{ address, port, method, password }] },
})

const hysteria2 = (endpoint: Hysteria2Endpoint): XrayOutbound => ({
  protocol: 'hysteria',
  settings: { version: 2, address: endpoint.host, port: endpoint.port },
  streamSettings: {
    network: 'hysteria',
    hysteriaSettings: { version: 2, auth: endpoint.auth },
    security: 'tls',
    tlsSettings: {
      serverName: endpoint.serverName,
      // Xray's default, h2 and http/1.1, is made for TCP.
      alpn: ['h3'],
      ...(endpoint.pinSha256 !== null && { pinnedPeerCertSha256: endpoint.pinSha256 }),
    },
    finalmask: { udp: [{ type: 'salamander', settings: { password: endpoint.obfsPassword } }] },
  },
})

const wireguard = (endpoint: WireguardEndpoint): XrayOutbound => ({
  protocol: 'wireguard',
  settings: {
    secretKey: endpoint.privateKey,
    address: [`${endpoint.address}/32`],
    peers: [
      {
        publicKey: endpoint.publicKey,
        preSharedKey: endpoint.presharedKey,
        endpoint: authority(endpoint),
        allowedIPs: allTraffic,
        keepAlive: keepaliveSeconds,
      },
    ],
    mtu: endpoint.mtu,
    // The tunnel has no IPv6 address of its own.
    domainStrategy: 'ForceIPv4',
    noKernelTun: true,
  },
})

const proxy = (protocol: 'http' | 'socks', endpoint: ProxyEndpoint): XrayOutbound => ({
  protocol,
  settings: {
    servers: [
      {
        address: endpoint.host,
        port: endpoint.port,
        users: [{ user: endpoint.user, pass: endpoint.password }],
      },
    ],
  },
})

/** Null for what Xray cannot speak as a client. */
export const xrayOutbound = (endpoint: Endpoint): XrayOutbound | null => {
  switch (endpoint.protocol) {
    case 'vless':
      return vless(endpoint)
    case 'trojan':
      return trojan(endpoint)
    case 'shadowsocks':
      return shadowsocks(endpoint)
    case 'hysteria2':
      return hysteria2(endpoint)
    case 'wireguard':
      return endpoint.awg === null ? wireguard(endpoint) : null
    case 'http':
      return proxy('http', endpoint)
    case 'socks5':
      return proxy('socks', endpoint)
    case 'mtproto':
      return null
  }
}
