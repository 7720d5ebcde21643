import type { Bus } from '../../core/kernel/bus.ts'
import { leastRecentlyUsed } from '../../core/least-recent.ts'
import type { CacheCount } from '../../core/seeing/cache-counts.ts'

interface CacheEntry {
  readonly value: unknown
  readonly freshUntilMs: number
}

/** Only a bound for what nobody asks for: revocation does not wait for it. */
const cacheTtlMs = 10 * 60_000
const cacheSize = 50_000

/**
 * Credentials already looked up. Revocation is announced on the bus and forgets them at once on every
 * instance; when the bus is not live nothing is remembered.
 */
export class CredentialCache {
  readonly #entries = leastRecentlyUsed<string, CacheEntry>(cacheSize)
  readonly #bus: Bus
  readonly #count: CacheCount
  #changes = 0

  constructor(bus: Bus, count: CacheCount = { hits: 0, misses: 0 }) {
    this.#bus = bus
    this.#count = count
    bus.onPrefix('auth:', (key) => this.#entries.delete(key))
    bus.onPrefix('auth:u:', (userId) => this.#forgetUser(Number(userId)))
    bus.onLive(() => this.#forgetAll())
  }

  #forgetAll(): void {
    this.#changes++
    this.#entries.clear()
  }

  /** Looks at every entry: it happens rarely, and an index by customer would cost every request. */
  #forgetUser(userId: number): void {
    this.#changes++
    const own = [...this.#entries].filter(
      ([, { value }]) => (value as { user_id?: number }).user_id === userId,
    )
    for (const [key] of own) this.#entries.delete(key)
  }

  get<T>(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.freshUntilMs <= performance.now()) return undefined
    this.#count.hits++
    return entry.value as T
  }

  async load<T>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.get<T>(key)
    if (known !== undefined) return known
    this.#count.misses++
    let isStale = false
    const stopWatching = this.#bus.on(`auth:${key}`, () => {
      isStale = true
    })
    // Whose credential is being read is not known yet, so a change of any customer counts; so does a silent bus.
    const changesBefore = this.#changes
    const value = await read().finally(stopWatching)
    if (isStale || changesBefore !== this.#changes) return value
    if (value === undefined || !this.#bus.isLive) return value
    this.#entries.set(key, { value, freshUntilMs: performance.now() + cacheTtlMs })
    return value
  }
}
