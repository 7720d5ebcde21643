import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Endpoint, Transport } from '../../vpn/endpoint.ts'
import { wireguardConf } from './conf.ts'
import { connectionUrl } from './link.ts'
import { placeholderLink } from './placeholder.ts'
import {
  amnezia,
  http,
  hysteria2,
  mtproto,
  outline,
  pin,
  reality,
  shadowsocks2022,
  socks5,
  tls,
  trojan,
  vless,
  wireguard,
} from './testing/endpoints.ts'

const user = '5783a3e7-e373-41cd-8642-c83782b807c5'
const keys = 'pbk=hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo&sid=0123456789abcdef&spx=%2F'
const realityQuery = `security=reality&sni=www.example.com&fp=chrome&${keys}`

describe('vless', () => {
  test('REALITY and vision', () => {
    expect(connectionUrl({ ...vless, title: '🇩🇪 Германия #1' })).toBe(
      'vless://5783a3e7-e373-41cd-8642-c83782b807c5@203.0.113.10:443?encryption=none&flow=xtls-rprx-vision' +
        '&type=tcp&headerType=none&security=reality&sni=www.example.com&fp=chrome' +
        '&pbk=hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo&sid=0123456789abcdef&spx=%2F' +
        '#%F0%9F%87%A9%F0%9F%87%AA%20%D0%93%D0%B5%D1%80%D0%BC%D0%B0%D0%BD%D0%B8%D1%8F%20%231',
    )
  })

  test('without flow, without a name, on IPv6', () => {
    const security = { ...reality, serverName: null, fingerprint: 'qq' }
    expect(connectionUrl({ ...vless, host: '2001:db8::1', flow: '', security, title: 'x' })).toBe(
      'vless://5783a3e7-e373-41cd-8642-c83782b807c5@[2001:db8::1]:443?encryption=none&type=tcp&headerType=none' +
        '&security=reality&fp=qq&pbk=hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo&sid=0123456789abcdef&spx=%2F#x',
    )
  })

  test.each<[Transport, string]>([
    [{ kind: 'xhttp', path: '/a b', mode: 'auto' }, 'type=xhttp&path=%2Fa%20b&mode=auto'],
    [{ kind: 'grpc', serviceName: 'svc' }, 'type=grpc&serviceName=svc&mode=gun'],
  ])('REALITY over %j', (transport, query) => {
    const link = connectionUrl({ ...vless, flow: '', transport })
    expect(link).toBe(`vless://${user}@203.0.113.10:443?encryption=none&${query}&${realityQuery}#DE%20%231`)
  })

  test.each<[Transport, string, string]>([
    [{ kind: 'tcp' }, 'type=tcp&headerType=none', 'h2%2Chttp%2F1.1'],
    [{ kind: 'xhttp', path: '/x', mode: 'auto' }, 'type=xhttp&path=%2Fx&mode=auto', 'h2%2Chttp%2F1.1'],
    [{ kind: 'ws', path: '/x', host: 'h.test' }, 'type=ws&path=%2Fx&host=h.test', 'http%2F1.1'],
    [{ kind: 'httpupgrade', path: '/x', host: '' }, 'type=httpupgrade&path=%2Fx', 'http%2F1.1'],
  ])('TLS over %j', (transport, query, alpn) => {
    const link = connectionUrl({ ...vless, flow: '', transport, security: tls })
    expect(link).toBe(
      `vless://${user}@203.0.113.10:443?encryption=none&${query}` +
        `&security=tls&sni=vpn.example.com&fp=chrome&alpn=${alpn}#DE%20%231`,
    )
  })

  test('TLS with a pinned certificate, without a name and without ALPN', () => {
    const security = { ...tls, serverName: null, alpn: [], pinSha256: pin }
    expect(connectionUrl({ ...vless, security })).toBe(
      `vless://${user}@203.0.113.10:443?encryption=none&flow=xtls-rprx-vision&type=tcp&headerType=none` +
        `&security=tls&fp=chrome&pcs=${pin}#DE%20%231`,
    )
  })
})

const password2022 =
  'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE%3D%3AAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI%3D'
const wireguardUser = 'XasIfmJKikt54X%2BLg4AO5m87sSkmGLb9HC%2BLJ%2F%2BI4Os%3D'
const wireguardKeys =
  'publickey=hSDwCYkwp1R0i33ctD73Wg2%2FOg0mOBr066SpjqqbTmo%3D' +
  '&presharedkey=AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI%3D'
const secret = 'ee00112233445566778899aabbccddeeff7777772e6578616d706c652e636f6d'

