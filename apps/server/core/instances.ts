import { personalXray, type WarpAccount } from '@sallyport/domain/engine/personal-xray'
import type { XrayInstance } from '@sallyport/domain/engine/xray-json'
import type { CarriedConfig, WarpRow } from './carried.ts'
import { ItemSecrets } from './item-secrets.ts'
import type { Vault } from './vault.ts'

/** The personal Xray of a configuration with extended settings. */

export const xrayConfigContext = 'configs.xray_config'
export const warpKeyContext = 'warp_accounts.private_key'

const noWarp: WarpAccount = { privateKey: '', addresses: [], peerPublicKey: '', endpoint: '', reserved: [] }

const warpOf = (vault: Vault, row: WarpRow | null): WarpAccount => {
  if (!row) return noWarp
  return {
    privateKey: vault.open(Buffer.from(row.key, 'base64'), warpKeyContext),
    addresses: row.addresses,
    peerPublicKey: row.peer_public_key,
    endpoint: row.endpoint,
    reserved: row.reserved,
  }
}

const instanceKeyBytes = 16

/** What follows from the options, before any edit. */
export const defaultInstance = (vault: Vault, row: CarriedConfig): XrayInstance => {
  const secrets = new ItemSecrets(vault, row.credential_nonce)
  const { settings } = row
  return personalXray({
    options: row.options,
    listen: row.listen_address,
    port: row.port,
    uuid: secrets.uuid(),
    realityPrivateKey: Buffer.from(secrets.longHex('reality'), 'hex').toString('base64url'),
    shortId: secrets.hex('short-id').slice(0, instanceKeyBytes),
    secretPath: secrets.hex('path').slice(0, instanceKeyBytes),
    site: { target: settings.target ?? '', serverName: settings.server_name ?? '' },
    otherSite: { target: settings.other_target ?? '', serverName: settings.other_server_name ?? '' },
    warp: warpOf(vault, row.warp),
    homeDomains: row.home?.domains ?? [],
    homeNetworks: row.home?.networks ?? [],
  })
}

/** The customer's own version where there is one. */
export const instanceOf = (vault: Vault, row: CarriedConfig): XrayInstance =>
  row.xray_config_sealed
    ? (JSON.parse(vault.open(row.xray_config_sealed, xrayConfigContext)) as XrayInstance)
    : defaultInstance(vault, row)

export const instanceText = (instance: XrayInstance): string => JSON.stringify(instance, null, 2)
