import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { confFromAmneziaLink, parseConf } from './wireguard-conf.ts'

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64')

const file = `
[Interface]
PrivateKey = ${key(1)}
Address = 10.9.0.2/32, fd00::2/128
DNS = 1.1.1.1, 1.0.0.1
MTU = 1376 # smaller than usual
Jc = 4
H1 = 100000-200000

[Peer]
PublicKey = ${key(2)}
PresharedKey = ${key(3)}
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = 198.51.100.10:51820
PersistentKeepalive = 25
`

test('a configuration file becomes addresses and lines for the engine', () => {
  expect(parseConf(file)).toEqual({
    addresses: ['10.9.0.2/32', 'fd00::2/128'],
    resolvers: ['1.1.1.1', '1.0.0.1'],
    mtu: 1376,
    endpoint: { host: '198.51.100.10', port: 51820 },
    interfaceLines: [`private_key=${'01'.repeat(32)}`, 'jc=4', 'h1=100000-200000'],
    peerLines: [
      `public_key=${'02'.repeat(32)}`,
      `preshared_key=${'03'.repeat(32)}`,
      'persistent_keepalive_interval=25',
      'replace_allowed_ips=true',
      'allowed_ip=0.0.0.0/0',
      'allowed_ip=::/0',
    ],
  })
})

test.each([
  ['a key that is none', file.replace(key(2), 'c2hvcnQ='), 'no WireGuard key'],
  ['no endpoint', file.replace(/Endpoint.*/, ''), 'no endpoint'],
  ['an unknown key', `${file}\nColour = blue`, 'colour'],
  ['a second peer', `${file}\n[Peer]\nPublicKey = ${key(4)}`, 'twice'],
  ['no peer', file.split('[Peer]')[0] ?? '', 'needs'],
])('%s is refused', (_, text, reason) => {
  expect(() => parseConf(text)).toThrow(reason)
})

const amneziaLink = (length: number, container: string): string => {
  const awg = { last_config: JSON.stringify({ config: file }) }
  const json = { containers: [{ container: 'amnezia-awg', awg }], defaultContainer: container }
  const head = Buffer.alloc(4)
  const text = JSON.stringify(json)
  head.writeUInt32BE(text.length + length)
  return `vpn://${Buffer.concat([head, deflateSync(text)]).toString('base64url')}`
}

test('an Amnezia link carries the file', () => {
  expect(confFromAmneziaLink(amneziaLink(0, 'amnezia-awg'))).toBe(file)
  expect(() => confFromAmneziaLink(amneziaLink(1, 'amnezia-awg'))).toThrow('length')
  expect(() => confFromAmneziaLink(amneziaLink(0, 'other'))).toThrow('default container')
})
