import type { Bus } from '../core/bus.ts'
import { placeAgain } from '../core/placements.ts'
import { listWarpConfigs, storeWarpRegistration, takeDueWarpAccounts } from '../core/warp.ts'
import { type Db, inTransaction } from '../db/client.ts'
import type { Log } from '../ports/log.ts'
import type { WarpRegistrar } from '../ports/warp.ts'

const retryAfterSeconds = 300

/** Registers the WARP accounts that wait for it, and tells the nodes what came of it. */
export const registerWarpAccounts = async (
  at: { readonly db: Db; readonly bus: Bus; readonly log: Log; readonly registrar: WarpRegistrar },
  now: number,
): Promise<void> => {
  for (const account of await takeDueWarpAccounts(at.db, now, retryAfterSeconds)) {
    const { node_id: nodeId } = account
    try {
      const registration = await at.registrar.register(account.public_key)
      await inTransaction(at.db, async (tx) => {
        await storeWarpRegistration(tx, nodeId, registration, now)
        for (const id of await listWarpConfigs(tx, nodeId)) await placeAgain(tx, at.bus, id, true)
      })
    } catch (error) {
      at.log.warn({ err: error, nodeId }, 'WARP did not register the node; it is tried again in 5 minutes')
    }
  }
}
