import { isIP } from 'node:net'
import { isAddress, isPublicAddress, nameProblem, publicNameProblem } from '../public-address.ts'
import { type Checker, judged, rewritten, text } from './checkers.ts'

/** The single values of the policy: names, addresses, ports and keys. */

export const tag = text(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 letters, digits, "-" or "_"')

export const uuid = text(
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'must be a UUID such as 11111111-2222-4333-8444-555555555555',
)

/** A name that is only compared, never resolved. */
export const name = judged(nameProblem)
export const nameOrNone = judged((value) => (value === '' ? null : nameProblem(value)))

const isNetwork = (value: string): boolean => {
  const [address = '', prefix, ...rest] = value.split('/')
  if (!isAddress(address) || rest.length > 0) return false
  return prefix === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits(address))
}

const bits = (address: string): number => (isIP(address) === 4 ? 32 : 128)

export const address = judged((value) =>
  isAddress(value) ? null : 'must be an IP address: sockets, names and env: are not accepted',
)
export const publicAddress = judged((value) =>
  isPublicAddress(value) ? null : 'must be a public IP address such as 9.9.9.9',
)
export const network = judged((value) =>
  isNetwork(value)
    ? null
    : 'must be an IP address or network such as 192.0.2.0/24: lists from files are not accepted',
)

export const prefix = judged((value) =>
  value.includes('/') && isNetwork(value) ? null : 'must be a network such as 0.0.0.0/0',
)

const portRange = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/
const maxPort = 65535

const isPortRange = (range: string): boolean => {
  const [, from, to = from] = portRange.exec(range) ?? []
  return from !== undefined && Number(from) <= Number(to) && Number(to) <= maxPort
}

export const portList = judged((value) =>
  value.split(',').every(isPortRange) ? null : 'must be ports and ranges such as 80,443,8000-8100',
)

/** host and port of "host:port" or "[IPv6]:port". */
const split = (value: string): { host: string; port: string } => {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\][]*)\]|([^:]*)):([1-9]\d{0,4})$/.exec(value) ?? []
  return { host: bracketed ?? plain ?? '', port }
}

const targetProblem = (value: string): string | null => {
  const { host, port } = split(value)
  if (port !== '443') return 'must be a public site and port 443, such as www.example.com:443'
  return publicNameProblem(host)
}

/** Where REALITY sends everybody it does not know, so nothing but a public site or the server's own choice. */
export const realityTarget = (known: readonly string[], isKnownOnly: boolean): Checker<string> =>
  judged((value) => {
    if (known.includes(value)) return null
    return isKnownOnly ? onlyKnown(known) : targetProblem(value)
  })

const onlyKnown = (known: readonly string[]): string =>
  `must be ${known.filter((target) => target !== '').join(' or ')}: this server cannot keep other sites off its ` +
  'private network; to borrow another one, move the configuration to another server'

/** A peer by its address: a name could point into the server's own network. */
export const peerEndpoint = (known: readonly string[]): Checker<string> =>
  judged((value) => {
    if (known.includes(value)) return null
    const { host, port } = split(value)
    return isPublicAddress(host) && Number(port) <= maxPort
      ? null
      : 'must be a public IP address and port, such as 192.0.2.1:51820'
  })

/** 32 bytes in either alphabet of Base64, padded or not. */
const base64Key = /^(?:[A-Za-z0-9+/]{43}|[A-Za-z0-9_-]{43})=?$/
const hexKey = /^[0-9a-f]{64}$/i

const keyBytes = (value: string): Buffer | null =>
  base64Key.test(value) ? Buffer.from(value, 'base64') : null

/** Kept in the one form that Xray reads here. */
export const realityKey = rewritten(
  (value) => keyBytes(value)?.toString('base64url') ?? null,
  'must be a key made by "xray x25519": 32 bytes in Base64',
)

/** Kept in the form that WireGuard itself writes. */
export const wireguardKey = rewritten((value) => {
  const bytes = hexKey.test(value) ? Buffer.from(value, 'hex') : keyBytes(value)
  return bytes?.toString('base64') ?? null
}, 'must be a WireGuard key: 32 bytes in Base64')

export const shortId = text(/^(?:[0-9a-f]{2}){0,8}$/i, 'must be up to 16 hexadecimal digits, an even number')
