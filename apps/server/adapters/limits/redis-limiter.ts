import type { Limit } from '@sallyport/contract/operation'
import { Redis } from 'ioredis'
import { type Limiter, type Taken, toTaken } from '../../ports/limiter.ts'
import { MemoryLimiter } from './memory-limiter.ts'
import { sentinelOptions } from './redis-address.ts'

/** One atomic call; the window's end is Redis's, so that every instance tells the same Reset. */
const script = `
local count = redis.call('incr', KEYS[1])
if count == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
local left = redis.call('pttl', KEYS[1])
local time = redis.call('time')
return {count, time[1] * 1000 + math.floor(time[2] / 1000), left}`

/** A window that has ended meanwhile is not begun anew. */
const giveBackScript = `
local count = tonumber(redis.call('get', KEYS[1]) or '0')
if count > 0 then redis.call('decr', KEYS[1]) end
return count`

interface Counting {
  countRequest(key: string, windowMs: number): Promise<[number, number, number]>
  giveRequestBack(key: string): Promise<number>
}

/** Counts for all instances together; while Redis is away each instance counts by itself. */
export class RedisLimiter implements Limiter {
  readonly #redis: Redis
  readonly #counting: Counting
  readonly #alone = new MemoryLimiter()
  #isUp: boolean | undefined
  #isClosed = false

  constructor(url: string, onStateChange: (isUp: boolean) => void) {
    const options = {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2000,
      commandTimeout: 250,
      // One that vanished closes nothing: without this every request would wait for it until the kernel gives up.
      socketTimeout: 1000,
      retryStrategy: (attempt: number) => Math.min(attempt * 100, 2000),
      // It was the master; whoever is now is found by connecting anew.
      reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
    }
    const sentinels = sentinelOptions(url)
    this.#redis = sentinels ? new Redis({ ...options, ...sentinels }) : new Redis(url, options)
    this.#redis.on('error', () => undefined)
    const tell = (isUp: boolean): void => {
      if (isUp === this.#isUp || this.#isClosed) return
      this.#isUp = isUp
      onStateChange(isUp)
    }
    this.#redis.on('ready', () => tell(true))
    this.#redis.on('close', () => tell(false))
    this.#redis.defineCommand('countRequest', { numberOfKeys: 1, lua: script })
    this.#redis.defineCommand('giveRequestBack', { numberOfKeys: 1, lua: giveBackScript })
    this.#counting = this.#redis as unknown as Counting
  }

  async take(key: string, limit: Limit): Promise<Taken> {
    try {
      const [count, nowMs, leftMs] = await this.#counting.countRequest(`limit:${key}`, limit.seconds * 1000)
      return toTaken(count, limit, nowMs, nowMs + leftMs)
    } catch {
      return this.#alone.take(key, limit)
    }
  }

  async giveBack(key: string): Promise<void> {
    try {
      await this.#counting.giveRequestBack(`limit:${key}`)
    } catch {
      this.#alone.giveBack(key)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#redis.disconnect()
  }
}
