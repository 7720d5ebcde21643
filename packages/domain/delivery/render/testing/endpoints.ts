import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type {
  Hysteria2Endpoint,
  MtprotoEndpoint,
  ProxyEndpoint,
  RealitySecurity,
  ShadowsocksEndpoint,
  TlsSecurity,
  TrojanEndpoint,
  VlessEndpoint,
  WireguardEndpoint,
} from '../../../vpn/endpoint.ts'

/** One endpoint of every kind, for the tests of renderers. */

const at = { title: 'DE #1', host: '203.0.113.10', port: 443 }

export const pin = '0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9'

export const reality: RealitySecurity = {
  kind: 'reality',
  serverName: 'www.example.com',
  publicKey: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo',
  shortId: '0123456789abcdef',
  fingerprint: 'chrome',
}

export const tls: TlsSecurity = {
  kind: 'tls',
  serverName: 'vpn.example.com',
  fingerprint: 'chrome',
  alpn: ['h2', 'http/1.1'],
  pinSha256: null,
}

export const vless: VlessEndpoint = {
  ...at,
  protocol: 'vless',
  uuid: '5783a3e7-e373-41cd-8642-c83782b807c5',
  flow: 'xtls-rprx-vision',
  transport: { kind: 'tcp' },
  security: reality,
}

export const trojan: TrojanEndpoint = { ...at, protocol: 'trojan', password: 'p@ss:/ word', security: tls }

export const outline: ShadowsocksEndpoint = {
  ...at,
  protocol: 'shadowsocks',
  port: 8388,
  method: 'chacha20-ietf-poly1305',
  password: 'Secret0',
  isOutline: true,
}

export const shadowsocks2022: ShadowsocksEndpoint = {
  ...at,
  protocol: 'shadowsocks',
  port: 8443,
  method: '2022-blake3-aes-256-gcm',
  password: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=',
  isOutline: false,
}

export const hysteria2: Hysteria2Endpoint = {
  ...at,
  protocol: 'hysteria2',
  auth: 'let/me in',
  obfsPassword: 'gawr&gura',
  serverName: 'vpn.example.com',
  pinSha256: null,
}

export const wireguard: WireguardEndpoint = {
  ...at,
  protocol: 'wireguard',
  port: 51820,
  privateKey: 'XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=',
  address: '10.8.0.2',
  publicKey: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
  presharedKey: 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=',
  dns: ['1.1.1.1', '1.0.0.1'],
  mtu: 1420,
  awg: null,
}

const awg: AwgParameters = {
  ...{ jc: 4, jmin: 40, jmax: 70 },
  ...{ s1: 72, s2: 40, s3: 32, s4: 16 },
  ...{ h1: 100_000, h2: 200_000, h3: 300_000, h4: 4_294_967_295 },
}
export const amnezia = { ...wireguard, mtu: 1280, awg } satisfies WireguardEndpoint

export const http: ProxyEndpoint = { ...at, protocol: 'http', port: 8080, user: 'u 1', password: 'p@:/' }
export const socks5: ProxyEndpoint = { ...http, protocol: 'socks5', port: 1080 }

export const mtproto: MtprotoEndpoint = {
  ...at,
  protocol: 'mtproto',
  secret: 'ee00112233445566778899aabbccddeeff7777772e6578616d706c652e636f6d',
}
