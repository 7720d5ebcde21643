import type { MachineDefaults } from './config-machine.ts'
import { ConfigError, type Env, readCount } from './config-values.ts'

/** How much the service takes on at once, and how it leaves. */
export interface LoadConfig {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** Requests at work or waiting at once. */
  readonly maxWaitingRequests: number
  /** How long it goes on serving after SIGTERM while /readyz says that it stops. */
  readonly drainSeconds: number
  /** Multiplies rate limits, for load tests. */
  readonly rateLimitScale: number
}

export const readLoad = (env: Env, isProduction: boolean, usual: MachineDefaults): LoadConfig => {
  const rateLimitScale = readCount(env, 'RATE_LIMIT_SCALE', 1, [1, 1_000_000])
  if (isProduction && rateLimitScale !== 1) {
    throw new ConfigError(
      'RATE_LIMIT_SCALE is for load tests on the embedded database: customers rely on the limits, so leave it out with DATABASE_URL.',
    )
  }
  return {
    maxConnections: readCount(env, 'MAX_CONNECTIONS', usual.maxConnections, [16, 1_000_000]),
    maxConnectionsPerAddress: readCount(env, 'MAX_CONNECTIONS_PER_ADDRESS', 256, [4, 1_000_000]),
    maxWaitingRequests: readCount(env, 'MAX_WAITING_REQUESTS', usual.maxWaitingRequests, [8, 1_000_000]),
    drainSeconds: readCount(env, 'DRAIN_SECONDS', isProduction ? 5 : 0, [0, 600]),
    rateLimitScale,
  }
}
