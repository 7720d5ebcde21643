import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { Bridge, BridgeType } from '@sallyport/contract/shapes'
import { bridgeMakesLoop, canBeginBridge, canEndBridge } from '@sallyport/domain/vpn/bridge-rules'
import { holdUser } from '../../core/accounts/users.ts'
import type { Handlers } from '../../core/call.ts'
import { placeAgain } from '../../core/fleet/placements.ts'
import { type BridgeEnd, findBridge, listBridges, removeBridge, storeBridge } from '../../core/vpn/bridges.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { holdLive } from './held.ts'
import { holdConfig } from './queries.ts'

/** Both ends must be the caller's and alive. Other products are found here when they exist. */
const requireEnd = async (tx: Db, userId: number, end: BridgeEnd, path: string, now: number) => {
  if (end.type !== 'config') throw new ApiError('NOT_FOUND')
  return holdLive(tx, userId, end.id, now, path)
}

const endOf = (type: BridgeType | undefined, id: number): BridgeEnd => ({ type: type ?? 'config', id })

const toBridge = (row: Awaited<ReturnType<typeof listBridges>>[number]): Bridge => ({
  id: row.id,
  first_config_id: row.entry_id,
  first_type: row.entry_type as BridgeType,
  second_config_id: row.exit_id,
  second_type: row.exit_type as BridgeType,
  created_at: row.created_at,
})

const makeBridge: Handlers<typeof configs>['makeBridge'] = (call) => {
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

export const bridgeHandlers: Pick<Handlers<typeof configs>, 'makeBridge' | 'listBridges' | 'removeBridge'> = {
  makeBridge,

  listBridges: async ({ db, userId }) => (await listBridges(db, userId)).map(toBridge),

  removeBridge: ({ db, userId, params, bus }) =>
    inTransaction(db, async (tx) => {
      const bridge = await findBridge(tx, userId, params.bridge_id)
      if (!bridge) throw new ApiError('NOT_FOUND')
      // The entry before its bridge, as everything that changes bridges holds them. Also one that has ended.
      await holdConfig(tx, userId, bridge.entry_id)
      if (!(await removeBridge(tx, userId, bridge.id))) throw new ApiError('NOT_FOUND')
      await placeAgain(tx, bus, bridge.entry_id, true)
      return true
    }),
}
