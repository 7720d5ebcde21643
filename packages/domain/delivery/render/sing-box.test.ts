import { expect, test } from 'vitest'
import type { Transport } from '../../vpn/endpoint.ts'
import { singBoxOutbound } from './sing-box.ts'
import * as samples from './testing/endpoints.ts'

const { vless, trojan, reality, tls, pin } = samples
const server = { server: '203.0.113.10', server_port: 443 }
const utls = { enabled: true, fingerprint: 'chrome' }
const realityTls = {
  enabled: true,
  server_name: 'www.example.com',
  utls,
  reality: {
    enabled: true,
    public_key: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo',
    short_id: '0123456789abcdef',
  },
}
const uuid = '5783a3e7-e373-41cd-8642-c83782b807c5'

test('vless with REALITY and vision', () => {
  expect(singBoxOutbound(vless)).toEqual({
    outbound: { type: 'vless', ...server, uuid, flow: 'xtls-rprx-vision', tls: realityTls },
  })
})

test('vless with REALITY over gRPC', () => {
  expect(singBoxOutbound({ ...vless, flow: '', transport: { kind: 'grpc', serviceName: 'svc' } })).toEqual({
    outbound: {
      type: 'vless',
      ...server,
      uuid,
      tls: realityTls,
      transport: { type: 'grpc', service_name: 'svc' },
    },
  })
})

test.each<[Transport, object]>([
  [
    { kind: 'ws', path: '/w', host: 'h.test' },
    { type: 'ws', path: '/w', headers: { Host: 'h.test' } },
  ],
  [
    { kind: 'ws', path: '/w', host: '' },
    { type: 'ws', path: '/w' },
  ],
  [
    { kind: 'httpupgrade', path: '/u', host: 'h.test' },
    { type: 'httpupgrade', path: '/u', host: 'h.test' },
  ],
  [
    { kind: 'httpupgrade', path: '/u', host: '' },
    { type: 'httpupgrade', path: '/u' },
  ],
])('vless with TLS over %j', (transport, expected) => {
  expect(singBoxOutbound({ ...vless, flow: '', transport, security: tls })).toEqual({
    outbound: {
      type: 'vless',
      ...server,
      uuid,
      tls: { enabled: true, server_name: 'vpn.example.com', alpn: ['http/1.1'], utls },
      transport: expected,
    },
  })
})

test.each([
  ['203.0.113.10', '203.0.113.10'],
  ['vpn.example.com', '0.0.0.0'],
])('without a name, REALITY at %s is asked for %s, which is not sent', (host, server_name) => {
  const security = { ...reality, serverName: null }
  expect(singBoxOutbound({ ...vless, host, security })).toMatchObject({
    outbound: { server: host, tls: { ...realityTls, server_name } },
  })
})

test('without a name, TLS sends none and the certificate must be for the host', () => {
  const security = { ...tls, serverName: null, alpn: [] }
  expect(singBoxOutbound({ ...trojan, host: 'vpn.example.com', security })).toEqual({
    outbound: {
      type: 'trojan',
      server: 'vpn.example.com',
      server_port: 443,
      password: 'p@ss:/ word',
      tls: { enabled: true, disable_sni: true, server_name: 'vpn.example.com', utls },
    },
  })
})

test('1.11 knows no fingerprint without a name, and keeps every other', () => {
  const nameless = { ...trojan, host: 'vpn.example.com', security: { ...tls, serverName: null, alpn: [] } }
  expect(singBoxOutbound(nameless, '1.11')).toMatchObject({
    outbound: { tls: { enabled: true, disable_sni: true, server_name: 'vpn.example.com' } },
  })
  expect(singBoxOutbound(nameless, '1.11')).not.toHaveProperty('outbound.tls.utls')
  expect(singBoxOutbound({ ...trojan, security: tls }, '1.11')).toHaveProperty('outbound.tls.utls', utls)
})

test('trojan with a certificate that no authority signed', () => {
  expect(singBoxOutbound({ ...trojan, security: { ...tls, pinSha256: pin } })).toEqual({
    outbound: {
      type: 'trojan',
      ...server,
      password: 'p@ss:/ word',
      tls: {
        enabled: true,
        server_name: 'vpn.example.com',
        alpn: ['h2', 'http/1.1'],
        insecure: true,
        utls,
      },
    },
  })
})

test('shadowsocks', () => {
  expect(singBoxOutbound(samples.shadowsocks2022)).toEqual({
    outbound: {
      type: 'shadowsocks',
      server: '203.0.113.10',
      server_port: 8443,
      method: '2022-blake3-aes-256-gcm',
      password: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=',
    },
  })
})

test.each([
  [null, {}],
  [pin, { insecure: true }],
])('hysteria2 with the pin %s', (pinSha256, trust) => {
  expect(singBoxOutbound({ ...samples.hysteria2, pinSha256 })).toEqual({
    outbound: {
      type: 'hysteria2',
      ...server,
      password: 'let/me in',
      obfs: { type: 'salamander', password: 'gawr&gura' },
      tls: { enabled: true, server_name: 'vpn.example.com', alpn: ['h3'], ...trust },
    },
  })
})

test('wireguard', () => {
  expect(singBoxOutbound(samples.wireguard)).toEqual({
    endpoint: {
      type: 'wireguard',
      address: ['10.8.0.2/32'],
      private_key: 'XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=',
      mtu: 1420,
      peers: [
        {
          address: '203.0.113.10',
          port: 51820,
          public_key: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
          pre_shared_key: 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=',
          allowed_ips: ['0.0.0.0/0', '::/0'],
          persistent_keepalive_interval: 25,
        },
      ],
    },
  })
})

test.each([
  [samples.http, { type: 'http', server_port: 8080 }],
  [samples.socks5, { type: 'socks', version: '5', server_port: 1080 }],
])('$protocol', (endpoint, kind) => {
  expect(singBoxOutbound(endpoint)).toEqual({
    outbound: { ...kind, server: '203.0.113.10', username: 'u 1', password: 'p@:/' },
  })
})

test('sing-box speaks neither XHTTP nor AmneziaWG nor MTProto', () => {
  expect(singBoxOutbound({ ...vless, transport: { kind: 'xhttp', path: '/x', mode: 'auto' } })).toBeNull()
  expect(singBoxOutbound(samples.amnezia)).toBeNull()
  expect(singBoxOutbound(samples.mtproto)).toBeNull()
})
