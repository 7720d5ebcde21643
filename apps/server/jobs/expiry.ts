import type { Bus } from '../core/bus.ts'
import { findDueConfigs, markConfigDeleted, markConfigExpired } from '../core/config-expiry.ts'
import { place } from '../core/placements.ts'
import { releaseSlot } from '../core/servers.ts'
import { type Db, inTransaction } from '../db/client.ts'

const batchSize = 200

/** Switches off what has ended; each batch is one transaction, and rival schedulers skip each other's rows. */
export const expireConfigs = async (db: Db, bus: Bus, now: number): Promise<number> => {
  let total = 0
  for (;;) {
    const done = await inTransaction(db, async (tx) => {
      const due = await findDueConfigs(tx, now, batchSize)
      for (const config of due) {
        await markConfigExpired(tx, config.id)
        await releaseSlot(tx, config.server_id)
        await place(tx, bus, {
          nodeId: config.node_id,
          serverId: config.server_id,
          configId: config.id,
          isPresent: false,
        })
      }
      return due.length
    })
    total += done
    if (done < batchSize) return total
  }
}

/** Past the days in which it could be renewed, a configuration goes for good, its credentials too. */
export const deleteLapsedConfigs = (db: Db, now: number): Promise<number> => markConfigDeleted(db, now)
