import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { selfSignedCertificate } from './certificate.ts'

const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const notBefore = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000
const wanted = { serverName: 'vpn.example.com', notBefore, days: 365, keyPair, serial: '0123456789abcdef' }
const read = (change: Partial<typeof wanted>): X509Certificate =>
  new X509Certificate(selfSignedCertificate({ ...wanted, ...change }).certificate)

describe('a certificate for a name', () => {
  const certificate = read({})

  test('is for that name and no other', () => {
    expect(certificate.subject).toBe('CN=vpn.example.com')
    expect(certificate.issuer).toBe('CN=vpn.example.com')
    expect(certificate.subjectAltName).toBe('DNS:vpn.example.com')
    expect(certificate.checkHost('vpn.example.com')).toBe('vpn.example.com')
    expect(certificate.checkHost('www.example.com')).toBeUndefined()
  })

  test('is signed by its own key', () => {
    expect(certificate.verify(keyPair.publicKey)).toBe(true)
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(certificate.verify(stranger.publicKey)).toBe(false)
    expect(certificate.checkPrivateKey(keyPair.privateKey)).toBe(true)
  })

  test('is a server certificate of version 3 and no authority', () => {
    expect(certificate.ca).toBe(false)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.serialNumber).toBe('0123456789ABCDEF')
  })

  test('the key comes in PEM', () => {
    expect(selfSignedCertificate(wanted).key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  })
})

test.each([
  [notBefore, 365, '2026-01-02T03:04:05.000Z', '2027-01-02T03:04:05.000Z'],
  [Date.UTC(2049, 11, 31, 23, 59, 59) / 1000, 1, '2049-12-31T23:59:59.000Z', '2050-01-01T23:59:59.000Z'],
])('valid from %d for %d days', (from, days, first, last) => {
  const certificate = read({ notBefore: from, days })
  expect(new Date(certificate.validFrom).toISOString()).toBe(first)
  expect(new Date(certificate.validTo).toISOString()).toBe(last)
})

test.each([
  ['203.0.113.10', '203.0.113.10'],
  ['2001:db8::a:1', '2001:DB8:0:0:0:0:A:1'],
  ['::1', '0:0:0:0:0:0:0:1'],
  ['2001:db8::', '2001:DB8:0:0:0:0:0:0'],
  ['::ffff:203.0.113.10', '0:0:0:0:0:FFFF:CB00:710A'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
])('a certificate for the address %s', (serverName, shown) => {
  const certificate = read({ serverName })
  expect(certificate.subjectAltName).toBe(`IP Address:${shown}`)
  expect(certificate.checkIP(serverName)).toBe(serverName)
})

test.each([
  ['ff', 'FF'],
  ['007f', '7F'],
  ['0080', '80'],
  [`f${'e'.repeat(37)}`, `F${'E'.repeat(37)}`],
])('serial %s', (serial, shown) => {
  expect(read({ serial }).serialNumber).toBe(shown)
})

test('names of every length make readable certificates', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,60}$/)
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
  fc.assert(
    fc.property(name, (serverName) => {
      const certificate = read({ serverName })
      expect(certificate.checkHost(serverName, { subject: 'never' })).toBe(serverName)
      expect(certificate.verify(keyPair.publicKey)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

/** A key that is always the same; what is signed does not depend on the signature, which is drawn anew each time. */
const fixedKeyPair = () => {
  const [before, after] = ['30310201010420', 'a00a06082a8648ce3d030107'].map((hex) => Buffer.from(hex, 'hex'))
  const sec1 = Buffer.concat([before as Buffer, Buffer.alloc(32, 7), after as Buffer])
  const privateKey = createPrivateKey({ key: sec1, format: 'der', type: 'sec1' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** The first part of the outer sequence, whose head and whose own have four bytes each. */
const signedPart = ({ raw }: X509Certificate): Buffer => raw.subarray(4, 8 + raw.readUInt16BE(6))

/** The hashes are of what @peculiar/x509 2.2.0 makes of the same wishes. */
test.each([
  ['vpn.example.com', '0123456789abcdef', '5f8935126d0d99648292cd14df277b295e487a32894795b427bf5a07d9854df7'],
  ['203.0.113.10', 'ff', '9717ad6ccfff5435f934fbe186747c834d53d65907a8375232e68ef70e79f22e'],
  ['2001:db8::a:1', '7f'.repeat(16), '9e77d8332917efc231097ce16dac1bbde9592fabe2031ca50da8be08d5d88514'],
])('what is signed for %s is byte for byte what a library makes of it', (serverName, serial, known) => {
  const certificate = read({ serverName, serial, days: 9125, keyPair: fixedKeyPair() })
  expect(hash('sha256', signedPart(certificate))).toBe(known)
})

test('a key of another kind is refused', () => {
  const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  expect(() => selfSignedCertificate({ ...wanted, keyPair })).toThrow('P-256')
})

/** What a client that trusts this certificate alone makes of a server that shows it. */
const handshake = async (serverName: string, asked: string): Promise<string> => {
  const { certificate, key } = selfSignedCertificate({
    ...wanted,
    serverName,
    notBefore: Math.floor(Date.now() / 1000) - 60,
  })
  const server = createServer({ cert: certificate, key }, (socket) => socket.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ host: '127.0.0.1', port, ca: certificate, servername: asked })
  const outcome = await new Promise<string>((resolve) => {
    client.once('secureConnect', () => resolve(client.authorized ? 'trusted' : 'distrusted'))
    client.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
  client.destroy()
  server.close()
  return outcome
}

test('a TLS client that is given the certificate trusts its server', async () => {
  expect(await handshake('vpn.example.com', 'vpn.example.com')).toBe('trusted')
  expect(await handshake('vpn.example.com', 'www.example.com')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await handshake('127.0.0.1', '')).toBe('trusted')
})
