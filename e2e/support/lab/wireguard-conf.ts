import { inflateSync } from 'node:zlib'

/** A WireGuard or AmneziaWG .conf file, as wg-quick reads it. */
export interface WireguardConf {
  readonly addresses: readonly string[]
  readonly resolvers: readonly string[]
  readonly mtu: number
  readonly endpoint: { readonly host: string; readonly port: number }
  /** Lines for the engine's configuration protocol, without the endpoint. */
  readonly interfaceLines: readonly string[]
  readonly peerLines: readonly string[]
}

type Section = ReadonlyMap<string, string>

const usualMtu = 1420
const obfuscationKeys = /^(jc|jmin|jmax|s[1-4]|h[1-4]|i[1-5])$/
const knownKeys = {
  interface: /^(privatekey|address|dns|mtu)$/,
  peer: /^(publickey|presharedkey|allowedips|endpoint|persistentkeepalive)$/,
}

const sections = (text: string): Map<string, Map<string, string>> => {
  const found = new Map<string, Map<string, string>>()
  let current: Map<string, string> | undefined
  for (const line of text.split(/\r?\n/).map((raw) => raw.replace(/#.*/, '').trim())) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1]?.toLowerCase()
    if (heading) {
      if (found.has(heading)) throw new Error(`The file has [${heading}] twice`)
      current = new Map()
      found.set(heading, current)
    } else if (line !== '') {
      const [key = '', ...value] = line.split('=')
      if (!current || value.length === 0) throw new Error(`No client understands the line ${line}`)
      current.set(key.trim().toLowerCase(), value.join('=').trim())
    }
  }
  return found
}

const value = (section: Section, key: string): string => {
  const text = section.get(key)
  if (!text) throw new Error(`The file has no ${key}`)
  return text
}

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const hexKey = (text: string): string => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== text) throw new Error(`${text} is no WireGuard key`)
  return bytes.toString('hex')
}

const endpointOf = (text: string): { host: string; port: number } => {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text)
  if (!match) throw new Error(`${text} is no endpoint`)
  return { host: match[1] ?? match[2] ?? '', port: Number(match[3]) }
}

const checkKeys = (section: Section, ...known: RegExp[]): void => {
  for (const key of section.keys()) {
    if (!known.some((pattern) => pattern.test(key))) throw new Error(`No client knows the key ${key}`)
  }
}

export const parseConf = (text: string): WireguardConf => {
  const found = sections(text)
  const own = found.get('interface')
  const peer = found.get('peer')
  if (!own || !peer) throw new Error('The file needs [Interface] and [Peer]')
  checkKeys(own, knownKeys.interface, obfuscationKeys)
  checkKeys(peer, knownKeys.peer)
  const obfuscation = [...own].filter(([key]) => obfuscationKeys.test(key))
  const presharedKey = peer.get('presharedkey')
  return {
    addresses: list(value(own, 'address')),
    resolvers: list(own.get('dns')),
    mtu: Number(own.get('mtu') ?? usualMtu),
    endpoint: endpointOf(value(peer, 'endpoint')),
    interfaceLines: [
      `private_key=${hexKey(value(own, 'privatekey'))}`,
      ...obfuscation.map(([key, text]) => `${key}=${text}`),
    ],
    peerLines: [
      `public_key=${hexKey(value(peer, 'publickey'))}`,
      ...(presharedKey ? [`preshared_key=${hexKey(presharedKey)}`] : []),
      `persistent_keepalive_interval=${peer.get('persistentkeepalive') ?? 0}`,
      'replace_allowed_ips=true',
      ...list(value(peer, 'allowedips')).map((network) => `allowed_ip=${network}`),
    ],
  }
}

interface AmneziaExport {
  readonly defaultContainer: string
  readonly containers: readonly {
    readonly container: string
    readonly awg?: { readonly last_config: string }
  }[]
}

/** The .conf inside an Amnezia vpn:// link: Base64 of a length and a compressed JSON, as Qt writes it. */
export const confFromAmneziaLink = (link: string): string => {
  if (!link.startsWith('vpn://')) throw new Error('An Amnezia link begins with vpn://')
  const packed = Buffer.from(link.slice('vpn://'.length), 'base64url')
  const json = inflateSync(packed.subarray(4))
  if (packed.readUInt32BE(0) !== json.length) throw new Error('The link names another length than it has')
  const { containers, defaultContainer } = JSON.parse(json.toString()) as AmneziaExport
  const awg = containers.find(({ container }) => container === defaultContainer)?.awg
  if (!awg) throw new Error('The link has no AmneziaWG in its default container')
  return (JSON.parse(awg.last_config) as { config: string }).config
}
