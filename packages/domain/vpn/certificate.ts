import { type KeyObject, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A self-signed TLS server certificate, written as DER by hand: Node can read certificates but not make them. */

export interface SelfSigned {
  /** DNS name or IP address. */
  readonly serverName: string
  /** Unix seconds. */
  readonly notBefore: number
  readonly days: number
  /** On the curve P-256. */
  readonly keyPair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  /** At most 19 bytes in hex, random. */
  readonly serial: string
}

/** Both in PEM. */
export interface CertificateWithKey {
  readonly certificate: string
  readonly key: string
}

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** SubjectAltName's own. */
  dnsName: 0x82,
  ipAddress: 0x87,
  /** Of the certificate: [0] version, [3] extensions. */
  version: 0xa0,
  extensions: 0xa3,
}

const lengthBytes = (length: number): number[] => {
  if (length < 0x80) return [length]
  const bytes = length > 0xff ? [length >> 8, length & 0xff] : [length]
  return [0x80 | bytes.length, ...bytes]
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(tags.sequence, ...parts)
const bitString = (content: Buffer): Buffer => der(tags.bitString, Buffer.from([0]), content)

/** A positive integer: without leading zeros, but with one where the first bit would make it negative. */
const integer = (hex: string): Buffer => {
  const digits = hex.replace(/^(?:00)+(?=..)/, '')
  return der(tags.integer, Buffer.from(/^[89a-f]/i.test(digits) ? `00${digits}` : digits, 'hex'))
}

/** Object identifiers as DER has them: the first two numbers in one byte, the others in sevens of bits. */
const objectIds = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  extKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
}
const objectId = (name: keyof typeof objectIds): Buffer =>
  der(tags.objectId, Buffer.from(objectIds[name], 'hex'))

const firstGeneralizedTime = Date.UTC(2050, 0) / 1000

/** Two digits for the year until 2049 and four after it, as RFC 5280 demands. */
const time = (unixSeconds: number): Buffer => {
  const digits = new Date(unixSeconds * 1000).toISOString().replace(/\.\d+|[-:T]/g, '')
  return unixSeconds < firstGeneralizedTime
    ? der(tags.utcTime, Buffer.from(digits.slice(2)))
    : der(tags.generalizedTime, Buffer.from(digits))
}

const longestCommonName = 64

const subject = (serverName: string): Buffer => {
  const value = der(tags.utf8String, Buffer.from(serverName.slice(0, longestCommonName)))
  return sequence(der(tags.set, sequence(objectId('commonName'), value)))
}

const groupBytes = (groups: string): number[] =>
  groups === ''
    ? []
    : groups.split(':').flatMap((group) => {
        const value = Number.parseInt(group, 16)
        return [value >> 8, value & 0xff]
      })

const ipBytes = (ip: string): Buffer => {
  if (isIP(ip) === 4) return Buffer.from(ip.split('.').map(Number))
  // The URL parser writes an IPv4 tail as groups and leaves at most one "::".
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [groupBytes(head), groupBytes(tail ?? '')]
  return Buffer.from([...left, ...Array<number>(16 - left.length - right.length).fill(0), ...right])
}

const alternativeName = (serverName: string): Buffer =>
  isIP(serverName) === 0
    ? der(tags.dnsName, Buffer.from(serverName, 'ascii'))
    : der(tags.ipAddress, ipBytes(serverName))

const extension = (name: keyof typeof objectIds, isCritical: boolean, value: Buffer): Buffer => {
  const critical = isCritical ? [der(tags.boolean, Buffer.from([0xff]))] : []
  return sequence(objectId(name), ...critical, der(tags.octetString, value))
}

/** Bit 0 of seven unused ones below it. */
const digitalSignature = der(tags.bitString, Buffer.from([7, 0x80]))

const extensions = (serverName: string): Buffer =>
  der(
    tags.extensions,
    sequence(
      extension('basicConstraints', true, sequence()),
      extension('keyUsage', true, digitalSignature),
      extension('extKeyUsage', false, sequence(objectId('serverAuth'))),
      extension('subjectAltName', false, sequence(alternativeName(serverName))),
    ),
  )

const pem = (label: string, content: Buffer): string => {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

const version3 = der(tags.version, integer('02'))
const secondsPerDay = 86_400

export const selfSignedCertificate = (wanted: SelfSigned): CertificateWithKey => {
  const { serverName, notBefore, days, keyPair, serial } = wanted
  if (keyPair.publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new TypeError('the key of a certificate must be on the curve P-256')
  }
  const algorithm = sequence(objectId('ecdsaWithSha256'))
  const name = subject(serverName)
  const content = sequence(
    version3,
    integer(serial),
    algorithm,
    name,
    sequence(time(notBefore), time(notBefore + days * secondsPerDay)),
    name,
    keyPair.publicKey.export({ type: 'spki', format: 'der' }),
    extensions(serverName),
  )
  const signature = sign('sha256', content, keyPair.privateKey)
  return {
    certificate: pem('CERTIFICATE', sequence(content, algorithm, bitString(signature))),
    key: String(keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}
