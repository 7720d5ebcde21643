import { isIP } from 'node:net'
import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type {
  ProxyEndpoint,
  TlsSecurity,
  Transport,
  VlessEndpoint,
  WireguardEndpoint,
} from '../../../vpn/endpoint.ts'
import { offeredAlpn, plainTcp, type Secured, shownName } from '../../render/client-tls.ts'
import { allTraffic, awgFields, keepaliveSeconds } from '../../render/conf.ts'
import { type Entry, nowhere } from '../entry.ts'

/** mihomo's client side of an entry, without a name. */
export type ClashProxy = Readonly<Record<string, unknown>>

export const server = ({ host, port }: { readonly host: string; readonly port: number }) => ({
  server: host,
  port,
})

/** A pin stands in for the authority; without one and without a name to send, the host is what it must be for. */
const trust = ({ pinSha256, serverName }: TlsSecurity, host: string): ClashProxy => {
  if (pinSha256 !== null) return { fingerprint: pinSha256 }
  return serverName === null && isIP(host) === 0 ? { 'name-cert-verify': host } : {}
}

/** Of XHTTP the list says which HTTP is spoken, so it may name one only. */
const alpnFor = (alpn: readonly string[], transport: Transport): readonly string[] =>
  transport.kind === 'xhttp' && alpn.includes('h2') ? ['h2'] : offeredAlpn(alpn, transport)

const tls = (
  nameField: 'servername' | 'sni',
  { host, security }: Secured,
  transport: Transport,
): ClashProxy => {
  const common = {
    tls: true,
    [nameField]: shownName(security.serverName, host),
    'client-fingerprint': security.fingerprint,
  }
  if (security.kind === 'reality') {
    return {
      ...common,
      'reality-opts': { 'public-key': security.publicKey, 'short-id': security.shortId },
    }
  }
  const alpn = alpnFor(security.alpn, transport)
  return { ...common, ...(alpn.length > 0 && { alpn }), ...trust(security, host) }
}

/** HTTPUpgrade is a kind of WebSocket there. */
const network = (transport: Transport): ClashProxy => {
  switch (transport.kind) {
    case 'tcp':
      return { network: 'tcp' }
    case 'xhttp':
      return { network: 'xhttp', 'xhttp-opts': { path: transport.path, mode: transport.mode } }
    case 'grpc':
      return { network: 'grpc', 'grpc-opts': { 'grpc-service-name': transport.serviceName } }
    case 'ws':
    case 'httpupgrade': {
      const { kind, path, host } = transport
      const headers = host !== '' && { headers: { Host: host } }
      const upgrade = kind === 'httpupgrade' && { 'v2ray-http-upgrade': true }
      return { network: 'ws', 'ws-opts': { path, ...headers, ...upgrade } }
    }
  }
}

export const vless = (endpoint: VlessEndpoint): ClashProxy => ({
  type: 'vless',
  ...server(endpoint),
  uuid: endpoint.uuid,
  udp: true,
  ...(endpoint.flow !== '' && { flow: endpoint.flow }),
  ...tls('servername', endpoint, endpoint.transport),
  ...network(endpoint.transport),
})

const awgOptions = (awg: AwgParameters): ClashProxy =>
  Object.fromEntries(awgFields(awg).map(([name, value]) => [name.toLowerCase(), Number(value)]))

const wireguard = (endpoint: WireguardEndpoint): ClashProxy => ({
  type: 'wireguard',
  ...server(endpoint),
  ip: endpoint.address,
  'private-key': endpoint.privateKey,
  'public-key': endpoint.publicKey,
  'pre-shared-key': endpoint.presharedKey,
  'allowed-ips': allTraffic,
  'persistent-keepalive': keepaliveSeconds,
  mtu: endpoint.mtu,
  udp: true,
  // The tunnel carries addresses only, so names are looked up at its far end.
  ...(endpoint.dns.length > 0 && { 'remote-dns-resolve': true, dns: endpoint.dns }),
  ...(endpoint.awg !== null && { 'amnezia-wg-option': awgOptions(endpoint.awg) }),
})

export const proxy = (endpoint: ProxyEndpoint): ClashProxy => ({
  type: endpoint.protocol,
  ...server(endpoint),
  username: endpoint.user,
  password: endpoint.password,
  ...(endpoint.protocol === 'socks5' && { udp: true }),
})

/** Null for what mihomo cannot speak. */
export const mihomoProxy = (entry: Entry): ClashProxy | null => {
  switch (entry.protocol) {
    case 'vless':
      return vless(entry)
    case 'trojan':
      return {
        type: 'trojan',
        ...server(entry),
        password: entry.password,
        udp: true,
        ...tls('sni', entry, plainTcp),
      }
    case 'shadowsocks':
      return { type: 'ss', ...server(entry), cipher: entry.method, password: entry.password, udp: true }
    case 'hysteria2':
      return {
        type: 'hysteria2',
        ...server(entry),
        password: entry.auth,
        obfs: 'salamander',
        'obfs-password': entry.obfsPassword,
        sni: entry.serverName,
        alpn: ['h3'],
        ...(entry.pinSha256 !== null && { fingerprint: entry.pinSha256 }),
      }
    case 'wireguard':
      return wireguard(entry)
    case 'http':
    case 'socks5':
      return proxy(entry)
    case 'mtproto':
      return null
    case 'notice':
      return { type: 'socks5', ...server(nowhere) }
  }
}
