import type {
  CloudConfig,
  CloudConnection,
  CloudServer,
  SettledCloudConnection,
} from '@sallyport/contract/customer/cloud-servers/shapes'
import type { Connection, SettledConnection } from '@sallyport/contract/customer/shapes'
import type { OwnMachine } from '../../core/clouds/customer-machines.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import { isExtended } from '../../core/vpn/access/access-row.ts'
import type { ShownAccess } from '../../core/vpn/access/reads.ts'
import { toSettledConnections } from '../../core/vpn/operations/config-view.ts'
import type { StandaloneProxy } from '../../core/vpn/operations/standalone-proxies.ts'

/** Cloud servers and what is on them, as customers see them. */

export const toServer = (own: OwnMachine): CloudServer => ({
  id: own.id,
  location_id: own.location_id,
  tariff_config_id: own.configuration_id,
  status: own.status,
  expires_at: own.expires_at,
  url: own.address,
  is_online: own.is_online,
  auto_renewal: own.auto_renewal,
  auto_renewal_days: own.auto_renewal_days,
  hostname: own.hostname,
})

export const toCloudConfigs = (vault: Vault, rows: readonly ShownAccess[]): CloudConfig[] => {
  const connections = toSettledConnections(vault, rows)
  return rows.map((row, at) => {
    const { server_id: _, ...connection } = connections[at] as SettledConnection
    const { id, title, protocol, created_at } = row
    return { id, title, protocol, ...connection, is_extended_settings_enabled: isExtended(row), created_at }
  })
}

/** A configuration whose protocol is a proxy's. */
export const standaloneProxyConfig = (standalone: StandaloneProxy): CloudConfig => ({
  ...standalone,
  protocol: 'mtproto',
  is_extended_settings_enabled: false,
})

/** The server is the customer's only one there, and needs no number. */
export const toCloudConnection = ({ server_id: _, ...connection }: Connection): CloudConnection => connection

export const toSettledCloud = ({ server_id: _, ...connection }: SettledConnection): SettledCloudConnection =>
  connection
