import type { Bridge } from '@sallyport/contract/customer/shapes'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import { type BridgeType, productOfBridge } from '@sallyport/contract/product-types'
import { products } from '@sallyport/contract/products'
import { bridgeMakesLoop, canBeginBridge, canEndBridge } from '@sallyport/domain/vpn/bridge-rules'
import { inTransaction } from '../../../db/client.ts'
import { lockUser } from '../../accounts/users.ts'
import { placeAgain } from '../../fleet/placements.ts'
import { findBridge, listBridges, removeBridge, storeBridge } from '../access/bridges.ts'
import { lockAccess, lockLive, lockTermsOfAccesses } from '../access/locked-access.ts'
import type { AccessContext } from './access-context.ts'

/** Making and taking away bridges between any two accesses of a customer, whatever product they came with. */

interface BridgeEnd {
  readonly type?: BridgeType | undefined
  readonly id: number
}

type Bridging = Pick<AccessContext, 'db' | 'bus' | 'now'> & { readonly userId: number }

export const makeBridge = (
  { db, bus, now, userId }: Bridging,
  entry: BridgeEnd,
  exit: BridgeEnd,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const ownerOf = ({ type = 'config' }: BridgeEnd) => ({ userId, product: productOfBridge(type) })
    // One at a time for a customer, or two at once could close a ring that neither sees.
    await lockUser(tx, userId)
    await lockTermsOfAccesses(tx, [entry.id, exit.id], userId)
    const second = await lockLive(tx, ownerOf(exit), exit.id, now, 'second_config_id')
    const first = await lockLive(tx, ownerOf(entry), entry.id, now, 'first_config_id')
    if (!canBeginBridge(first.protocol)) {
      throw badRequest('first_config_id', `${first.protocol} cannot begin a bridge; use an Xray protocol`)
    }
    if (!canEndBridge(second.protocol)) {
      throw badRequest('second_config_id', `${second.protocol} cannot end a bridge; use another protocol`)
    }
    const bridges = (await listBridges(tx, userId)).map((row) => ({ entry: row.entry_id, exit: row.exit_id }))
    if (bridgeMakesLoop(bridges, entry.id, exit.id)) {
      throw badRequest('second_config_id', 'leads back to the first: a bridge cannot be a loop')
    }
    await storeBridge(tx, { userId, entryId: entry.id, exitId: exit.id, now })
    await placeAgain(tx, bus, [entry.id], true)
    return true
  })

export const showBridges = async ({ db, userId }: Pick<Bridging, 'db' | 'userId'>): Promise<Bridge[]> =>
  (await listBridges(db, userId)).map((row) => ({
    id: row.id,
    first_config_id: row.entry_id,
    first_type: products[row.entry_product].bridge,
    second_config_id: row.exit_id,
    second_type: products[row.exit_product].bridge,
    created_at: row.created_at,
  }))

export const takeBridgeAway = ({ db, bus, userId }: Bridging, id: number): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const bridge = await findBridge(tx, userId, id)
    if (!bridge) throw new ApiError('NOT_FOUND')
    // The entry before its bridge, as everything that changes bridges locks them. Also one that has ended.
    await lockAccess(tx, { userId }, bridge.entry_id)
    if (!(await removeBridge(tx, userId, bridge.id))) throw new ApiError('NOT_FOUND')
    await placeAgain(tx, bus, [bridge.entry_id], true)
    return true
  })
