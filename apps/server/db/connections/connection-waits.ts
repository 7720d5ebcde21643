type Listener = (seconds: number) => void

/** Tells how long each transaction waited for its connection. */
export class ConnectionWaits {
  readonly #listeners: Listener[] = []

  on(listener: Listener): void {
    this.#listeners.push(listener)
  }

  async during<T>(get: () => Promise<T>): Promise<T> {
    const beganMs = performance.now()
    try {
      return await get()
    } finally {
      const seconds = (performance.now() - beganMs) / 1000
      for (const listener of this.#listeners) listener(seconds)
    }
  }
}
