import type { AwgParameters } from '@sallyport/contract/agent/agent'

/** One neutral description of "how to reach this item"; everything a client is given is rendered from it. */

export interface RealitySecurity {
  readonly kind: 'reality'
  /** Name the client shows to onlookers; null sends none. */
  readonly serverName: string | null
  readonly publicKey: string
  readonly shortId: string
  readonly fingerprint: string
}

export interface TlsSecurity {
  readonly kind: 'tls'
  /** Name the client shows to onlookers; null sends none. */
  readonly serverName: string | null
  readonly fingerprint: string
  readonly alpn: readonly string[]
  /** SHA-256 of the certificate in hex, for one that no authority signed; null for an ordinary one. */
  readonly pinSha256: string | null
}

export type Security = RealitySecurity | TlsSecurity

export type Transport =
  | { readonly kind: 'tcp' }
  | { readonly kind: 'xhttp'; readonly path: string; readonly mode: string }
  | { readonly kind: 'grpc'; readonly serviceName: string }
  | { readonly kind: 'ws' | 'httpupgrade'; readonly path: string; readonly host: string }

interface Reached {
  readonly title: string
  readonly host: string
  readonly port: number
}

export interface VlessEndpoint extends Reached {
  readonly protocol: 'vless'
  readonly uuid: string
  readonly flow: '' | 'xtls-rprx-vision'
  readonly transport: Transport
  readonly security: Security
}

export interface TrojanEndpoint extends Reached {
  readonly protocol: 'trojan'
  readonly password: string
  readonly security: Security
}

export interface ShadowsocksEndpoint extends Reached {
  readonly protocol: 'shadowsocks'
  readonly method: 'chacha20-ietf-poly1305' | '2022-blake3-aes-256-gcm'
  /** For the 2022 method "server key:user key", both Base64. */
  readonly password: string
  /** Rendered as an Outline access key. */
  readonly isOutline: boolean
}

export interface Hysteria2Endpoint extends Reached {
  readonly protocol: 'hysteria2'
  readonly auth: string
  readonly obfsPassword: string
  readonly serverName: string
  readonly pinSha256: string | null
}

export interface WireguardEndpoint extends Reached {
  readonly protocol: 'wireguard'
  /** Keys are Base64, addresses IPv4 without a prefix length. */
  readonly privateKey: string
  readonly address: string
  readonly publicKey: string
  readonly presharedKey: string
  readonly dns: readonly string[]
  readonly mtu: number
  /** Null for plain WireGuard. */
  readonly awg: AwgParameters | null
}

export interface ProxyEndpoint extends Reached {
  readonly protocol: 'http' | 'socks5'
  readonly user: string
  readonly password: string
}

export interface MtprotoEndpoint extends Reached {
  readonly protocol: 'mtproto'
  /** ee, 16 bytes and the domain, all in hex. */
  readonly secret: string
}

export type Endpoint =
  | VlessEndpoint
  | TrojanEndpoint
  | ShadowsocksEndpoint
  | Hysteria2Endpoint
  | WireguardEndpoint
  | ProxyEndpoint
  | MtprotoEndpoint

/** The first 16 of derived bytes, given in hex, as a version 4 UUID. */
export const uuidFromHex = (hex: string): string => {
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** IPv6 addresses stand in brackets wherever a port follows. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
