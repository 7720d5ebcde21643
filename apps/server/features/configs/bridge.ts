import type { configs } from '@sallyport/contract/configs'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BridgeType } from '@sallyport/contract/shapes'
import { bridgeMakesLoop, canBeginBridge, canEndBridge } from '@sallyport/domain/bridge-rules'
import { type BridgeEnd, listBridges, storeBridge } from '../../core/bridges.ts'
import type { Handlers } from '../../core/call.ts'
import { placeAgain } from '../../core/placements.ts'
import { holdUser } from '../../core/users.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { holdLive } from './held.ts'

/** Both ends must be the caller's and alive. Other products are found here when they exist. */
const requireEnd = async (tx: Db, userId: number, end: BridgeEnd, path: string, now: number) => {
  if (end.type !== 'config') throw new ApiError('NOT_FOUND')
  return holdLive(tx, userId, end.id, now, path)
}

const endOf = (type: BridgeType | undefined, id: number): BridgeEnd => ({ type: type ?? 'config', id })

export const makeBridge: Handlers<typeof configs>['makeBridge'] = (call) => {
  const { userId, body, bus, now } = call
  const entry = endOf(body.first_type, body.first_config_id)
  const exit = endOf(body.second_type, body.second_config_id)
  return inTransaction(call.db, async (tx) => {
    // One at a time for a customer, or two at once could close a ring that neither sees.
    await holdUser(tx, userId)
    // The exit first, as everything that changes an exit holds it before its entries.
    const second = await requireEnd(tx, userId, exit, 'second_config_id', now)
    const first = await requireEnd(tx, userId, entry, 'first_config_id', now)
    if (!canBeginBridge(first.protocol)) {
      throw badRequest('first_config_id', `${first.protocol} cannot begin a bridge; use an Xray protocol`)
    }
    if (!canEndBridge(second.protocol)) {
      throw badRequest('second_config_id', `${second.protocol} cannot end a bridge; use another protocol`)
    }
    const bridges = (await listBridges(tx, userId)).map((bridge) => ({
      entry: endOf(bridge.entry_type as BridgeType, bridge.entry_id),
      exit: endOf(bridge.exit_type as BridgeType, bridge.exit_id),
    }))
    if (bridgeMakesLoop(bridges, entry, exit)) {
      throw badRequest('second_config_id', 'leads back to the first: a bridge cannot be a loop')
    }
    await storeBridge(tx, { userId, entry, exit, now })
    await placeAgain(tx, bus, entry.id, true)
    return true
  })
}
