import { expect } from 'vitest'
import { freePort } from '../../test/support/ports.ts'
import type { Place, ServiceProcess } from './process.ts'

/** The processes of one service: one that is dealt with, and others that stand ready for when it dies. */
export class Fleet {
  readonly #place: Place
  readonly #spares: Promise<ServiceProcess>[] = []
  #current: ServiceProcess

  private constructor(place: Place, current: ServiceProcess, spares: number) {
    this.#place = place
    this.#current = current
    for (let n = 0; n < spares; n++) this.#addSpare()
  }

  /** Spares need a database that several processes may use. */
  static async start(place: Place, spares: number): Promise<Fleet> {
    return new Fleet(place, await place.start(), spares)
  }

  get current(): ServiceProcess {
    return this.#current
  }

  async takeOver(): Promise<void> {
    const spare = this.#spares.shift()
    if (spare) this.#addSpare()
    this.#current = await (spare ?? this.#place.start())
  }

  async terminate(): Promise<void> {
    const all = [this.#current, ...(await Promise.all(this.#spares))]
    for (const exit of await Promise.all(all.map((service) => service.terminate()))) {
      expect(exit).toEqual({ code: 0, signal: null })
    }
  }

  #addSpare(): void {
    const spare = freePort().then((port) => this.#place.start({ PORT: String(port) }))
    // It is awaited when its turn comes; until then its failure is nobody's.
    spare.catch(() => undefined)
    this.#spares.push(spare)
  }
}
