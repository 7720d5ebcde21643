import { describe, expect, test } from 'vitest'
import { singBoxEntry, speaksSingBox } from './clients/sing-box-outbound.ts'
import { xrayOutbound } from './clients/xray-outbound.ts'
import { parseLink } from './links.ts'

const uuid = '5783a3e7-e373-51cd-8642-c83782b807c5'
const keys = 'pbk=hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo&sid=0123456789abcdef&spx=%2F'
const pin = 'ab'.repeat(32)

describe('links as client apps read them', () => {
  test('VLESS over REALITY', () => {
    const link = `vless://${uuid}@203.0.113.10:443?encryption=none&flow=xtls-rprx-vision&type=tcp&security=reality&sni=www.example.com&fp=chrome&${keys}#DE`
    expect(parseLink(link)).toEqual({
      protocol: 'vless',
      host: '203.0.113.10',
      port: 443,
      uuid,
      flow: 'xtls-rprx-vision',
      transport: { kind: 'tcp' },
      security: {
        kind: 'reality',
        serverName: 'www.example.com',
        fingerprint: 'chrome',
        publicKey: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo',
        shortId: '0123456789abcdef',
        spiderX: '/',
      },
    })
  })

  test('VLESS over TLS with a pinned certificate, an IPv6 address and XHTTP', () => {
    const link = `vless://${uuid}@[2001:db8::1]:8443?encryption=none&type=xhttp&path=%2Fa%20b&mode=auto&security=tls&fp=qq&alpn=h2%2Chttp%2F1.1&pcs=${pin}#x`
    const parsed = parseLink(link)
    expect(parsed).toMatchObject({
      host: '2001:db8::1',
      flow: '',
      transport: { kind: 'xhttp', path: '/a b', mode: 'auto' },
      security: { kind: 'tls', serverName: null, alpn: ['h2', 'http/1.1'], pinSha256: pin },
    })
    expect(speaksSingBox(parsed)).toBe(false)
  })

  test('gRPC needs its service name', () => {
    const link = `vless://${uuid}@h.example:1?encryption=none&type=grpc&security=reality&${keys}`
    expect(() => parseLink(link)).toThrow('serviceName')
    expect(parseLink(`${link}&serviceName=svc`)).toMatchObject({
      transport: { kind: 'grpc', serviceName: 'svc' },
    })
  })

  test('Trojan passwords are percent-encoded', () => {
    const link = 'trojan://p%40ss%2F%3A@t.example.com:443?type=tcp&security=tls&sni=t.example.com'
    expect(parseLink(link)).toMatchObject({ protocol: 'trojan', password: 'p@ss/:' })
  })

  test('Shadowsocks is Base64 for the old methods and plain for those of 2022', () => {
    const outline = 'ss://Y2hhY2hhMjAtaWV0Zi1wb2x5MTMwNTpTZWNyZXQw@203.0.113.10:8388/?outline=1#My%20Server'
    expect(parseLink(outline)).toMatchObject({ method: 'chacha20-ietf-poly1305', password: 'Secret0' })
    const plain = 'ss://2022-blake3-aes-256-gcm:AQ%3D%3D%3AAg%2B%3D@203.0.113.10:8443#x'
    expect(parseLink(plain)).toMatchObject({ method: '2022-blake3-aes-256-gcm', password: 'AQ==:Ag+=' })
    const wrapped = Buffer.from('2022-blake3-aes-256-gcm:AQ==:Ag==').toString('base64url')
    expect(() => parseLink(`ss://${wrapped}@203.0.113.10:8443`)).toThrow('the other way')
  })

  test('Hysteria 2 with obfuscation and a pin written with colons', () => {
    const colons = pin.toUpperCase().match(/../g)?.join(':') ?? ''
    const link = `hysteria2://let%3Ame@h.example:443/?obfs=salamander&obfs-password=g%26w&sni=s.example&pinSHA256=${encodeURIComponent(colons)}#H`
    const expected = { auth: 'let:me', obfsPassword: 'g&w', serverName: 's.example', pinSha256: pin }
    expect(parseLink(link)).toMatchObject(expected)
    expect(() => parseLink(link.replace('salamander', 'other'))).toThrow('obfuscation')
  })

  test('WireGuard', () => {
    const link =
      'wireguard://XasI%2BI4Os%3D@203.0.113.10:51820?publickey=hSDw%3D&presharedkey=AAA%3D&address=10.8.0.2%2F32&mtu=1380&reserved=1%2C2%2C3#W'
    expect(parseLink(link)).toEqual({
      protocol: 'wireguard',
      host: '203.0.113.10',
      port: 51820,
      privateKey: 'XasI+I4Os=',
      publicKey: 'hSDw=',
      presharedKey: 'AAA=',
      addresses: ['10.8.0.2/32'],
      mtu: 1380,
      reserved: [1, 2, 3],
    })
  })

  test.each([
    `vless://${uuid}@h:1?encryption=none&type=tcp&security=none`,
    `vless://${uuid}@h:1?type=tcp&security=reality&${keys}`,
    `vless://${uuid}@h:1?encryption=none&type=quic&security=reality&${keys}`,
    `vless://${uuid}@h?encryption=none&type=tcp&security=reality&${keys}`,
    `trojan://p@h:1?security=tls&pcs=abc`,
    'mailto:someone@example.com',
  ])('%s is refused', (link) => {
    expect(() => parseLink(link)).toThrow()
  })
})

describe('what clients are given', () => {
  const noName = parseLink(`vless://${uuid}@203.0.113.10:443?encryption=none&security=reality&fp=qq&${keys}`)

  test('without a name the address stands in its place, which is then not shown', () => {
    expect(xrayOutbound(noName)).toMatchObject({
      streamSettings: { realitySettings: { serverName: '203.0.113.10' } },
    })
    expect(singBoxEntry(noName, null).entry).toMatchObject({ tls: { server_name: '203.0.113.10' } })
  })

  test('a pinned certificate is trusted by sing-box and named by its own name', () => {
    const link = parseLink(`trojan://p@203.0.113.10:443?security=tls&pcs=${pin}`)
    const found = { pem: 'a\nb\n', sha256: pin, name: 'own.example' }
    expect(singBoxEntry(link, found).entry).toMatchObject({
      tls: { server_name: 'own.example', disable_sni: true, certificate: ['a', 'b'] },
    })
    expect(xrayOutbound(link)).toMatchObject({
      streamSettings: { tlsSettings: { pinnedPeerCertSha256: pin } },
    })
  })
})
