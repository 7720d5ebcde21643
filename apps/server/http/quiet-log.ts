import { LRUCache } from 'lru-cache'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

const everySeconds = 60
/** More kinds than there are reasons; beyond them, what was told longest ago is forgotten. */
const mostKinds = 200

interface Silence {
  since: number
  untold: number
}

/** What happens to many requests at once, told once a minute for each kind, with how often it was not told before. */
export class QuietLog {
  readonly #log: Log
  readonly #clock: Clock
  readonly #told = new LRUCache<string, Silence>({ max: mostKinds })

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  info(text: string): void {
    const before = this.#isDue(text)
    if (before) this.#log.info({ before: before.untold }, text)
  }

  warn(text: string, error: unknown, requestId: string): void {
    const { code, message } = error as { code?: unknown; message?: unknown }
    const before = this.#isDue(`${text} ${code ?? message}`)
    if (before) this.#log.warn({ err: error, before: before.untold, request_id: requestId }, text)
  }

  /** Undefined while it is too early to tell it again. */
  #isDue(kind: string): { untold: number } | undefined {
    const now = this.#clock.now()
    const told = this.#told.get(kind)
    if (told && now - told.since < everySeconds) {
      told.untold++
      return undefined
    }
    this.#told.set(kind, { since: now, untold: 0 })
    return { untold: told?.untold ?? 0 }
  }
}
