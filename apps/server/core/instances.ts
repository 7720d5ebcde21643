import { personalXray, type WarpAccount, withWarp } from '@sallyport/domain/engine/personal-xray'
import type { XrayInstance } from '@sallyport/domain/engine/xray-json'
import { type CarriedConfig, extraOf, type WarpRow } from './carried.ts'
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
  const { sites, listen_address: listen, warp } = extraOf(row)
  const { target = row.settings.target ?? '', server_name: serverName = '' } = sites
  return personalXray({
    options: row.options,
    listen,
    port: row.port,
    uuid: secrets.uuid(),
    realityPrivateKey: Buffer.from(secrets.longHex('reality'), 'hex').toString('base64url'),
    shortId: secrets.hex('short-id').slice(0, instanceKeyBytes),
    secretPath: secrets.hex('path').slice(0, instanceKeyBytes),
    site: { target, serverName },
    otherSite: { target: sites.other_target ?? '', serverName: sites.other_server_name ?? '' },
    warp: warpOf(vault, warp),
    homeDomains: row.home?.domains ?? [],
    homeNetworks: row.home?.networks ?? [],
  })
}

/** The customer's own version where there is one. */
export const instanceOf = (vault: Vault, row: CarriedConfig): XrayInstance => {
  const { xray_config: edited, warp } = extraOf(row)
  if (edited === null) return defaultInstance(vault, row)
  const instance = JSON.parse(vault.open(Buffer.from(edited, 'base64'), xrayConfigContext)) as XrayInstance
  return warp ? withWarp(instance, warpOf(vault, warp)) : instance
}

export const instanceText = (instance: XrayInstance): string => JSON.stringify(instance, null, 2)
