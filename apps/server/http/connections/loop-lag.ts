const everyMs = 50

/** How late the event loop is. As long waits, unread, what comes to a thread that is behind with its work. */
export class LoopLag {
  readonly #watch: NodeJS.Timeout
  #dueMs = performance.now() + everyMs
  /** By how much the last look came too late. */
  ms = 0

  constructor() {
    this.#watch = setInterval(() => this.#look(), everyMs)
    this.#watch.unref()
  }

  #look(): void {
    const nowMs = performance.now()
    this.ms = Math.max(0, nowMs - this.#dueMs)
    this.#dueMs = nowMs + everyMs
  }

  stop(): void {
    clearInterval(this.#watch)
  }
}
