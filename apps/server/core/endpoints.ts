import { type Endpoint, uuidFromHex } from '@sallyport/domain/endpoint'
import type { Vault } from './vault.ts'

/** What is public about a server's VLESS inbound; stored as inbounds.settings. */
export interface VlessSettings {
  readonly public_key: string
  readonly short_id: string
  readonly server_name: string
  readonly target: string
}

/** A configuration joined with the inbound it lives on. */
export interface ConfigOnServer {
  readonly id: number
  readonly title: string | null
  readonly protocol: string
  readonly options: readonly string[]
  readonly credential_nonce: Uint8Array
  readonly location_code: string
  readonly location_title: string
  readonly address: string
  readonly port: number
  readonly settings: VlessSettings
}

export const vlessAccount = (vault: Vault, nonce: Uint8Array, options: readonly string[]) => ({
  protocol: 'vless' as const,
  uuid: uuidFromHex(vault.derive(nonce, 'vless')),
  flow: options.includes('disable_flow_reality') ? ('' as const) : ('xtls-rprx-vision' as const),
})

const regionalIndicator = 0x1f1e6 - 'A'.charCodeAt(0)

const flagOf = (countryCode: string): string =>
  /^[A-Z]{2}$/.test(countryCode)
    ? String.fromCodePoint(
        countryCode.charCodeAt(0) + regionalIndicator,
        countryCode.charCodeAt(1) + regionalIndicator,
      )
    : '🌐'

/** The customer's own title, or where it is; numbered, because apps merge entries with equal names. */
const titleOf = (row: ConfigOnServer): string =>
  row.title ?? `${flagOf(row.location_code)} ${row.location_title} · ${row.id}`

export const endpointOf = (vault: Vault, row: ConfigOnServer): Endpoint => {
  const hidesName = row.options.includes('disable_sni')
  return {
    ...vlessAccount(vault, row.credential_nonce, row.options),
    title: titleOf(row),
    host: row.address,
    port: row.port,
    security: {
      kind: 'reality',
      serverName: hidesName ? null : row.settings.server_name,
      publicKey: row.settings.public_key,
      shortId: row.settings.short_id,
      fingerprint: hidesName ? 'qq' : 'chrome',
    },
  }
}
