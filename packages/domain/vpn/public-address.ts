import { BlockList, isIP } from 'node:net'
import { privateNetworks } from './private-networks.ts'

/** Which addresses and names given by customers may lie on the public internet. */

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

const neverPublic = listOf(privateNetworks)
/** All that is handed out of IPv6, and IPv4 addresses in IPv6 notation, which the other list judges as IPv4. */
const handedOut = listOf(['2000::/3', '::ffff:0:0/96'])
/** Teredo and 6to4 carry an IPv4 address inside, which may be a private one. */
const tunnels = listOf(['2001::/32', '2002::/16'])

/** An IP address in its usual notation, without brackets or a zone. */
export const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')

export const isPublicAddress = (ip: string): boolean => {
  if (!isAddress(ip)) return false
  if (isIP(ip) === 4) return !neverPublic.check(ip, 'ipv4')
  return handedOut.check(ip, 'ipv6') && !neverPublic.check(ip, 'ipv6') && !tunnels.check(ip, 'ipv6')
}

const maxNameLength = 253
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
/** Resolvers read a name that ends so as an IPv4 address: 127.1, 0177.0.0.1, 127.0.0.0x1, 2130706433. */
const numberPattern = /^(?:\d+|0x[0-9a-f]*)$/i

/**
 * Names that mean something else on every machine: IANA's special-use ones (arpa holds home.arpa and the reverse
 * zones), what ICANN keeps from the root, and what networks of offices, homes and clusters call themselves.
 * example.com and its two sisters are reserved too, and yet in the public DNS.
 */
const localZones = [
  'alt',
  'arpa',
  'example',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'localdomain',
  'mail',
  'private',
  'cluster',
  'consul',
  'docker',
  'i2p',
  'kube',
  'svc',
  'workgroup',
]
/** Where clouds tell a machine its secrets, by names outside the zones above. */
const metadataNames = [
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'api.metadata.cloud.ibm.com',
]
/** Public zones that answer with the private address one asks for; the node's firewall stops those not listed. */
const echoZones = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'traefik.me',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
  'localho.st',
  'localhost.direct',
  'rbndr.us',
  '1u.ms',
]

const isUnder = (name: string, zones: readonly string[]): boolean =>
  zones.some((zone) => name === zone || name.endsWith(`.${zone}`))

/** What keeps a text from being a DNS name, or null. */
export const nameProblem = (name: string): string | null => {
  if (name.length > maxNameLength) return `must be at most ${maxNameLength} characters`
  const labels = name.split('.')
  if (numberPattern.test(labels.at(-1) ?? '')) return 'must be a name, not an address'
  return labels.every((label) => labelPattern.test(label))
    ? null
    : 'must be a DNS name: letters, digits and hyphens, separated by dots'
}

/** What keeps a text from being the DNS name of something on the public internet, or null. */
export const publicNameProblem = (name: string): string | null => {
  const problem = nameProblem(name)
  if (problem !== null) return problem
  if (!name.includes('.')) return 'must be a full name with its domain, such as www.example.com'
  const lower = name.toLowerCase()
  if (isUnder(lower, localZones)) return 'must be a public name, not one of a local network'
  if (isUnder(lower, metadataNames))
    return 'must not be a name by which a cloud tells machines about themselves'
  return isUnder(lower, echoZones) ? 'must not be a name that stands for any address' : null
}
