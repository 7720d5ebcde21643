import { randomBytes } from 'node:crypto'
import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { Protocol } from '@sallyport/contract/shapes'
import { defaultAwgParameters } from '@sallyport/domain/vpn/awg-rules'
import type { Db } from '../../db/client.ts'
import { personalPorts, releasePort, takePort, takeTunnelHost } from '../fleet/node-ports.ts'
import { itemOfConfig } from '../fleet/placements.ts'
import type { Vault } from '../kernel/vault.ts'
import { isPersonal } from './carried.ts'
import { ensureWarpAccount } from './warp.ts'

/** What a configuration has of its own on a node: a port, an address inside the tunnel, parameters. */

export interface Home {
  readonly nodeId: number
  readonly protocol: Protocol
  readonly options: readonly string[]
}

interface Furniture {
  readonly port: number | null
  readonly tunnel_host: number | null
  readonly awg: AwgParameters | null
}

const awgSeedBytes = 32

const isWireguard = (protocol: Protocol): boolean => protocol === 'wg' || protocol === 'amnezia-wg-2'

/** Keeps what still fits, gives back what does not, takes what is missing. */
export const furnish = async (
  tx: Db,
  at: { readonly vault: Vault; readonly now: number },
  configId: number,
  home: Home,
  before?: Furniture & Home,
): Promise<Furniture> => {
  const owner = itemOfConfig(configId)
  const stays = before?.nodeId === home.nodeId && before.protocol === home.protocol
  if (before && before.port !== null && !(stays && isPersonal(home.protocol, home.options))) {
    await releasePort(tx, before.nodeId, owner)
  }
  if (home.options.includes('use_warp')) await ensureWarpAccount(tx, at, configId)
  let port: number | null = null
  if (isPersonal(home.protocol, home.options)) {
    port = (stays ? before.port : null) ?? (await takePort(tx, home.nodeId, owner, personalPorts))
  }
  let tunnelHost: number | null = null
  if (isWireguard(home.protocol)) {
    const sameNode = before?.nodeId === home.nodeId
    tunnelHost = (sameNode ? before.tunnel_host : null) ?? (await takeTunnelHost(tx, home.nodeId))
  }
  const awg =
    home.protocol === 'amnezia-wg-2'
      ? (before?.awg ?? defaultAwgParameters(randomBytes(awgSeedBytes).toString('hex')))
      : null
  return { port, tunnel_host: tunnelHost, awg }
}

export const storeFurniture = async (tx: Db, configId: number, furniture: Furniture): Promise<void> => {
  const { awg, ...rest } = furniture
  await tx
    .updateTable('configs')
    .set({ ...rest, awg: awg && JSON.stringify(awg) })
    .where('id', '=', configId)
    .execute()
}
