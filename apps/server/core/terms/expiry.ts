import { type Db, inTransaction } from '../../db/client.ts'
import { findNodesOf, holdNodes, placeAgain } from '../fleet/placements.ts'
import { releaseSlot } from '../fleet/servers.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Job } from '../kernel/jobs.ts'
import { holdEntriesTo, removeBridgesTo } from '../vpn/bridges.ts'
import { deleteLapsedConfigs, findDueConfigs, markConfigExpired } from './config-expiry.ts'
import { type RenewalTill, renewAutomatically } from './renewing.ts'

const batchSize = 200

/** Switches off what has ended; each batch is one transaction, and rival schedulers skip each other's rows. */
export const expireConfigs = async (
  db: Db,
  bus: Bus,
  now: number,
  /** Left on for another round. */
  except: readonly number[] = [],
): Promise<number> => {
  let total = 0
  for (;;) {
    const done = await inTransaction(db, async (tx) => {
      const due = await findDueConfigs(tx, now, batchSize, except)
      const ids = due.map((config) => config.id)
      const entries = await holdEntriesTo(tx, ids)
      // Servers first and nodes after, as a purchase takes them, so that the two cannot wait for each other.
      for (const config of due) {
        await markConfigExpired(tx, config.id)
        await releaseSlot(tx, config.server_id)
      }
      await holdNodes(tx, await findNodesOf(tx, [...ids, ...entries]))
      for (const config of due) await placeAgain(tx, bus, config.id, false)
      await removeBridgesTo(tx, bus, ids, now)
      return due.length
    })
    total += done
    if (done < batchSize) return total
  }
}

/** Renewal first, also after the service was away: nothing is switched off that could be paid. */
export const renewAndExpireJob: Job<RenewalTill> = {
  name: 'renew and expire',
  everySeconds: 10,
  run: async (at, now) => expireConfigs(at.db, at.bus, now, await renewAutomatically(at, now)),
}

export const deleteLapsedJob: Job<{ readonly db: Db }> = {
  name: 'delete lapsed',
  everySeconds: 600,
  run: ({ db }, now) => inTransaction(db, (tx) => deleteLapsedConfigs(tx, now)),
}
