import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../text/strict-json.ts'
import { selfSignedCertificate } from '../certificate.ts'
import { personalXray } from '../engine/personal-xray.ts'
import { edited, goodPersonalXray, goodXrayConfig } from '../testing/hostile-xray-configs.ts'
import { accepted, refused } from '../testing/read-xray-config.ts'

const streamPath = 'inbounds[0].streamSettings'
const targetPath = `${streamPath}.realitySettings.target`

const tlsPair = () => {
  const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate, key } = selfSignedCertificate({
    serverName: 'vpn.example.com',
    notBefore: 1_700_000_000,
    days: 3650,
    keyPair,
    serial: '01',
  })
  return { certificate: certificate.trim().split('\n'), key: key.trim().split('\n') }
}
const overTls = (tlsSettings: Json, more: Record<string, Json> = {}): string =>
  edited(streamPath, { network: 'tcp', security: 'tls', tlsSettings, ...more })

function inboundOver(network: string, settings: Json): JsonObject {
  return {
    tag: 'in',
    listen: '0.0.0.0',
    port: 20000,
    protocol: 'vless',
    settings: { clients: [{ id: '11111111-2222-4333-8444-555555555555' }], decryption: 'none' },
    streamSettings: { network, security: 'tls', tlsSettings: {}, [`${network}Settings`]: settings },
  }
}

describe('edits a customer would make', () => {
  const kept: [name: string, path: string, value: Json][] = [
    ['another UUID', 'inbounds[0].settings.clients[0].id', 'AAAAAAAA-bbbb-4ccc-8ddd-eeeeeeeeeeee'],
    ['another site', targetPath, 'www.wikipedia.org:443'],
    ['other names', `${streamPath}.realitySettings.serverNames`, ['www.wikipedia.org', '']],
    ['other short ids', `${streamPath}.realitySettings.shortIds`, ['', 'AB', '0011223344556677']],
    ['the transport by its new name', `${streamPath}.network`, 'raw'],
    ['less sniffing', 'inbounds[0].sniffing', { enabled: false, routeOnly: true }],
    [
      'a second client',
      'inbounds[0].settings.clients',
      [
        { id: '11111111-2222-4333-8444-555555555555', flow: 'xtls-rprx-vision' },
        { id: '11111111-2222-4333-8444-666666666666', flow: '' },
      ],
    ],
    [
      'rules of their own',
      'routing.rules',
      [
        { domain: ['domain:ads.example', 'tracker'], outboundTag: 'block' },
        { ip: ['203.0.113.0/24', '2001:db8::1'], port: 25, outboundTag: 'block' },
        { network: 'udp', port: '443,8000-8100', inboundTag: ['in'], outboundTag: 'warp' },
      ],
    ],
    ['resolvers', 'dns', { servers: ['9.9.9.9', { address: '2620:fe::fe' }], queryStrategy: 'UseIPv4' }],
    [
      'one way out',
      'outbounds[1]',
      { tag: 'block', protocol: 'blackhole', settings: { response: { type: 'http' } } },
    ],
    ['a peer of their own', 'outbounds[3].settings.peers[0].endpoint', '198.51.100.7:51820'],
  ]
  test.each(kept)('%s', (_, path, value) => {
    const text = edited(path, value)
    expect(JSON.stringify(accepted(text))).toBe(text)
  })

  test.each<[string, string]>([
    ['their own certificate', overTls({ serverName: 'vpn.example.com', certificates: [tlsPair()] })],
    ['grpc', edited('inbounds[0]', inboundOver('grpc', { serviceName: 'api', multiMode: true }))],
    ['xhttp', edited('inbounds[0]', inboundOver('xhttp', { path: '/a', mode: 'stream-up' }))],
    ['ws', edited('inbounds[0]', inboundOver('ws', { path: '/a', host: 'cdn.example.com' }))],
    ['httpupgrade', edited('inbounds[0]', inboundOver('httpupgrade', { path: '/a' }))],
  ])('TLS with %s', (_, text) => {
    expect(JSON.stringify(accepted(text))).toBe(text)
  })
})

describe('keys in every usual Base64', () => {
  const bytes = Buffer.from(`${'fbefbe'.repeat(10)}fbff`, 'hex')
  const [standard, forUrls] = [bytes.toString('base64'), bytes.toString('base64url')]
  const forms = [standard, standard.replace('=', ''), forUrls, `${forUrls}=`]
  const realityPath = `${streamPath}.realitySettings.privateKey`

  test.each(forms)('REALITY reads %s', (form) => {
    expect(bytes.length).toBe(32)
    expect(standard).toMatch(/[+/].*=/)
    const { streamSettings } = accepted(edited(realityPath, form)).inbounds[0]
    expect(streamSettings.realitySettings?.privateKey).toBe(forUrls)
  })

  test.each([
    ...forms,
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ])('WireGuard reads %s', (form) => {
    const json = JSON.parse(edited('outbounds[3].settings.secretKey', form))
    Object.assign(json.outbounds[3].settings.peers[0], { publicKey: form, preSharedKey: form })
    expect(accepted(JSON.stringify(json)).outbounds[3]?.settings).toMatchObject({
      secretKey: standard,
      peers: [{ publicKey: standard, preSharedKey: standard }],
    })
  })

  test.each([
    '',
    'A'.repeat(42),
    'A'.repeat(44),
    `${'A'.repeat(43)}==`,
    `${'A'.repeat(43)} `,
    `+${'A'.repeat(41)}_`,
    `${'A'.repeat(21)}=${'A'.repeat(21)}`,
    'A'.repeat(64),
  ])('%j is none', (form) => {
    expect(refused(edited(realityPath, form))).toMatchObject([{ path: realityPath }])
  })
})

