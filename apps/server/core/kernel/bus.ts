import { sql } from 'kysely'
import type { Database, Db } from '../../db/client.ts'

/**
 * Short messages between instances, sent inside the transaction they speak of and delivered when it commits.
 * They carry no state, only "look again": `auth:<id>`, `node:<id>`, `poll:<node>:<name>`, `traffic:<terms>`.
 */
const channel = 'sallyport'

export class Bus {
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #prefixListeners: { prefix: string; onMessage: (rest: string) => void }[] = []
  readonly #liveListeners: ((isLive: boolean) => void)[] = []
  #isLive = false

  /** False while messages of other instances may be missed: caches must not be trusted then. */
  get isLive(): boolean {
    return this.#isLive
  }

  async start(database: Database): Promise<void> {
    await database.engine.listen(channel, {
      onMessage: (topic) => this.deliver(topic),
      onLive: (isLive) => {
        this.#isLive = isLive
        for (const listener of this.#liveListeners) listener(isLive)
      },
    })
  }

  /**
   * PostgreSQL lets those who notify commit one after another. What is said apart from a transaction is nothing to keep, so that
   * nobody waits until it is on the disks.
   */
  async publish(db: Db, topic: string): Promise<void> {
    const said = sql`pg_notify(${channel}, ${topic})`
    const isAlone = !db.isTransaction
    await sql`select ${said}${isAlone ? sql`, set_config('synchronous_commit', 'off', true)` : sql``}`.execute(
      db,
    )
  }

  /** For this instance at once, without waiting for the database's round trip. */
  deliver(topic: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener()
    for (const { prefix, onMessage } of this.#prefixListeners) {
      if (topic.startsWith(prefix)) onMessage(topic.slice(prefix.length))
    }
  }

  on(topic: string, listener: () => void): () => void {
    const set = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, set.add(listener))
    return () => {
      set.delete(listener)
      if (set.size === 0) this.#listeners.delete(topic)
    }
  }

  onPrefix(prefix: string, onMessage: (rest: string) => void): void {
    this.#prefixListeners.push({ prefix, onMessage })
  }

  onLive(listener: (isLive: boolean) => void): void {
    this.#liveListeners.push(listener)
  }
}

/** `done` resolves when the topic is announced, the time is over, or the caller or the service goes away. */
export const startWaiting = (bus: Bus, topic: string, milliseconds: number, signal: AbortSignal) => {
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const stopListening = bus.on(topic, resolve)
  const timer = setTimeout(resolve, milliseconds)
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) resolve()
  const cancel = () => {
    stopListening()
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  return { done, cancel }
}
