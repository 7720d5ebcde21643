import { type Db, inTransaction } from '../../../db/client.ts'
import type { Log } from '../../../ports/log.ts'
import type { WarpRegistrar } from '../../../ports/warp.ts'
import { placeAgain } from '../../fleet/placements.ts'
import type { Bus } from '../../kernel/bus.ts'
import type { Job } from '../../kernel/jobs.ts'
import { storeWarpRegistration, takeDueWarpAccounts, warpBatchSize } from '../access/warp.ts'

const retryAfterSeconds = 300

interface WarpParts {
  readonly db: Db
  readonly bus: Bus
  readonly log: Log
  readonly registrar: WarpRegistrar
}

const registerOne = async (
  at: WarpParts,
  account: { readonly access_id: number; readonly public_key: string },
  now: number,
): Promise<void> => {
  const { access_id: accessId } = account
  try {
    const registration = await at.registrar.register(account.public_key)
    await inTransaction(at.db, async (tx) => {
      await storeWarpRegistration(tx, accessId, registration, now)
      await placeAgain(tx, at.bus, [accessId], true)
    })
  } catch (error) {
    at.log.warn({ err: error, accessId }, 'WARP did not register an account; it is tried again in 5 minutes')
  }
}

/** Registers the WARP accounts that wait for it, and tells their nodes what came of it. */
export const registerWarpAccounts = async (at: WarpParts, now: number): Promise<void> => {
  for (;;) {
    const due = await takeDueWarpAccounts(at.db, now, retryAfterSeconds)
    for (const account of due) await registerOne(at, account, now)
    if (due.length < warpBatchSize) return
  }
}

export const registerWarpJob: Job<WarpParts> = {
  name: 'register WARP accounts',
  everySeconds: 10,
  run: registerWarpAccounts,
}
