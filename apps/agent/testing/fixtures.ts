import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type {
  AccessOf,
  Account,
  Certificate,
  InboundOf,
  InboundProtocol,
} from '@sallyport/contract/agent/agent'
import { xrayOutbound } from '@sallyport/domain/delivery/render/xray-outbound'
import type { Endpoint, Security } from '@sallyport/domain/vpn/endpoint'
import { pinOf } from '@sallyport/domain/vpn/engine/instance-endpoint'
import type { SharedAccess, XrayAccount, XrayInbound } from '@sallyport/domain/vpn/engine/xray-accounts'
import { sleep } from '../common/backoff.ts'

const { privateKey } = generateKeyPairSync('x25519')
const { d: realityPrivateKey = '', x: realityPublicKey = '' } = privateKey.export({ format: 'jwk' })
const shortId = '0123456789abcdef'
const secretKey = () => randomBytes(32).toString('base64')

export type VlessAccess = AccessOf<'shared'> & { readonly account: Extract<Account, { protocol: 'vless' }> }

const shared = { revision: 1, kind: 'shared' } as const

export const access = (id: string, inbound = 'vless-1'): VlessAccess => ({
  ...shared,
  id,
  inbound,
  account: { protocol: 'vless', uuid: randomUUID(), flow: 'xtls-rprx-vision' },
})

export const proxy = (id: string, protocol: 'http' | 'socks5', port: number): AccessOf<'proxy'> => ({
  id,
  revision: 1,
  kind: 'proxy',
  protocol,
  listen: '127.0.0.1',
  port,
  user: `u-${id}`,
  password: randomUUID(),
})

const reality = (sitePort: number) => ({
  target: `127.0.0.1:${sitePort}`,
  server_names: ['localhost'],
  private_key: realityPrivateKey,
  short_ids: [shortId],
})

/** A REALITY inbound on loopback that borrows the site at `sitePort`. */
export const inboundOn = (port: number, sitePort: number, tag = 'vless-1'): InboundOf<'vless'> => ({
  tag,
  protocol: 'vless',
  listen: '127.0.0.1',
  port,
  reality: reality(sitePort),
})

/** A self-signed certificate for localhost, made by Xray itself. */
export const certificateFrom = (xray: string, name = 'localhost'): Certificate => {
  const made = execFileSync(xray, ['tls', 'cert', `-domain=${name}`, `-name=${name}`, '-expire=48h'])
  const { certificate, key } = JSON.parse(made.toString()) as Record<'certificate' | 'key', string[]>
  return {
    server_name: name,
    certificate: certificate.join('\n'),
    // Xray calls its PKCS #8 key an RSA one; OpenSSL takes the word seriously.
    key: key.join('\n').replaceAll('RSA PRIVATE KEY', 'PRIVATE KEY'),
  }
}

export interface Surroundings {
  readonly port: number
  readonly sitePort: number
  readonly certificate: Certificate
}

export const sharedInbound = (
  protocol: Exclude<InboundProtocol, 'wg'>,
  { port, sitePort, certificate }: Surroundings,
): XrayInbound => {
  const place = { tag: `${protocol}-1`, listen: '127.0.0.1', port }
  switch (protocol) {
    case 'vless':
    case 'trojan-2901':
      return { ...place, protocol, reality: reality(sitePort) }
    case 'vless-2410':
      return { ...place, protocol, reality: reality(1), site: certificate }
    case 'trojan':
      return { ...place, protocol, tls: certificate }
    case 'outline':
      return { ...place, protocol }
    case 'shadowsocks-2022':
      return { ...place, protocol, server_key: secretKey() }
    case 'hysteria2':
      return { ...place, protocol, tls: certificate, obfs_password: 'gawr' }
  }
}

const accountFor = (protocol: XrayInbound['protocol']): XrayAccount => {
  switch (protocol) {
    case 'vless':
    case 'vless-2410':
      return { protocol: 'vless', uuid: randomUUID(), flow: 'xtls-rprx-vision' }
    case 'trojan':
    case 'trojan-2901':
      return { protocol: 'trojan', password: randomUUID() }
    case 'outline':
      return { protocol: 'outline', password: randomUUID() }
    case 'shadowsocks-2022':
      return { protocol: 'shadowsocks-2022', key: secretKey() }
    case 'hysteria2':
      return { protocol: 'hysteria2', auth: randomUUID() }
  }
}

export const customer = (id: string, { tag, protocol }: XrayInbound): SharedAccess => ({
  ...shared,
  id,
  inbound: tag,
  account: accountFor(protocol),
})

const securityOf = (inbound: XrayInbound): Security => {
  const fingerprint = 'chrome'
  if (!('tls' in inbound)) {
    return { kind: 'reality', serverName: 'localhost', publicKey: realityPublicKey, shortId, fingerprint }
  }
  const pinSha256 = pinOf(inbound.tls.certificate)
  return { kind: 'tls', serverName: 'localhost', fingerprint, alpn: ['h2', 'http/1.1'], pinSha256 }
}

/** What a customer's client is told about the access. */
export const endpointFor = (inbound: XrayInbound, { account }: SharedAccess): Endpoint => {
  const place = { title: '', host: '127.0.0.1', port: inbound.port }
  switch (account.protocol) {
    case 'vless': {
      const { uuid, flow } = account
      return {
        ...place,
        protocol: 'vless',
        uuid,
        flow,
        transport: { kind: 'tcp' },
        security: securityOf(inbound),
      }
    }
    case 'trojan':
      return { ...place, protocol: 'trojan', password: account.password, security: securityOf(inbound) }
    case 'outline': {
      const { password } = account
      return {
        ...place,
        protocol: 'shadowsocks',
        method: 'chacha20-ietf-poly1305',
        password,
        isOutline: true,
      }
    }
    case 'shadowsocks-2022': {
      const password = `${'server_key' in inbound ? inbound.server_key : ''}:${account.key}`
      return {
        ...place,
        protocol: 'shadowsocks',
        method: '2022-blake3-aes-256-gcm',
        password,
        isOutline: false,
      }
    }
    case 'hysteria2': {
      const [pinSha256, obfsPassword] =
        inbound.protocol === 'hysteria2'
          ? [pinOf(inbound.tls.certificate), inbound.obfs_password]
          : [null, '']
      return {
        ...place,
        protocol: 'hysteria2',
        auth: account.auth,
        obfsPassword,
        serverName: 'localhost',
        pinSha256,
      }
    }
  }
}

export const outboundFor = (inbound: XrayInbound, of: SharedAccess): object =>
  xrayOutbound(endpointFor(inbound, of)) ?? {}

export const proxyOutbound = ({ protocol, port, user, password }: AccessOf<'proxy'>): object =>
  xrayOutbound({ protocol, title: '', host: '127.0.0.1', port, user, password }) ?? {}

export const until = async (what: () => boolean | Promise<boolean>, timeoutMs = 40_000): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error(`waited too long until ${what}`)
    await sleep(50)
  }
}
