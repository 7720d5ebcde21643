import { randomUUID } from 'node:crypto'
import { type InstanceHome, movedInstance } from '@sallyport/domain/vpn/engine/moved-instance'
import {
  type BorrowedSite,
  personalXray,
  type WarpAccount,
  withWarp,
} from '@sallyport/domain/vpn/engine/personal-xray'
import {
  type InstanceSecrets,
  renewedInstance,
  sparesFor,
} from '@sallyport/domain/vpn/engine/renewed-instance'
import type { XrayInstance } from '@sallyport/domain/vpn/engine/xray-json'
import type { Vault } from '../../kernel/vault.ts'
import { type AccessRow, extraOf, type WarpRow } from './access-row.ts'
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

const sitesOf = (row: AccessRow): [site: BorrowedSite, other: BorrowedSite] => {
  const { sites } = extraOf(row)
  const { target = row.settings.target ?? '', server_name: serverName = '' } = sites
  return [
    { target, serverName },
    { target: sites.other_target ?? '', serverName: sites.other_server_name ?? '' },
  ]
}

const instanceSecrets = (vault: Vault, { credential_nonce: nonce }: AccessRow): InstanceSecrets => {
  const secrets = new ItemSecrets(vault, nonce)
  return {
    uuid: secrets.uuid(),
    realityPrivateKey: Buffer.from(secrets.longHex('reality'), 'hex').toString('base64url'),
    shortId: secrets.hex('short-id').slice(0, instanceKeyBytes),
    secretPath: secrets.hex('path').slice(0, instanceKeyBytes),
  }
}

/** What follows from the options, before any edit. */
export const defaultInstance = (vault: Vault, row: AccessRow): XrayInstance => {
  const { listen_address: listen, warp } = extraOf(row)
  const [site, otherSite] = sitesOf(row)
  return personalXray({
    options: row.options,
    listen,
    port: row.port,
    ...instanceSecrets(vault, row),
    site,
    otherSite,
    warp: warpOf(vault, warp),
    homeDomains: row.home?.domains ?? [],
    homeNetworks: row.home?.networks ?? [],
  })
}

const editedInstance = (vault: Vault, row: AccessRow): XrayInstance | null => {
  const { xray_config: edited } = extraOf(row)
  return edited === null
    ? null
    : (JSON.parse(vault.open(Buffer.from(edited, 'base64'), xrayConfigContext)) as XrayInstance)
}

/** The customer's own version where there is one. */
export const instanceOf = (vault: Vault, row: AccessRow): XrayInstance => {
  const edited = editedInstance(vault, row)
  if (edited === null) return defaultInstance(vault, row)
  const { warp } = extraOf(row)
  return warp ? withWarp(edited, warpOf(vault, warp)) : edited
}

const homeOf = (vault: Vault, row: AccessRow): InstanceHome => ({
  generated: defaultInstance(vault, row),
  sites: sitesOf(row),
  tlsName: extraOf(row).sites.tls_name ?? '',
})

/** The customer's own version as it is kept after a move, or null where there is none. */
export const movedEdit = (vault: Vault, from: AccessRow, to: AccessRow): Buffer | null => {
  const edited = editedInstance(vault, from)
  if (edited === null) return null
  const moved = movedInstance(edited, homeOf(vault, from), homeOf(vault, to))
  return vault.seal(JSON.stringify(moved), xrayConfigContext)
}

/** The same with the secrets of another nonce. */
export const renewedEdit = (vault: Vault, from: AccessRow, to: AccessRow): Buffer | null => {
  const edited = editedInstance(vault, from)
  if (edited === null) return null
  const [was, is] = [instanceSecrets(vault, from), instanceSecrets(vault, to)]
  const spare = Array.from({ length: sparesFor(edited) }, randomUUID)
  return vault.seal(JSON.stringify(renewedInstance(edited, { was, is, spare })), xrayConfigContext)
}

export const instanceText = (instance: XrayInstance): string => JSON.stringify(instance, null, 2)
