import { randomBytes } from 'node:crypto'
import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { Protocol } from '@sallyport/contract/shapes'
import { defaultAwgParameters } from '@sallyport/domain/vpn/awg-rules'
import type { Db } from '../../../db/client.ts'
import { personalPorts, releasePort, takePort, takeTunnelHost } from '../../fleet/node-ports.ts'
import type { Vault } from '../../kernel/vault.ts'
import { isPersonal } from './access-row.ts'
import { updateAccess } from './rows.ts'
import { ensureWarpAccount } from './warp.ts'

/** What an access has of its own on a node: a port, an address inside the tunnel, parameters. */

export interface Place {
  readonly nodeId: number
  readonly protocol: Protocol
  readonly options: readonly string[]
}

export interface PersonalParts {
  readonly port: number | null
  readonly tunnel_host: number | null
  readonly awg: AwgParameters | null
}

const awgSeedBytes = 32

const isWireguard = (protocol: Protocol): boolean => protocol === 'wg' || protocol === 'amnezia-wg-2'

/** Keeps what still fits, gives back what does not, takes what is missing. */
export const fitParts = async (
  tx: Db,
  at: { readonly vault: Vault; readonly now: number },
  accessId: number,
  to: Place,
  before?: PersonalParts & Place,
): Promise<PersonalParts> => {
  const owner = { accessId }
  const stays = before?.nodeId === to.nodeId && before.protocol === to.protocol
  if (before && before.port !== null && !(stays && isPersonal(to.protocol, to.options))) {
    await releasePort(tx, before.nodeId, accessId)
  }
  if (to.options.includes('use_warp')) await ensureWarpAccount(tx, at, accessId)
  let port: number | null = null
  if (isPersonal(to.protocol, to.options)) {
    port = (stays ? before.port : null) ?? (await takePort(tx, to.nodeId, owner, personalPorts))
  }
  let tunnelHost: number | null = null
  if (isWireguard(to.protocol)) {
    const sameNode = before?.nodeId === to.nodeId
    tunnelHost = (sameNode ? before.tunnel_host : null) ?? (await takeTunnelHost(tx, to.nodeId))
  }
  const awg =
    to.protocol === 'amnezia-wg-2'
      ? (before?.awg ?? defaultAwgParameters(randomBytes(awgSeedBytes).toString('hex')))
      : null
  return { port, tunnel_host: tunnelHost, awg }
}

export const storeParts = (tx: Db, accessId: number, parts: PersonalParts): Promise<void> =>
  updateAccess(tx, accessId, { ...parts, awg: parts.awg && JSON.stringify(parts.awg) })
