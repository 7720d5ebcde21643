import { Redis } from 'ioredis'
import type { RedisFacts } from '../../ports/limiter.ts'

/** Asks once, and hangs up. */
export const readRedisFacts = async (url: string, timeoutMs = 5000): Promise<RedisFacts> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let failure: Error | undefined
  redis.on('error', (error) => {
    failure ??= error
  })
  try {
    await redis.connect()
    const before = performance.now()
    await redis.ping()
    const millis = performance.now() - before
    const info = await redis.info()
    const fieldOf = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
    return {
      version: fieldOf('redis_version'),
      role: fieldOf('role'),
      usedBytes: Number(fieldOf('used_memory')),
      maxBytes: Number(fieldOf('maxmemory')),
      policy: fieldOf('maxmemory_policy'),
      millis,
    }
  } catch (error) {
    // Where the connection was refused, the reason came before; the rest only says that it is closed.
    throw failure ?? error
  } finally {
    redis.disconnect()
  }
}