test.each<[string, Endpoint, string]>([
  [
    'trojan over TLS',
    trojan,
    'trojan://p%40ss%3A%2F%20word@203.0.113.10:443?type=tcp&headerType=none&security=tls' +
      '&sni=vpn.example.com&fp=chrome&alpn=h2%2Chttp%2F1.1#DE%20%231',
  ],
  [
    'trojan over TLS with a pinned certificate',
    { ...trojan, security: { ...tls, pinSha256: pin } },
    'trojan://p%40ss%3A%2F%20word@203.0.113.10:443?type=tcp&headerType=none&security=tls' +
      `&sni=vpn.example.com&fp=chrome&alpn=h2%2Chttp%2F1.1&pcs=${pin}#DE%20%231`,
  ],
  [
    'trojan over REALITY',
    { ...trojan, security: reality },
    `trojan://p%40ss%3A%2F%20word@203.0.113.10:443?type=tcp&headerType=none&${realityQuery}#DE%20%231`,
  ],
  [
    'an Outline access key',
    outline,
    'ss://Y2hhY2hhMjAtaWV0Zi1wb2x5MTMwNTpTZWNyZXQw@203.0.113.10:8388/?outline=1#DE%20%231',
  ],
  [
    'an Outline access key on IPv6, with letters that only base64url has',
    { ...outline, host: '2001:db8::1', password: 'ab?>' },
    'ss://Y2hhY2hhMjAtaWV0Zi1wb2x5MTMwNTphYj8-@[2001:db8::1]:8388/?outline=1#DE%20%231',
  ],
  [
    'shadowsocks',
    { ...outline, isOutline: false },
    'ss://Y2hhY2hhMjAtaWV0Zi1wb2x5MTMwNTpTZWNyZXQw@203.0.113.10:8388#DE%20%231',
  ],
  [
    'shadowsocks 2022',
    shadowsocks2022,
    `ss://2022-blake3-aes-256-gcm:${password2022}@203.0.113.10:8443#DE%20%231`,
  ],
  [
    'hysteria2',
    hysteria2,
    'hysteria2://let%2Fme%20in@203.0.113.10:443/?obfs=salamander&obfs-password=gawr%26gura' +
      '&sni=vpn.example.com#DE%20%231',
  ],
  [
    'hysteria2 with a pinned certificate',
    { ...hysteria2, pinSha256: pin },
    'hysteria2://let%2Fme%20in@203.0.113.10:443/?obfs=salamander&obfs-password=gawr%26gura' +
      `&sni=vpn.example.com&insecure=1&pinSHA256=${pin}#DE%20%231`,
  ],
  [
    'wireguard',
    wireguard,
    `wireguard://${wireguardUser}@203.0.113.10:51820?${wireguardKeys}&address=10.8.0.2%2F32&mtu=1420#DE%20%231`,
  ],
  ['an HTTP proxy', http, 'http://u%201:p%40%3A%2F@203.0.113.10:8080'],
  ['a SOCKS5 proxy', { ...socks5, host: '2001:db8::1' }, 'socks5://u%201:p%40%3A%2F@[2001:db8::1]:1080'],
  ['a Telegram proxy', mtproto, `tg://proxy?server=203.0.113.10&port=443&secret=${secret}`],
])('%s', (_what, endpoint, link) => {
  expect(connectionUrl(endpoint)).toBe(link)
})

const conf = `[Interface]
PrivateKey = XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=
Address = 10.8.0.2/32
DNS = 1.1.1.1, 1.0.0.1
MTU = 1280
Jc = 4
Jmin = 40
Jmax = 70
S1 = 72
S2 = 40
S3 = 32
S4 = 16
H1 = 100000
H2 = 200000
H3 = 300000
H4 = 4294967295

[Peer]
PublicKey = hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=
PresharedKey = AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = 203.0.113.10:51820
PersistentKeepalive = 25
`

describe('.conf', () => {
  test('AmneziaWG', () => {
    expect(wireguardConf(amnezia)).toBe(conf)
  })

  test('WireGuard, without DNS, on IPv6', () => {
    expect(wireguardConf({ ...wireguard, dns: [], host: '2001:db8::1' })).toBe(`[Interface]
PrivateKey = XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=
Address = 10.8.0.2/32
MTU = 1420

[Peer]
PublicKey = hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=
PresharedKey = AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = [2001:db8::1]:51820
PersistentKeepalive = 25
`)
  })
})

describe('vpn://', () => {
  const decoded = (link: string) => {
    expect(link).toMatch(/^vpn:\/\/[A-Za-z0-9_-]+$/)
    const bytes = Buffer.from(link.slice('vpn://'.length), 'base64url')
    const text = inflateSync(bytes.subarray(4))
    expect(bytes.readUInt32BE()).toBe(text.length)
    return JSON.parse(text.toString())
  }

  test('AmneziaWG, as the Amnezia client would have imported the file', () => {
    const { containers, ...profile } = decoded(connectionUrl({ ...amnezia, title: 'Германия' }))
    expect(profile).toEqual({
      defaultContainer: 'amnezia-awg',
      description: 'Германия',
      dns1: '1.1.1.1',
      dns2: '1.0.0.1',
      hostName: '203.0.113.10',
    })
    const [{ container, awg }, ...others] = containers
    expect([container, others]).toEqual(['amnezia-awg', []])
    const { last_config, ...rest } = awg
    expect(rest).toEqual({ isThirdPartyConfig: true, port: '51820', transport_proto: 'udp' })
    expect(JSON.parse(last_config)).toEqual({
      config: conf,
      hostName: '203.0.113.10',
      port: 51820,
      client_priv_key: 'XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=',
      client_ip: '10.8.0.2/32',
      server_pub_key: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
      psk_key: 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=',
      mtu: '1280',
      persistent_keep_alive: '25',
      allowed_ips: ['0.0.0.0/0', '::/0'],
      ...{ Jc: '4', Jmin: '40', Jmax: '70' },
      ...{ S1: '72', S2: '40', S3: '32', S4: '16' },
      ...{ H1: '100000', H2: '200000', H3: '300000', H4: '4294967295' },
    })
  })

  test('without DNS none is named', () => {
    expect(Object.keys(decoded(connectionUrl({ ...amnezia, dns: [] })))).not.toContain('dns1')
  })
})

test('a placeholder carries its message as the title', () => {
  expect(decodeURIComponent(placeholderLink('Продлите').split('#')[1] ?? '')).toBe('Продлите')
})
