import type { Connection, SettledConnection, UserConfig } from '@sallyport/contract/customer/shapes'
import { wireguardConf } from '@sallyport/domain/delivery/render/conf'
import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import type { Vault } from '../../kernel/vault.ts'
import { isExtended } from '../access/access-row.ts'
import { endpointsOf } from '../access/endpoints.ts'
import { instanceOf, instanceText } from '../access/instances.ts'
import type { ShownAccess } from '../access/reads.ts'

/** Configurations as customers see them. */

const texts = (vault: Vault, row: ShownAccess, endpoint: Endpoint) => ({
  connection_url: connectionUrl(endpoint),
  ...(isExtended(row) && { xray_config: instanceText(instanceOf(vault, row)) }),
  ...(endpoint.protocol === 'wireguard' && { awg_config: wireguardConf(endpoint) }),
})

const optionsOf = ({ options }: ShownAccess) => options.length > 0 && { options: [...options] }

const toUserConfig = (vault: Vault, row: ShownAccess, endpoint: Endpoint): UserConfig => ({
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

export const toUserConfigs = (vault: Vault, rows: readonly ShownAccess[]): UserConfig[] => {
  const endpoints = endpointsOf(vault, rows)
  return rows.map((row, at) => toUserConfig(vault, row, endpoints[at] as Endpoint))
}

export const toConnection = (vault: Vault, row: ShownAccess): Connection => {
  const [endpoint] = endpointsOf(vault, [row])
  return { ...texts(vault, row, endpoint as Endpoint), server_id: row.server_id }
}

export const toSettledConnections = (vault: Vault, rows: readonly ShownAccess[]): SettledConnection[] => {
  const endpoints = endpointsOf(vault, rows)
  return rows.map((row, at) => ({
    ...texts(vault, row, endpoints[at] as Endpoint),
    server_id: row.server_id,
    ...optionsOf(row),
  }))
}

export const toSettledConnection = (vault: Vault, row: ShownAccess): SettledConnection =>
  toSettledConnections(vault, [row])[0] as SettledConnection
