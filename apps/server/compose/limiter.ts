import type { Logger } from 'pino'
import { MemoryLimiter } from '../adapters/limits/memory-limiter.ts'
import { ScaledLimiter } from '../adapters/limits/scaled-limiter.ts'
import type { Config } from '../config.ts'
import type { Limiter } from '../ports/limiter.ts'

/** The Redis client takes a tenth of all the time that loading modules takes, so only those who use it load it. */
const countingLimiter = async ({ redisUrl }: Config, log: Logger, onRedis: OnRedis): Promise<Limiter> => {
  if (!redisUrl) return new MemoryLimiter()
  const { RedisLimiter } = await import('../adapters/limits/redis-limiter.ts')
  onRedis(false)
  return new RedisLimiter(redisUrl, (isUp) => {
    onRedis(isUp)
    log[isUp ? 'info' : 'warn'](
      isUp ? 'Redis counts the limits' : 'Redis is away: this instance counts by itself',
    )
  })
}

/** Told whenever Redis, where there is one, comes or goes. */
type OnRedis = (isUp: boolean) => void

export const chooseLimiter = async (
  config: Config,
  log: Logger,
  onRedis: OnRedis = () => undefined,
): Promise<Limiter> => {
  const limiter = await countingLimiter(config, log, onRedis)
  const scale = config.load.rateLimitScale
  return scale === 1 ? limiter : new ScaledLimiter(limiter, scale)
}
