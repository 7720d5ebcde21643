import { readConfig } from '../../apps/server/config.ts'
import { type Database, openDatabase, type Db as ServiceDb } from '../../apps/server/db/client.ts'
import { type RunningService, startService } from '../../apps/server/main.ts'
import type { Clock } from '../../apps/server/ports/clock.ts'
import { openLimiter } from './service.ts'

/** The service and its database in the test's own process, for end-to-end tests that look at what processes left behind. */

export type Db = ServiceDb
export type InProcess = RunningService

type Env = Readonly<Record<string, string | undefined>>

export const startInProcess = (env: Env, clock: Clock): Promise<InProcess> =>
  startService(readConfig(env), { clock, limiter: openLimiter })

/** Of a place where a service has run. */
export const openPlaceDatabase = (place: {
  readonly env: Env
  readonly dataDir: string
}): Promise<Database> => openDatabase({ databaseUrl: place.env.DATABASE_URL, dataDir: place.dataDir })
