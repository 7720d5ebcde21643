import { awgMtu, carriedAwg } from '@sallyport/domain/vpn/awg-rules'
import type {
  Endpoint,
  RealitySecurity,
  TlsSecurity,
  VlessEndpoint,
  WireguardEndpoint,
} from '@sallyport/domain/vpn/endpoint'
import { instanceEndpoint, publicKeyOf } from '@sallyport/domain/vpn/engine/instance-endpoint'
import { inboundSecretContext } from '../../fleet/inbounds.ts'
import type { Vault } from '../../kernel/vault.ts'
import { type AccessRow, extraOf, isExtended } from './access-row.ts'
import { instanceOf } from './instances.ts'
import { ItemSecrets, uuidsOf } from './secrets.ts'

/** How to reach configurations. */

const regionalIndicator = 0x1f1e6 - 'A'.charCodeAt(0)

export const flagOf = (countryCode: string): string =>
  /^[A-Z]{2}$/.test(countryCode)
    ? String.fromCodePoint(
        countryCode.charCodeAt(0) + regionalIndicator,
        countryCode.charCodeAt(1) + regionalIndicator,
      )
    : '🌐'

/** Where it is and what it came with; numbered, because apps merge entries with equal names. */
export const originalTitle = (row: AccessRow): string => {
  const place = `${flagOf(row.location_code)} ${row.location_title}`
  if (row.product_title === null) return `${place} · ${row.id}`
  return row.position === null
    ? `${place} · ${row.product_title} · ${row.id}`
    : `${place} · ${row.product_title} ${row.position + 1}`
}

/** The customer's own title before all others. */
export const titleOf = (row: AccessRow): string => row.title ?? originalTitle(row)

const placeOf = (row: AccessRow) => ({ title: titleOf(row), host: row.address, port: row.port })

export const flowOf = (options: readonly string[]): VlessEndpoint['flow'] =>
  options.includes('disable_flow_reality') ? '' : 'xtls-rprx-vision'

const realityOf = ({ options, settings }: AccessRow): RealitySecurity => {
  const hidesName = options.includes('disable_sni')
  return {
    kind: 'reality',
    serverName: hidesName ? null : (settings.server_name ?? ''),
    publicKey: settings.public_key ?? '',
    shortId: settings.short_id ?? '',
    fingerprint: hidesName ? 'qq' : 'chrome',
  }
}

const tlsOf = ({ options, settings }: AccessRow): TlsSecurity => {
  const hidesName = options.includes('disable_sni')
  return {
    kind: 'tls',
    serverName: hidesName ? null : (settings.tls_name ?? ''),
    fingerprint: hidesName ? 'qq' : 'chrome',
    alpn: ['h2', 'http/1.1'],
    pinSha256: settings.tls_pin ?? null,
  }
}

/** 100.64.0.0/10, the range for customers behind a shared address; .1 is the node itself. */
export const tunnelAddress = (host: number): string =>
  `100.${64 + ((host >> 16) & 63)}.${(host >> 8) & 255}.${host & 255}`

const plainMtu = 1420

/** The public key, in Base64 as WireGuard writes it, of a private one written so. */
export const wireguardPublicKey = (privateKey: string): string => {
  const raw = publicKeyOf(Buffer.from(privateKey, 'base64').toString('base64url'))
  return Buffer.from(raw, 'base64url').toString('base64')
}

const wireguardOf = (secrets: ItemSecrets, row: AccessRow): WireguardEndpoint => {
  const { awg: given, tunnel_host: host } = extraOf(row)
  const awg = row.protocol === 'amnezia-wg-2' && given ? carriedAwg(given) : null
  return {
    protocol: 'wireguard',
    ...placeOf(row),
    privateKey: secrets.key('wg'),
    address: tunnelAddress(host ?? 0),
    publicKey: awg ? wireguardPublicKey(secrets.key('awg-server')) : (row.settings.public_key ?? ''),
    presharedKey: secrets.key('wg-psk'),
    dns: ['1.1.1.1', '1.0.0.1'],
    mtu: awg ? awgMtu(awg) : plainMtu,
    awg,
  }
}

const instanceEndpointOf = (vault: Vault, row: AccessRow): Endpoint => {
  const { sites } = extraOf(row)
  const hidesName = row.options.includes('disable_sni')
  return instanceEndpoint(instanceOf(vault, row), {
    ...placeOf(row),
    fingerprint: hidesName ? 'qq' : 'chrome',
    hidesName,
    serverName: sites.tls_name ?? '',
    serverPin: sites.tls_pin ?? null,
  })
}

const otherEndpoint = (vault: Vault, row: AccessRow): Endpoint => {
  const secrets = new ItemSecrets(vault, row.credential_nonce)
  const secret = () => vault.openShared(extraOf(row).secret, inboundSecretContext)
  const place = placeOf(row)
  switch (row.protocol) {
    case 'trojan':
      return { protocol: 'trojan', ...place, password: secrets.hex('trojan'), security: tlsOf(row) }
    case 'trojan-2901':
      return { protocol: 'trojan', ...place, password: secrets.hex('trojan'), security: realityOf(row) }
    case 'outline':
      return {
        protocol: 'shadowsocks',
        ...place,
        method: 'chacha20-ietf-poly1305',
        password: secrets.hex('outline'),
        isOutline: true,
      }
    case 'shadowsocks-2022':
      return {
        protocol: 'shadowsocks',
        ...place,
        method: '2022-blake3-aes-256-gcm',
        password: `${secret()}:${secrets.key('shadowsocks-2022')}`,
        isOutline: false,
      }
    case 'hysteria2':
      return {
        protocol: 'hysteria2',
        ...place,
        auth: secrets.hex('hysteria2'),
        obfsPassword: secret(),
        serverName: row.settings.tls_name ?? '',
        pinSha256: row.settings.tls_pin ?? null,
      }
    case 'wg':
    case 'amnezia-wg-2':
      return wireguardOf(secrets, row)
    case 'vless':
    case 'vless-2410':
      return instanceEndpointOf(vault, row)
  }
}

const isSharedVless = (row: AccessRow): boolean =>
  (row.protocol === 'vless' || row.protocol === 'vless-2410') && !isExtended(row)

/** How to reach each of these, in their order. */
export const endpointsOf = (vault: Vault, rows: readonly AccessRow[]): Endpoint[] => {
  const shared = rows.filter(isSharedVless)
  const uuids = uuidsOf(
    vault,
    shared.map((row) => row.credential_nonce),
  ).values()
  return rows.map((row) => {
    if (!isSharedVless(row)) return otherEndpoint(vault, row)
    return {
      protocol: 'vless',
      ...placeOf(row),
      uuid: uuids.next().value as string,
      flow: flowOf(row.options),
      transport: { kind: 'tcp' },
      security: realityOf(row),
    }
  })
}
