import { randomBytes } from 'node:crypto'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import type { Db } from '../../../db/client.ts'
import { place } from '../../fleet/placements.ts'
import { fitParts, storeParts } from '../access/personal-parts.ts'
import { insertAccess, type NewAccess } from '../access/rows.ts'
import type { Mover } from './move-access.ts'

interface Wanted extends Omit<NewAccess, 'credentialNonce' | 'now' | 'protocol' | 'options'> {
  readonly nodeId: number
  readonly protocol: Protocol
  readonly options: readonly SwitchName[]
  /** False of one whose term is paused: it is placed when that is over. */
  readonly isPresent?: boolean
}

/** A new access on a server whose slot the caller has taken. Returns its id. */
export const createAccess = async (tx: Db, at: Mover, wanted: Wanted): Promise<number> => {
  const { nodeId, isPresent = true, ...access } = wanted
  const { serverId, protocol, options } = access
  const id = await insertAccess(tx, { ...access, credentialNonce: randomBytes(16), now: at.now })
  const parts = await fitParts(tx, at, id, { nodeId, protocol, options })
  if (parts.port !== null || parts.tunnel_host !== null) await storeParts(tx, id, parts)
  await place(tx, at.bus, { nodeId, serverId, accessId: id, isPresent })
  return id
}
