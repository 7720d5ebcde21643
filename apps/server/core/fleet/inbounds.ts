import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Certificate, EngineName, Inbound, Reality } from '@sallyport/contract/agent/agent'
import type { Protocol } from '@sallyport/contract/shapes'
import type { Vault } from '../kernel/vault.ts'
import type { InboundSettings, InboundSites } from './inbound-settings.ts'

/** What servers offer, one inbound a protocol: how it is made, kept, and told to agents. */

export const inboundSecretContext = 'inbounds.secret'
export const certificateKeyContext = 'servers.certificate_key'

export interface ServerNames {
  readonly realityTarget: string
  readonly realityServerName: string
  readonly otherTarget: string
  readonly otherServerName: string
  readonly domain: string
  /** Null for a certificate that an authority signed. */
  readonly pin: string | null
}

export const engineOf: Readonly<Record<Protocol, EngineName>> = {
  vless: 'xray',
  'vless-2410': 'xray',
  trojan: 'xray',
  'trojan-2901': 'xray',
  outline: 'xray',
  'shadowsocks-2022': 'xray',
  hysteria2: 'xray',
  wg: 'amneziawg',
  'amnezia-wg-2': 'amneziawg',
}

/** Every customer has a port of its own there, so the server has none. */
export const hasSharedPort = (protocol: Protocol): boolean => protocol !== 'amnezia-wg-2'

export interface MadeInbound {
  readonly settings: InboundSettings
  readonly sites: InboundSites
  /** What only the node may know, in one text. */
  readonly secret: string
}

const x25519 = () => {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  return { privateKey: d, publicKey: x }
}

const base64 = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('base64')

/** The part of an inbound that follows from its server's names. */
export const namedInbound = (
  protocol: Protocol,
  names: ServerNames,
): Pick<MadeInbound, 'settings' | 'sites'> => {
  const tls = { tls_name: names.domain, tls_pin: names.pin }
  switch (protocol) {
    case 'vless':
    case 'trojan-2901': {
      const borrowed = {
        server_name: names.realityServerName,
        target: names.realityTarget,
        other_server_name: names.otherServerName,
        other_target: names.otherTarget,
      }
      return { settings: { server_name: names.realityServerName }, sites: { ...borrowed, ...tls } }
    }
    case 'vless-2410': {
      const own = { server_name: names.domain, target: `${names.domain}:443` }
      return { settings: { server_name: names.domain }, sites: { ...own, ...tls } }
    }
    case 'trojan':
    case 'hysteria2':
      return { settings: tls, sites: tls }
    default:
      return { settings: {}, sites: {} }
  }
}

/** Fresh keys: what links say of them, and what only the node may know. */
const makeKeys = (protocol: Protocol): Pick<MadeInbound, 'settings' | 'secret'> => {
  switch (protocol) {
    case 'vless':
    case 'vless-2410':
    case 'trojan-2901': {
      const { privateKey, publicKey } = x25519()
      const settings = { public_key: publicKey, short_id: randomBytes(8).toString('hex') }
      return { settings, secret: privateKey }
    }
    case 'hysteria2':
      return { settings: {}, secret: randomBytes(12).toString('hex') }
    case 'shadowsocks-2022':
      return { settings: {}, secret: randomBytes(32).toString('base64') }
    case 'wg': {
      const { privateKey, publicKey } = x25519()
      return { settings: { public_key: base64(publicKey) }, secret: base64(privateKey) }
    }
    case 'trojan':
    case 'outline':
    case 'amnezia-wg-2':
      return { settings: {}, secret: '' }
  }
}

/** One protocol of a server, with fresh keys. */
export const makeInbound = (protocol: Protocol, names: ServerNames): MadeInbound => {
  const [{ settings, sites }, keys] = [namedInbound(protocol, names), makeKeys(protocol)]
  return { settings: { ...keys.settings, ...settings }, sites, secret: keys.secret }
}

export const tagOf = (protocol: string, serverId: number): string => `${protocol}-${serverId}`

export interface InboundRow {
  readonly server_id: number
  readonly protocol: Protocol
  readonly port: number | null
  readonly listen_address: string
  readonly settings: InboundSettings
  readonly sites: InboundSites
  readonly secret_sealed: Uint8Array
  readonly domain: string | null
  readonly certificate: string | null
  readonly certificate_key_sealed: Uint8Array | null
}

export const certificateOf = (
  vault: Vault,
  row: Pick<InboundRow, 'domain' | 'certificate' | 'certificate_key_sealed'>,
): Certificate => ({
  server_name: row.domain ?? '',
  certificate: row.certificate ?? '',
  key: row.certificate_key_sealed ? vault.open(row.certificate_key_sealed, certificateKeyContext) : '',
})

const realityOf = ({ settings, sites }: InboundRow, privateKey: string, names: string[]): Reality => ({
  target: sites.target ?? settings.target ?? '',
  server_names: names,
  private_key: privateKey,
  short_ids: [settings.short_id ?? ''],
})

/** As the agent is told; null for what has no shared inbound. */
export const toInbound = (vault: Vault, row: InboundRow): Inbound | null => {
  if (row.port === null) return null
  const shared = { tag: tagOf(row.protocol, row.server_id), listen: row.listen_address, port: row.port }
  const secret = vault.open(row.secret_sealed, inboundSecretContext)
  const name = row.settings.server_name ?? ''
  switch (row.protocol) {
    case 'vless':
      // The empty name is for customers who chose to show none (disable_sni).
      return { ...shared, protocol: 'vless', reality: realityOf(row, secret, [name, '']) }
    case 'vless-2410': {
      const site = certificateOf(vault, row)
      return { ...shared, protocol: 'vless-2410', reality: realityOf(row, secret, [name]), site }
    }
    case 'trojan':
      return { ...shared, protocol: 'trojan', tls: certificateOf(vault, row) }
    case 'trojan-2901':
      // The empty name is for customers who chose to show none (disable_sni).
      return { ...shared, protocol: 'trojan-2901', reality: realityOf(row, secret, [name, '']) }
    case 'outline':
      return { ...shared, protocol: 'outline' }
    case 'shadowsocks-2022':
      return { ...shared, protocol: 'shadowsocks-2022', server_key: secret }
    case 'hysteria2':
      return { ...shared, protocol: 'hysteria2', tls: certificateOf(vault, row), obfs_password: secret }
    case 'wg':
      return { ...shared, protocol: 'wg', private_key: secret }
    case 'amnezia-wg-2':
      return null
  }
}
