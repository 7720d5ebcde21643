/**
 * What a client app makes of a link. Written from the link formats alone, so that the service's own rendering is
 * checked against something that was not derived from it.
 */

export type Transport =
  | { readonly kind: 'tcp' }
  | { readonly kind: 'xhttp'; readonly path: string; readonly mode: string; readonly host: string }
  | { readonly kind: 'grpc'; readonly serviceName: string }
  | { readonly kind: 'ws' | 'httpupgrade'; readonly path: string; readonly host: string }

export type Security =
  | {
      readonly kind: 'reality'
      readonly serverName: string | null
      readonly fingerprint: string
      readonly publicKey: string
      readonly shortId: string
      readonly spiderX: string
    }
  | {
      readonly kind: 'tls'
      readonly serverName: string | null
      readonly fingerprint: string
      readonly alpn: readonly string[]
      readonly pinSha256: string | null
    }

interface At {
  readonly host: string
  readonly port: number
}

export interface VlessLink extends At {
  readonly protocol: 'vless'
  readonly uuid: string
  readonly flow: string
  readonly transport: Transport
  readonly security: Security
}

export interface TrojanLink extends At {
  readonly protocol: 'trojan'
  readonly password: string
  readonly transport: Transport
  readonly security: Security
}

export interface ShadowsocksLink extends At {
  readonly protocol: 'shadowsocks'
  readonly method: string
  readonly password: string
}

export interface Hysteria2Link extends At {
  readonly protocol: 'hysteria2'
  readonly auth: string
  readonly obfsPassword: string | null
  readonly serverName: string | null
  readonly pinSha256: string | null
}

export interface WireguardLink extends At {
  readonly protocol: 'wireguard'
  readonly privateKey: string
  readonly publicKey: string
  readonly presharedKey: string | null
  readonly addresses: readonly string[]
  readonly mtu: number
  readonly reserved: readonly number[]
}

export type Link = VlessLink | TrojanLink | ShadowsocksLink | Hysteria2Link | WireguardLink

/** A parameter that is missing and one that is empty are the same to client apps. */
const reader = (url: URL) => (name: string) => url.searchParams.get(name) || null

type Read = ReturnType<typeof reader>

const required = (read: Read, name: string): string => {
  const value = read(name)
  if (value === null) throw new Error(`The link has no ${name}`)
  return value
}

const place = (url: URL): At => {
  if (!url.hostname || !url.port) throw new Error('The link names no host and port')
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) }
}

const transport = (read: Read): Transport => {
  const path = read('path') ?? '/'
  const host = read('host') ?? ''
  const type = read('type') ?? 'tcp'
  switch (type) {
    case 'tcp':
    case 'raw':
      return { kind: 'tcp' }
    case 'xhttp':
      return { kind: 'xhttp', path, host, mode: read('mode') ?? 'auto' }
    case 'grpc':
      return { kind: 'grpc', serviceName: required(read, 'serviceName') }
    case 'ws':
    case 'httpupgrade':
      return { kind: type, path, host }
    default:
      throw new Error(`No client knows the transport ${type}`)
  }
}

/** Pins are hexadecimal; some write them with colons. */
const pin = (text: string | null): string | null => {
  if (text === null) return null
  const hex = text.replaceAll(':', '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new Error(`${text} is no SHA-256 in hexadecimal`)
  return hex
}

const security = (read: Read): Security => {
  const serverName = read('sni')
  const fingerprint = read('fp') ?? 'chrome'
  switch (read('security')) {
    case 'reality': {
      const keys = {
        publicKey: required(read, 'pbk'),
        shortId: read('sid') ?? '',
        spiderX: read('spx') ?? '/',
      }
      return { kind: 'reality', serverName, fingerprint, ...keys }
    }
    case 'tls': {
      const alpn = (read('alpn') ?? '').split(',').filter((name) => name !== '')
      return { kind: 'tls', serverName, fingerprint, alpn, pinSha256: pin(read('pcs')) }
    }
    default:
      throw new Error('The link has neither TLS nor REALITY')
  }
}

const vless = (url: URL): VlessLink => {
  const read = reader(url)
  if (required(read, 'encryption') !== 'none') throw new Error('This client speaks VLESS without encryption')
  return {
    protocol: 'vless',
    ...place(url),
    uuid: decodeURIComponent(url.username),
    flow: read('flow') ?? '',
    transport: transport(read),
    security: security(read),
  }
}

const trojan = (url: URL): TrojanLink => {
  const read = reader(url)
  const password = decodeURIComponent(url.username)
  return { protocol: 'trojan', ...place(url), password, transport: transport(read), security: security(read) }
}

/** SIP002: Base64 for the old methods, plain and percent-encoded for those of 2022. */
const shadowsocks = (url: URL): ShadowsocksLink => {
  const isPlain = url.password !== ''
  const whole = isPlain
    ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    : Buffer.from(decodeURIComponent(url.username), 'base64url').toString()
  const colon = whole.indexOf(':')
  if (colon === -1) throw new Error('The link names no method and password')
  const method = whole.slice(0, colon)
  if (method.startsWith('2022-') !== isPlain) throw new Error(`SIP002 writes ${method} the other way`)
  return { protocol: 'shadowsocks', ...place(url), method, password: whole.slice(colon + 1) }
}

const hysteria2 = (url: URL): Hysteria2Link => {
  const read = reader(url)
  const obfs = read('obfs')
  if (obfs !== null && obfs !== 'salamander') throw new Error(`No client knows the obfuscation ${obfs}`)
  const secret = url.password === '' ? url.username : `${url.username}:${url.password}`
  return {
    protocol: 'hysteria2',
    ...place(url),
    auth: decodeURIComponent(secret),
    obfsPassword: obfs === null ? null : required(read, 'obfs-password'),
    serverName: read('sni'),
    pinSha256: pin(read('pinSHA256')),
  }
}

const wireguard = (url: URL): WireguardLink => {
  const read = reader(url)
  return {
    protocol: 'wireguard',
    ...place(url),
    privateKey: decodeURIComponent(url.username),
    publicKey: required(read, 'publickey'),
    presharedKey: read('presharedkey'),
    addresses: required(read, 'address').split(','),
    mtu: Number(read('mtu') ?? 1420),
    reserved: (read('reserved') ?? '').split(',').filter(Boolean).map(Number),
  }
}

const parsers: Readonly<Record<string, (url: URL) => Link>> = {
  'vless:': vless,
  'trojan:': trojan,
  'ss:': shadowsocks,
  'hysteria2:': hysteria2,
  'hy2:': hysteria2,
  'wireguard:': wireguard,
}

export const parseLink = (text: string): Link => {
  const url = new URL(text)
  const parse = parsers[url.protocol]
  if (!parse) throw new Error(`No client knows ${url.protocol} links`)
  return parse(url)
}
