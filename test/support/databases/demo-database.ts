import { MemoryLimiter } from '../../../apps/server/adapters/limits/memory-limiter.ts'
import { demoOperations } from '../../../apps/server/compose/demo.ts'
import type { Services } from '../../../apps/server/core/call.ts'
import { Bus } from '../../../apps/server/core/kernel/bus.ts'
import { Vault } from '../../../apps/server/core/kernel/vault.ts'
import type { Db } from '../../../apps/server/db/client.ts'
import { loadDemo } from '../../../apps/server/local/demo/demo.ts'

/** When tests begin, by the clock of the services they start. */
export const testEpoch = 1_800_000_000

/** Whoever starts on a copy of the demo needs the key that the copied secrets are sealed with. */
export const testSecretKey = Buffer.alloc(32, 'test').toString('base64')

const address = '127.0.0.1'

/** The demo in a database that no service has opened: what lays it needs no more of one than this. */
export const loadDemoInto = (db: Db, vault: Vault, now: number): Promise<void> => {
  const few = { db, vault, bus: new Bus(), clock: { now: () => now }, publicUrl: () => '' }
  const operateWithin = demoOperations(few as unknown as Services, new MemoryLimiter())
  return loadDemo({ db, vault, now, operateWithin, address, listenAddress: address })
}

/** The demo as every test's service has it: made once for a run, and copied. */
export const loadTestDemo = (db: Db): Promise<void> =>
  loadDemoInto(db, new Vault(Buffer.from(testSecretKey, 'base64')), testEpoch)