describe('parts that do not go together', () => {
  const { certificate, key } = tlsPair()
  const pem = (kind: 'ed448' | 'x25519'): string[] => {
    const { privateKey } = generateKeyPairSync(kind as 'ed448')
    return String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
      .trim()
      .split('\n')
  }
  const withPair = (pair: Json): string => overTls({ certificates: [pair] })
  const { realitySettings } = personalXray(goodPersonalXray).inbounds[0].streamSettings
  const reality = { security: 'reality', realitySettings: realitySettings as unknown as Json }
  const overReality = (network: string, more: Record<string, Json> = {}): string =>
    edited('inbounds[0]', { ...inboundOver('tcp', {}), streamSettings: { network, ...reality, ...more } })

  test.each<[name: string, text: string, path: string, problem: string]>([
    ['a foreign key', withPair({ certificate, key: tlsPair().key }), 'certificates[0].key', 'the key of'],
    [
      'no certificate',
      withPair({ certificate: certificate.slice(1), key }),
      'certificates[0].certificate',
      'PEM',
    ],
    ['a key Go cannot sign with', withPair({ certificate, key: pem('ed448') }), 'certificates[0].key', 'RSA'],
    ['a key for no signatures', withPair({ certificate, key: pem('x25519') }), 'certificates[0].key', 'RSA'],
    ['vision in TLS 1.2', overTls({ maxVersion: '1.2' }), 'clients[0].flow', 'TLS 1.3'],
    ['REALITY over ws', overReality('ws'), 'streamSettings.security', 'must be "tls"'],
    ['REALITY over httpupgrade', overReality('httpupgrade'), 'streamSettings.security', 'must be "tls"'],
    ['REALITY and TLS', overReality('tcp', { tlsSettings: {} }), 'tlsSettings', 'no use'],
    ['TLS and REALITY', overTls({}, { ...reality, security: 'tls' }), 'realitySettings', 'no use'],
    ['two transports', overReality('xhttp', { grpcSettings: {} }), 'grpcSettings', 'no use'],
    [
      'a tag twice',
      edited('outbounds[4]', { tag: 'warp', protocol: 'freedom' }),
      'outbounds[4].tag',
      'differ',
    ],
  ])('%s', (_, text, path, problem) => {
    expect(refused(text)).toEqual([
      {
        path: expect.stringMatching(new RegExp(`${RegExp.escape(path)}$`)),
        problem: expect.stringContaining(problem),
      },
    ])
  })

  test('REALITY goes over what it is not refused for', () => {
    for (const network of ['tcp', 'raw', 'xhttp', 'grpc']) expect(accepted(overReality(network))).toBeTruthy()
  })
})

describe('what the service decides', () => {
  const without = (...keys: string[]): string => {
    const { inbounds, ...root } = JSON.parse(goodXrayConfig) as { inbounds: object[] }
    const inbound = Object.entries(inbounds[0] ?? {}).filter(([key]) => !keys.includes(key))
    return JSON.stringify({ ...root, inbounds: [Object.fromEntries(inbound)] })
  }

  test.each<[string, string]>([
    ['another port', edited('inbounds[0].port', 4444)],
    ['another address', edited('inbounds[0].listen', '::1')],
    ['another tag', edited('inbounds[0].tag', 'mine')],
    ['none of them', without('tag', 'listen', 'port')],
    ['a log', edited('log', { loglevel: 'debug' })],
    ['an e-mail', edited('inbounds[0].settings.clients[0].email', 'me@example.com')],
    ['a level', edited('inbounds[0].settings.clients[0].level', 1)],
    ['an old kind of rule', edited('routing.rules[0].type', 'field')],
    ['resolving for rules', edited('routing.domainStrategy', 'IPOnDemand')],
    ['sniffed names as targets', edited('inbounds[0].sniffing.routeOnly', false)],
    ['no disguise', edited(`${streamPath}.tcpSettings`, { header: { type: 'none' } })],
    ['old clients', edited(`${streamPath}.realitySettings.minClientVer`, '1.0.0')],
  ])('%s changes nothing', (_, text) => {
    expect(text).not.toBe(goodXrayConfig)
    expect(accepted(text)).toEqual(JSON.parse(goodXrayConfig))
  })

  test('a config without routing gets an empty one', () => {
    const { routing, ...root } = JSON.parse(goodXrayConfig)
    expect(accepted(JSON.stringify(root)).routing).toEqual({ domainStrategy: 'AsIs', rules: [] })
  })

  test('the server’s own target and endpoint need not be public, but exactly those', () => {
    const at = { listen: '0.0.0.0', port: 20000, targets: ['127.0.0.1:8443'] }
    expect(accepted(edited(targetPath, '127.0.0.1:8443'), at)).toBeTruthy()
    expect(refused(edited(targetPath, '127.0.0.1:8444'), at)[0]?.path).toBe(targetPath)
  })
})

test('problems say what to do', () => {
  expect(refused(edited(`${streamPath}.realitySettings.dest`, 'www.example.com:443'))).toEqual([
    { path: `${streamPath}.realitySettings.dest`, problem: 'is the old name: write target instead' },
  ])
  expect(refused(edited('LOG', {}))).toEqual([
    { path: 'LOG', problem: 'is not known: write log, in lower and upper case as here' },
  ])
  expect(refused(edited('inbounds[0].protocol', 'trojan'))).toEqual([
    {
      path: 'inbounds[0].protocol',
      problem: 'must be "vless"; another protocol is chosen in the settings of the configuration',
    },
  ])
  const [problem] = refused(edited('routing.rules[1].outboundTag', 'proxy'))
  expect(problem).toEqual({
    path: 'routing.rules[1].outboundTag',
    problem: 'must be the tag of an outbound: direct, block, family-dns, warp',
  })
})
