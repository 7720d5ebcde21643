import type {
  Endpoint,
  Hysteria2Endpoint,
  ProxyEndpoint,
  ShadowsocksEndpoint,
  Transport,
  TrojanEndpoint,
  VlessEndpoint,
  WireguardEndpoint,
} from '../../vpn/endpoint.ts'
import type { SingBoxVariant } from '../format.ts'
import { offeredAlpn, plainTcp, type Secured, shownName } from './client-tls.ts'
import { allTraffic, keepaliveSeconds } from './conf.ts'

/** sing-box's client side of an endpoint, without a tag; WireGuard is an "endpoint" there. */
export type SingBoxPart = { readonly outbound: object } | { readonly endpoint: object }

/**
 * sing-box can pin the SHA-256 of the public key, or trust a whole certificate, but knows nothing of the
 * certificate's own hash, which is all we have. So a certificate that no authority signed goes unchecked.
 */
const trust = (pinSha256: string | null): object => (pinSha256 === null ? {} : { insecure: true })

const tls = ({ host, security }: Secured, transport: Transport, variant: SingBoxVariant): object => {
  const utls = { enabled: true, fingerprint: security.fingerprint }
  if (security.kind === 'reality') {
    const reality = { enabled: true, public_key: security.publicKey, short_id: security.shortId }
    // disable_sni is refused together with REALITY.
    return { enabled: true, server_name: shownName(security.serverName, host), utls, reality }
  }
  const alpn = offeredAlpn(security.alpn, transport)
  // 1.11 refuses the whole config where a name is left out under another's fingerprint; without a fingerprint it connects.
  const isBare = security.serverName === null && variant === '1.11'
  return {
    enabled: true,
    ...(security.serverName === null
      ? { disable_sni: true, server_name: host }
      : { server_name: security.serverName }),
    ...(alpn.length > 0 && { alpn }),
    ...trust(security.pinSha256),
    ...(!isBare && { utls }),
  }
}

type CarriedTransport = Exclude<Transport, { kind: 'xhttp' }>

const transportPart = (transport: CarriedTransport): object => {
  switch (transport.kind) {
    case 'tcp':
      return {}
    case 'grpc':
      return { transport: { type: 'grpc', service_name: transport.serviceName } }
    case 'ws': {
      const { path, host } = transport
      return { transport: { type: 'ws', path, ...(host !== '' && { headers: { Host: host } }) } }
    }
    case 'httpupgrade': {
      const { path, host } = transport
      return { transport: { type: 'httpupgrade', path, ...(host !== '' && { host }) } }
    }
  }
}

const server = ({ host, port }: { readonly host: string; readonly port: number }) => ({
  server: host,
  server_port: port,
})

const vless = (endpoint: VlessEndpoint, variant: SingBoxVariant): SingBoxPart | null => {
  const { uuid, flow, transport } = endpoint
  if (transport.kind === 'xhttp') return null
  return {
    outbound: {
      type: 'vless',
      ...server(endpoint),
      uuid,
      ...(flow !== '' && { flow }),
      tls: tls(endpoint, transport, variant),
      ...transportPart(transport),
    },
  }
}

const trojan = (endpoint: TrojanEndpoint, variant: SingBoxVariant): SingBoxPart => ({
  outbound: {
    type: 'trojan',
    ...server(endpoint),
    password: endpoint.password,
    tls: tls(endpoint, plainTcp, variant),
  },
})

const shadowsocks = (endpoint: ShadowsocksEndpoint): SingBoxPart => ({
  outbound: {
    type: 'shadowsocks',
    ...server(endpoint),
    method: endpoint.method,
    password: endpoint.password,
  },
})

const hysteria2 = (endpoint: Hysteria2Endpoint): SingBoxPart => ({
  outbound: {
    type: 'hysteria2',
    ...server(endpoint),
    password: endpoint.auth,
    obfs: { type: 'salamander', password: endpoint.obfsPassword },
    tls: { enabled: true, server_name: endpoint.serverName, alpn: ['h3'], ...trust(endpoint.pinSha256) },
  },
})

const wireguard = (endpoint: WireguardEndpoint): SingBoxPart => ({
  endpoint: {
    type: 'wireguard',
    address: [`${endpoint.address}/32`],
    private_key: endpoint.privateKey,
    mtu: endpoint.mtu,
    peers: [
      {
        address: endpoint.host,
        port: endpoint.port,
        public_key: endpoint.publicKey,
        pre_shared_key: endpoint.presharedKey,
        allowed_ips: allTraffic,
        persistent_keepalive_interval: keepaliveSeconds,
      },
    ],
  },
})

const proxy = (kind: object, endpoint: ProxyEndpoint): SingBoxPart => ({
  outbound: { ...kind, ...server(endpoint), username: endpoint.user, password: endpoint.password },
})

/** Null for what sing-box cannot speak. */
export const singBoxOutbound = (endpoint: Endpoint, variant: SingBoxVariant = '1.12'): SingBoxPart | null => {
  switch (endpoint.protocol) {
    case 'vless':
      return vless(endpoint, variant)
    case 'trojan':
      return trojan(endpoint, variant)
    case 'shadowsocks':
      return shadowsocks(endpoint)
    case 'hysteria2':
      return hysteria2(endpoint)
    case 'wireguard':
      return endpoint.awg === null ? wireguard(endpoint) : null
    case 'http':
      return proxy({ type: 'http' }, endpoint)
    case 'socks5':
      return proxy({ type: 'socks', version: '5' }, endpoint)
    case 'mtproto':
      return null
  }
}
