import { hash } from 'node:crypto'
import type { AccessOf, Account, Inbound, InboundProtocol } from '@sallyport/contract/agent/agent'

/** The part of a node's state that its shared Xray carries, and what customers are to it. */

export type XrayInbound = Exclude<Inbound, { protocol: 'wg' }>
export type XrayAccount = Exclude<Account, { protocol: 'wg' }>
export type SharedAccess = AccessOf<'shared'> & { readonly account: XrayAccount }
export type ProxyAccess = AccessOf<'proxy'>
export type XrayAccess = SharedAccess | ProxyAccess

export interface XrayServed {
  readonly inbounds: readonly XrayInbound[]
  readonly accesses: readonly XrayAccess[]
}

/** What a customer must bring to an inbound of each protocol. */
export const accountProtocolOf: Readonly<Record<InboundProtocol, Account['protocol']>> = {
  vless: 'vless',
  'vless-2410': 'vless',
  trojan: 'trojan',
  'trojan-2901': 'trojan',
  outline: 'outline',
  'shadowsocks-2022': 'shadowsocks-2022',
  hysteria2: 'hysteria2',
  wg: 'wg',
}

export const outlineCipher = 'chacha20-ietf-poly1305'

export const isShared = (access: XrayAccess): access is SharedAccess => access.kind === 'shared'
export const isProxy = (access: XrayAccess): access is ProxyAccess => access.kind === 'proxy'

export const proxyTagPrefix = 'proxy-'
/** A proxy is an inbound of its own. */
export const proxyTag = (id: string): string => `${proxyTagPrefix}${id}`

export const tagOfAccess = (access: XrayAccess): string =>
  isShared(access) ? access.inbound : proxyTag(access.id)

const credential = (account: XrayAccount) => {
  switch (account.protocol) {
    case 'vless':
      return { id: account.uuid, ...(account.flow !== '' && { flow: account.flow }) }
    case 'trojan':
      return { password: account.password }
    case 'outline':
      return { method: outlineCipher, password: account.password }
    case 'shadowsocks-2022':
      return { password: account.key }
    case 'hysteria2':
      return { auth: account.auth }
  }
}

const markDigits = 12

/**
 * What Xray calls a customer. Those of Hysteria it looks up once a session, so with other credentials a customer is somebody
 * else to it: a session that began with the old ones never passes for one of the new.
 */
export const userOf = ({ id, account }: Pick<SharedAccess, 'id' | 'account'>): string =>
  account.protocol === 'hysteria2' ? `${id}.${hash('sha256', account.auth).slice(0, markDigits)}` : id

/** The access that is called so. */
export const accessOfUser = (user: string): string => user.replace(/\.[0-9a-f]{12}$/, '')

/** What the log and the counters call an access; the lines of a proxy name nobody, and are its customer's. */
export const nameOfAccess = (access: XrayAccess): string => (isShared(access) ? userOf(access) : access.id)

/** One entry of an inbound's `clients`. */
export const xrayClient = ({ id, account }: SharedAccess) => ({
  ...credential(account),
  email: userOf({ id, account }),
  level: 0,
})

/** By what Xray tells customers of one inbound apart. */
export const secretOf = (account: XrayAccount): string => {
  switch (account.protocol) {
    case 'vless':
      // Xray ignores bytes 6 and 7 of a VLESS id when it looks a user up.
      return account.uuid
        .toLowerCase()
        .replaceAll('-', '')
        .replace(/^(.{12}).{4}/, '$1')
    case 'trojan':
    case 'outline':
      return account.password
    case 'shadowsocks-2022':
      return account.key
    case 'hysteria2':
      return account.auth
  }
}

export type Network = 'tcp' | 'udp'

/** What an inbound or a proxy listens for. */
export const networksOf = (protocol: XrayInbound['protocol'] | ProxyAccess['protocol']): Network[] => {
  switch (protocol) {
    case 'hysteria2':
      return ['udp']
    case 'outline':
    case 'shadowsocks-2022':
    case 'socks5':
      return ['tcp', 'udp']
    default:
      return ['tcp']
  }
}
