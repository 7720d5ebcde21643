import type { ServerConfig } from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { expect, test } from 'vitest'
import { described } from './described.ts'
import type { Endpoint, Transport } from './endpoint.ts'

const place = { title: 'T', host: '203.0.113.10', port: 443 }
const reality = {
  kind: 'reality',
  serverName: 'example.com',
  publicKey: 'public',
  shortId: 'secret-short',
  fingerprint: 'chrome',
} as const
const tls = { kind: 'tls', serverName: null, fingerprint: 'qq', alpn: ['h2'], pinSha256: 'pin' } as const
const vless = (transport: Transport, security: typeof reality | typeof tls = reality): Endpoint => ({
  protocol: 'vless',
  ...place,
  uuid: 'secret-uuid',
  flow: '',
  transport,
  security,
})
const wireguard: Endpoint = {
  protocol: 'wireguard',
  ...place,
  privateKey: 'secret-key',
  address: '100.64.0.2',
  publicKey: 'public',
  presharedKey: 'secret-psk',
  dns: [],
  mtu: 1420,
  awg: null,
}
const shadowsocks: Endpoint = {
  protocol: 'shadowsocks',
  ...place,
  method: 'chacha20-ietf-poly1305',
  password: 'secret-password',
  isOutline: true,
}
const hysteria: Endpoint = {
  protocol: 'hysteria2',
  ...place,
  auth: 'secret-auth',
  obfsPassword: 'secret-obfs',
  serverName: 'example.com',
  pinSha256: null,
}

test.each<[ServerConfig['protocol'], Endpoint, string, string]>([
  ['vless', vless({ kind: 'tcp' }), 'tcp', 'reality'],
  ['vless-2410', vless({ kind: 'tcp' }), 'tcp', 'reality'],
  ['vless', vless({ kind: 'xhttp', path: '/secret-path', mode: 'auto' }), 'xhttp', 'reality'],
  ['vless', vless({ kind: 'grpc', serviceName: 'secret-service' }, tls), 'grpc', 'tls'],
  ['vless', vless({ kind: 'ws', path: '/secret-path', host: 'h' }, tls), 'ws', 'tls'],
  ['trojan', { protocol: 'trojan', ...place, password: 'secret-password', security: tls }, 'tcp', 'tls'],
  ['trojan-2901', { protocol: 'trojan', ...place, password: 'secret', security: reality }, 'tcp', 'reality'],
  ['outline', shadowsocks, 'tcp', 'none'],
  ['hysteria2', hysteria, 'udp', 'tls'],
  ['wg', wireguard, 'udp', 'none'],
  ['mtproto', { protocol: 'mtproto', ...place, secret: 'secret' }, 'tcp', 'none'],
])('%s over %j', (protocol, endpoint, transport, security) => {
  expect(described(protocol, endpoint)).toEqual({
    protocol,
    host: '203.0.113.10',
    port: 443,
    transport,
    security,
  })
})
