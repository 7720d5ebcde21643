import type { Connection, SettledConnection, UserConfig } from '@sallyport/contract/shapes'
import { wireguardConf } from '@sallyport/domain/delivery/render/conf'
import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import type { Vault } from '../../core/kernel/vault.ts'
import { isExtended } from '../../core/vpn/carried.ts'
import { endpointsOf } from '../../core/vpn/endpoints.ts'
import { instanceOf, instanceText } from '../../core/vpn/instances.ts'
import type { ConfigRow } from './queries.ts'

/** Configurations as customers see them. */

const texts = (vault: Vault, row: ConfigRow, endpoint: Endpoint) => ({
  connection_url: connectionUrl(endpoint),
  ...(isExtended(row) && { xray_config: instanceText(instanceOf(vault, row)) }),
  ...(endpoint.protocol === 'wireguard' && { awg_config: wireguardConf(endpoint) }),
})

const optionsOf = ({ options }: ConfigRow) => options.length > 0 && { options: [...options] }

const toUserConfig = (vault: Vault, row: ConfigRow, endpoint: Endpoint): UserConfig => ({
  id: row.id,
  ...texts(vault, row, endpoint),
  title: row.title,
  location_id: row.location_id,
  server_id: row.server_id,
  protocol: row.protocol,
  expires_at: row.expires_at,
  created_at: row.created_at,
  is_extended_settings_enabled: isExtended(row),
  ...optionsOf(row),
  ...(row.flags.length > 0 && { flags: row.flags }),
  is_online: row.is_online,
  auto_renewal: row.auto_renewal,
  auto_renewal_days: row.auto_renewal_days,
})

export const toUserConfigs = (vault: Vault, rows: readonly ConfigRow[]): UserConfig[] => {
  const endpoints = endpointsOf(vault, rows)
  return rows.map((row, at) => toUserConfig(vault, row, endpoints[at] as Endpoint))
}

export const toConnection = (vault: Vault, row: ConfigRow): Connection => {
  const [endpoint] = endpointsOf(vault, [row])
  return { ...texts(vault, row, endpoint as Endpoint), server_id: row.server_id }
}

export const toSettledConnection = (vault: Vault, row: ConfigRow): SettledConnection => ({
  ...toConnection(vault, row),
  ...optionsOf(row),
})
