import { type Endpoint, type RealitySecurity, uuidFromHex } from '@sallyport/domain/endpoint'
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

interface WithCredentials {
  readonly credential_nonce: Uint8Array
  readonly options: readonly string[]
}

/** The VLESS accounts of configurations, in their order. */
export const vlessAccounts = (vault: Vault, rows: readonly WithCredentials[]) => {
  const derived = vault.derive(
    rows.map((row) => row.credential_nonce),
    'vless',
  )
  return rows.map(({ options }, at) => ({
    protocol: 'vless' as const,
    uuid: uuidFromHex(derived[at] as string),
    flow: options.includes('disable_flow_reality') ? ('' as const) : ('xtls-rprx-vision' as const),
  }))
}

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

const securityOf = ({ options, settings }: ConfigOnServer): RealitySecurity => {
  const hidesName = options.includes('disable_sni')
  return {
    kind: 'reality',
    serverName: hidesName ? null : settings.server_name,
    publicKey: settings.public_key,
    shortId: settings.short_id,
    fingerprint: hidesName ? 'qq' : 'chrome',
  }
}

/** How to reach each of these, in their order. */
export const endpointsOf = (vault: Vault, rows: readonly ConfigOnServer[]): Endpoint[] => {
  const accounts = vlessAccounts(vault, rows)
  return rows.map((row, at) => ({
    ...(accounts[at] as (typeof accounts)[number]),
    title: titleOf(row),
    host: row.address,
    port: row.port,
    security: securityOf(row),
  }))
}
