import { ConfigError, type Env, fail } from './config-values.ts'

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

const readCount = (env: Env, name: string, usual: number, [min, max]: readonly [number, number]): number => {
  const text = env[name]
  if (!text) return usual
  const count = Number(text)
  if (!/^\d{1,9}$/.test(text) || count < min || count > max)
    fail(name, text, `give a whole number from ${min} to ${max}.`)
  return count
}

export const readLoad = (env: Env, isProduction: boolean): LoadConfig => {
  const rateLimitScale = readCount(env, 'RATE_LIMIT_SCALE', 1, [1, 1_000_000])
  if (isProduction && rateLimitScale !== 1) {
    throw new ConfigError(
      'RATE_LIMIT_SCALE is for load tests on the embedded database: customers rely on the limits, so leave it out with DATABASE_URL.',
    )
  }
  return {
    maxConnections: readCount(env, 'MAX_CONNECTIONS', 5000, [16, 1_000_000]),
    maxConnectionsPerAddress: readCount(env, 'MAX_CONNECTIONS_PER_ADDRESS', 256, [4, 1_000_000]),
    maxWaitingRequests: readCount(env, 'MAX_WAITING_REQUESTS', 500, [8, 1_000_000]),
    drainSeconds: readCount(env, 'DRAIN_SECONDS', isProduction ? 5 : 0, [0, 600]),
    rateLimitScale,
  }
}
