import { join } from 'node:path'
import type { Logger } from 'pino'
import { SharedClock } from '../adapters/clock/shared-clock.ts'
import { type Config, ConfigError } from '../config.ts'
import { isSecretKeyOf, keyFits } from '../core/accounts/secret-key.ts'
import { Vault } from '../core/kernel/vault.ts'
import { type Database, type Db, openDatabase } from '../db/client.ts'
import { readDatabaseTime, readNotedTime } from '../db/database-time.ts'
import { type FolderHold, lockFolder } from '../db/embedded.ts'
import { compareMigrations, type MigrationState, type MigrationWait, migrate } from '../db/migrate.ts'
import { loadSecretKey } from '../local/secret-key.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

export interface Key {
  readonly hold: FolderHold | undefined
  readonly vault: Vault
}

/** Before anything in the folder is touched: a second process must not disturb the first, nor its agent. */
export const takeKey = ({ databaseUrl, dataDir, secretKey }: Config): Key => {
  const hold = databaseUrl ? undefined : lockFolder(dataDir)
  try {
    return { hold, vault: new Vault(secretKey ?? loadSecretKey(dataDir)) }
  } catch (error) {
    hold?.close()
    throw error
  }
}

const wrongKey = ({ secretKey, databaseUrl, dataDir }: Config): ConfigError => {
  const file = join(dataDir, 'secret.key')
  const [given, remedy] = secretKey
    ? ['SECRET_KEY', databaseUrl ? 'set SECRET_KEY to the first one' : `unset SECRET_KEY to use ${file}`]
    : [file, 'put the first one back']
  return new ConfigError(
    `${given} is not the key that this database was set up with, and with another no tunnel works and nothing sealed opens: ${remedy}, from your backup if need be.`,
  )
}

/** Up to date, and proved to belong to the key. */
export const openWithKey = async (
  config: Config,
  { hold, vault }: Key,
  onWait: (wait: MigrationWait) => void,
): Promise<{ readonly database: Database; readonly applied: readonly string[] }> => {
  const database = await openDatabase({ ...config, hold })
  try {
    const applied = await migrate(database, { onWait })
    if (!(await isSecretKeyOf(database.db, vault))) throw wrongKey(config)
    return { database, applied }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** How the database stands to this release, and that it belongs to the key; nothing is changed. */
export const lookWithKey = async (config: Config, { hold, vault }: Key): Promise<MigrationState> => {
  const database = await openDatabase({ ...config, hold })
  try {
    const state = await compareMigrations(database.db)
    // Before the migration that made a place for it there is nothing to compare with.
    const isKept = !state.pending.includes('0016_secret_key.sql')
    if (isKept && (await keyFits(database.db, vault)) === 'another') throw wrongKey(config)
    return state
  } finally {
    await database.close()
  }
}

/** Says what an instance takes of PostgreSQL's connections, and warns where not all of them can have it. */
export const tellCapacity = async ({ engine }: Database, log: Logger): Promise<void> => {
  // It is told to people; whether the service can start does not depend on it.
  const capacity = await engine.capacity().catch((error: unknown) => {
    log.warn({ err: error }, 'how many connections PostgreSQL has is not known')
    return undefined
  })
  if (!capacity) return
  const { perInstance, instances, available } = capacity
  if (instances * perInstance <= available) {
    log.info(capacity, 'connections that this instance takes of PostgreSQL, and how many there are')
    return
  }
  log.warn(
    capacity,
    `${instances} instances may take ${instances * perInstance} connections of PostgreSQL, which has ${available} for them: lower DATABASE_POOL, raise max_connections, or put PgBouncer in between (docs/scaling.md)`,
  )
}

/** The embedded database is on this machine, so that both have one clock. */
export const chooseClock = async (
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  db: Db,
  log: Log,
  stopping: AbortSignal,
): Promise<Clock> =>
  databaseUrl
    ? (
        await SharedClock.open(
          () => readDatabaseTime(db),
          log,
          undefined,
          () => readNotedTime(db),
        )
      ).follow(stopping)
    : systemClock
