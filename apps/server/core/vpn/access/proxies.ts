import type { ProxyProtocol } from '@sallyport/contract/shapes'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import type { Vault } from '../../kernel/vault.ts'
import { ItemSecrets } from './secrets.ts'

/** The additional proxy of a configuration. */

export interface ProxyRow {
  readonly id: number
  readonly protocol: ProxyProtocol
  readonly tls_domain: string | null
  readonly credential_nonce: Uint8Array
  readonly port: number
  readonly address: string
  readonly listen_address: string
  readonly is_metered: boolean
}

export const proxyProtocols: readonly ProxyProtocol[] = ['http', 'socks5', 'mtproto']

/** What an onlooker believes to be visited when the customer names nothing. */
export const defaultTlsDomain = 'www.google.com'

const userNameDigits = 12

export const proxySecrets = (vault: Vault, proxy: ProxyRow) => {
  const secrets = new ItemSecrets(vault, proxy.credential_nonce)
  const domain = proxy.tls_domain ?? defaultTlsDomain
  return {
    user: `u${secrets.hex('proxy-user').slice(0, userNameDigits)}`,
    password: secrets.hex('proxy-password'),
    secret: `ee${secrets.hex('mtproto')}${Buffer.from(domain).toString('hex')}`,
  }
}

export const proxyEndpoint = (vault: Vault, proxy: ProxyRow): Endpoint => {
  const { user, password, secret } = proxySecrets(vault, proxy)
  const place = { title: `proxy ${proxy.id}`, host: proxy.address, port: proxy.port }
  return proxy.protocol === 'mtproto'
    ? { protocol: 'mtproto', ...place, secret }
    : { protocol: proxy.protocol, ...place, user, password }
}

/** What one that stands by itself is called in apps while the customer calls it nothing. */
export const standaloneProxyTitle = (id: number): string => `Telegram · ${id}`
