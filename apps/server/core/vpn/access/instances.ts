import { type InstanceHome, movedInstance } from '@sallyport/domain/vpn/engine/moved-instance'
import {
  type BorrowedSite,
  personalXray,
  type WarpAccount,
  withWarp,
} from '@sallyport/domain/vpn/engine/personal-xray'
import type { XrayInstance } from '@sallyport/domain/vpn/engine/xray-json'
import type { Vault } from '../../kernel/vault.ts'
import { type CarriedConfig, extraOf, type WarpRow } from './carried.ts'
import { ItemSecrets } from './secrets.ts'

/** The personal Xray of a configuration with extended settings. */

export const xrayConfigContext = 'accesses.xray_config'
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

const sitesOf = (row: CarriedConfig): [site: BorrowedSite, other: BorrowedSite] => {
  const { sites } = extraOf(row)
  const { target = row.settings.target ?? '', server_name: serverName = '' } = sites
  return [
    { target, serverName },
    { target: sites.other_target ?? '', serverName: sites.other_server_name ?? '' },
  ]
}

/** What follows from the options, before any edit. */
export const defaultInstance = (vault: Vault, row: CarriedConfig): XrayInstance => {
  const secrets = new ItemSecrets(vault, row.credential_nonce)
  const { listen_address: listen, warp } = extraOf(row)
  const [site, otherSite] = sitesOf(row)
  return personalXray({
    options: row.options,
    listen,
    port: row.port,
    uuid: secrets.uuid(),
    realityPrivateKey: Buffer.from(secrets.longHex('reality'), 'hex').toString('base64url'),
    shortId: secrets.hex('short-id').slice(0, instanceKeyBytes),
    secretPath: secrets.hex('path').slice(0, instanceKeyBytes),
    site,
    otherSite,
    warp: warpOf(vault, warp),
    homeDomains: row.home?.domains ?? [],
    homeNetworks: row.home?.networks ?? [],
  })
}

const editedInstance = (vault: Vault, row: CarriedConfig): XrayInstance | null => {
  const { xray_config: edited } = extraOf(row)
  return edited === null
    ? null
    : (JSON.parse(vault.open(Buffer.from(edited, 'base64'), xrayConfigContext)) as XrayInstance)
}

/** The customer's own version where there is one. */
export const instanceOf = (vault: Vault, row: CarriedConfig): XrayInstance => {
  const edited = editedInstance(vault, row)
  if (edited === null) return defaultInstance(vault, row)
  const { warp } = extraOf(row)
  return warp ? withWarp(edited, warpOf(vault, warp)) : edited
}

const homeOf = (vault: Vault, row: CarriedConfig): InstanceHome => ({
  generated: defaultInstance(vault, row),
  sites: sitesOf(row),
  tlsName: extraOf(row).sites.tls_name ?? '',
})

/** The customer's own version as it is kept after a move, or null where there is none. */
export const movedEdit = (vault: Vault, from: CarriedConfig, to: CarriedConfig): Buffer | null => {
  const edited = editedInstance(vault, from)
  if (edited === null) return null
  const moved = movedInstance(edited, homeOf(vault, from), homeOf(vault, to))
  return vault.seal(JSON.stringify(moved), xrayConfigContext)
}

export const instanceText = (instance: XrayInstance): string => JSON.stringify(instance, null, 2)
