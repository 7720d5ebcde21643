import type { MachineDefaults } from './config-machine.ts'
import { ConfigError, type Env, readChoice, readCount, readUrl } from './config-values.ts'

/** How PostgreSQL is reached; the embedded database needs none of it. */
export interface DatabaseConfig {
  /** Connections for transactions. */
  readonly pool: number
  /** Connections for single reads. */
  readonly readLanes: number
  /** Whether statements are prepared once a connection. */
  readonly isPrepared: boolean
  /** PostgreSQL itself, where DATABASE_URL is a pooler's. */
  readonly directUrl: string | undefined
  /** A standby, for what may be a second old. */
  readonly replicaUrl: string | undefined
  /** How far behind it may be. */
  readonly replicaLagSeconds: number
}

const protocols = ['postgres:', 'postgresql:']
const example = 'postgres://user:password@host/name'

export const readDatabaseUrl = (env: Env, name: string): string | undefined =>
  readUrl(env, name, protocols, example)

export const readDatabase = (env: Env, usual: MachineDefaults): DatabaseConfig => {
  const directUrl = readDatabaseUrl(env, 'DATABASE_DIRECT_URL')
  const replicaUrl = readDatabaseUrl(env, 'DATABASE_REPLICA_URL')
  for (const [name, url] of Object.entries({
    DATABASE_DIRECT_URL: directUrl,
    DATABASE_REPLICA_URL: replicaUrl,
  })) {
    if (url && !env.DATABASE_URL) throw new ConfigError(`${name} is of no use without DATABASE_URL.`)
  }
  return {
    pool: readCount(env, 'DATABASE_POOL', usual.pool, [2, 500]),
    readLanes: readCount(env, 'DATABASE_READ_LANES', usual.readLanes, [1, 64]),
    isPrepared: readChoice(env, 'DATABASE_PREPARED', ['on', 'off'], directUrl ? 'off' : 'on') === 'on',
    directUrl,
    replicaUrl,
    replicaLagSeconds: readCount(env, 'DATABASE_REPLICA_LAG', 5, [1, 3600]),
  }
}
