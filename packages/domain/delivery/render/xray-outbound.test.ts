import { expect, test } from 'vitest'
import type { Endpoint, Transport } from '../../vpn/endpoint.ts'
import * as samples from './testing/endpoints.ts'
import { xrayOutbound } from './xray-outbound.ts'

const { vless, trojan, reality, tls, pin } = samples

const realitySettings = {
  serverName: 'www.example.com',
  fingerprint: 'chrome',
  publicKey: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo',
  shortId: '0123456789abcdef',
  spiderX: '/',
}
const streamOf = (endpoint: Endpoint) => xrayOutbound(endpoint)?.streamSettings

test('vless with REALITY and vision', () => {
  expect(xrayOutbound(vless)).toEqual({
    protocol: 'vless',
    settings: {
      vnext: [
        {
          address: '203.0.113.10',
          port: 443,
          users: [
            {
              id: '5783a3e7-e373-41cd-8642-c83782b807c5',
              encryption: 'none',
              flow: 'xtls-rprx-vision',
            },
          ],
        },
      ],
    },
    streamSettings: { network: 'tcp', security: 'reality', realitySettings },
  })
})

test('without flow there is no flow key', () => {
  expect(JSON.stringify(xrayOutbound({ ...vless, flow: '' }))).not.toContain('flow')
})

test.each<[Transport, object]>([
  [
    { kind: 'xhttp', path: '/x', mode: 'auto' },
    { network: 'xhttp', xhttpSettings: { path: '/x', mode: 'auto' } },
  ],
  [
    { kind: 'grpc', serviceName: 'svc' },
    { network: 'grpc', grpcSettings: { serviceName: 'svc' } },
  ],
])('REALITY over %j', (transport, expected) => {
  const stream = streamOf({ ...vless, flow: '', transport })
  expect(stream).toEqual({ ...expected, security: 'reality', realitySettings })
})

test.each<[Transport, object, string[]]>([
  [
    { kind: 'ws', path: '/w', host: 'h.test' },
    { network: 'ws', wsSettings: { path: '/w', host: 'h.test' } },
    ['http/1.1'],
  ],
  [
    { kind: 'httpupgrade', path: '/u', host: '' },
    { network: 'httpupgrade', httpupgradeSettings: { path: '/u' } },
    ['http/1.1'],
  ],
  [{ kind: 'tcp' }, { network: 'tcp' }, ['h2', 'http/1.1']],
])('TLS over %j', (transport, expected, alpn) => {
  expect(streamOf({ ...vless, flow: '', transport, security: tls })).toEqual({
    ...expected,
    security: 'tls',
    tlsSettings: { serverName: 'vpn.example.com', fingerprint: 'chrome', alpn },
  })
})

test.each([
  ['203.0.113.10', '203.0.113.10'],
  ['2001:db8::1', '2001:db8::1'],
  ['vpn.example.com', '0.0.0.0'],
])('without a name, %s is asked for %s, which is not sent', (host, serverName) => {
  const nameless = streamOf({ ...vless, host, security: { ...reality, serverName: null } })
  expect(nameless).toMatchObject({ realitySettings: { serverName } })
  const pinned = streamOf({ ...trojan, host, security: { ...tls, serverName: null, pinSha256: pin } })
  expect(pinned).toMatchObject({ tlsSettings: { serverName } })
})

test('without a name and a pin the certificate must be for the host', () => {
  const security = { ...tls, alpn: [], serverName: null }
  expect(streamOf({ ...trojan, host: 'vpn.example.com', security })).toMatchObject({
    tlsSettings: { serverName: '0.0.0.0', fingerprint: 'chrome', verifyPeerCertByName: 'vpn.example.com' },
  })
  expect(streamOf({ ...trojan, security })).toEqual({
    network: 'tcp',
    security: 'tls',
    tlsSettings: { serverName: '203.0.113.10', fingerprint: 'chrome' },
  })
})

test('trojan with a pinned certificate', () => {
  expect(xrayOutbound({ ...trojan, security: { ...tls, pinSha256: pin } })).toEqual({
    protocol: 'trojan',
    settings: { servers: [{ address: '203.0.113.10', port: 443, password: 'p@ss:/ word' }] },
    streamSettings: {
      network: 'tcp',
      security: 'tls',
      tlsSettings: {
        serverName: 'vpn.example.com',
        fingerprint: 'chrome',
        alpn: ['h2', 'http/1.1'],
        pinnedPeerCertSha256: pin,
      },
    },
  })
})

test('shadowsocks', () => {
  expect(xrayOutbound(samples.outline)).toEqual({
    protocol: 'shadowsocks',
    settings: {
      servers: [
        { address: '203.0.113.10', port: 8388, method: 'chacha20-ietf-poly1305', password: 'Secret0' },
      ],
    },
  })
})

test('hysteria2', () => {
  expect(xrayOutbound({ ...samples.hysteria2, pinSha256: pin })).toEqual({
    protocol: 'hysteria',
    settings: { version: 2, address: '203.0.113.10', port: 443 },
    streamSettings: {
      network: 'hysteria',
      hysteriaSettings: { version: 2, auth: 'let/me in' },
      security: 'tls',
      tlsSettings: { serverName: 'vpn.example.com', alpn: ['h3'], pinnedPeerCertSha256: pin },
      finalmask: { udp: [{ type: 'salamander', settings: { password: 'gawr&gura' } }] },
    },
  })
  expect(JSON.stringify(xrayOutbound(samples.hysteria2))).not.toContain('pinnedPeerCertSha256')
})

test('wireguard', () => {
  expect(xrayOutbound({ ...samples.wireguard, host: '2001:db8::1' })).toEqual({
    protocol: 'wireguard',
    settings: {
      secretKey: 'XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=',
      address: ['10.8.0.2/32'],
      peers: [
        {
          publicKey: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
          preSharedKey: 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=',
          endpoint: '[2001:db8::1]:51820',
          allowedIPs: ['0.0.0.0/0', '::/0'],
          keepAlive: 25,
        },
      ],
      mtu: 1420,
      domainStrategy: 'ForceIPv4',
      noKernelTun: true,
    },
  })
})

test.each([
  ['http', samples.http, 8080],
  ['socks', samples.socks5, 1080],
])('%s', (protocol, endpoint, port) => {
  expect(xrayOutbound(endpoint)).toEqual({
    protocol,
    settings: { servers: [{ address: '203.0.113.10', port, users: [{ user: 'u 1', pass: 'p@:/' }] }] },
  })
})

test('Xray speaks neither AmneziaWG nor MTProto', () => {
  expect(xrayOutbound(samples.amnezia)).toBeNull()
  expect(xrayOutbound(samples.mtproto)).toBeNull()
})
