import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { freePort } from '../../../test/support/ports.ts'
import type { Place, ServiceProcess } from '../process.ts'
import type { ProviderGate } from './gate.ts'

/** The processes of one service, all alike. One that is killed comes back by itself. */

export class Crew {
  readonly #place: Place
  readonly #gate: ProviderGate
  /** What is done while a process is dead. */
  readonly #whenDead: () => Promise<void>
  readonly #members = new Map<string, ServiceProcess>()
  readonly #returning = new Set<Promise<void>>()
  readonly #failures: unknown[] = []
  #started = 0
  #isOver = false
  kills = 0

  private constructor(place: Place, gate: ProviderGate, whenDead: () => Promise<void>) {
    this.#place = place
    this.#gate = gate
    this.#whenDead = whenDead
  }

  static async start(
    place: Place,
    gate: ProviderGate,
    { size, whenDead }: { readonly size: number; readonly whenDead: () => Promise<void> },
  ): Promise<Crew> {
    const crew = new Crew(place, gate, whenDead)
    for (let n = 0; n < size; n++) await crew.#join()
    return crew
  }

  /** Of one that answers, as soon as there is one. */
  async url(random: () => number): Promise<string> {
    for (;;) {
      if (this.#isOver) throw new Error('The service has stopped')
      if (this.#failures.length > 0) throw this.#failures[0]
      const ready = [...this.#members.values()]
      const chosen = ready[Math.floor(random() * ready.length)]
      if (chosen) return chosen.url
      await sleep(50)
    }
  }

  get names(): string[] {
    return [...this.#members.keys()]
  }

  /** At once; false when it is dead already. */
  kill(name: string): boolean {
    const service = this.#members.get(name)
    if (!service) return false
    this.#members.delete(name)
    this.kills++
    const back = (async () => {
      await service.kill()
      await this.#whenDead()
      await this.#join()
    })()
      .catch((error: unknown) => this.#failures.push(error))
      .then(() => void this.#returning.delete(back))
    this.#returning.add(back)
    return true
  }

  async untilAllAreBack(): Promise<void> {
    while (this.#returning.size > 0) await Promise.all(this.#returning)
    if (this.#failures.length > 0) throw this.#failures[0]
  }

  async terminate(): Promise<void> {
    await this.untilAllAreBack()
    this.#isOver = true
    const all = [...this.#members.values()]
    this.#members.clear()
    for (const exit of await Promise.all(all.map((service) => service.terminate()))) {
      expect(exit).toEqual({ code: 0, signal: null })
    }
  }

  /** As whoever runs it does: one that ends because the database is slow to answer is started again. */
  async #join(tries = 3): Promise<void> {
    const name = `process-${++this.#started}`
    const PORT = String(await freePort())
    const settings = { PORT, ...this.#gate.settingsOf(name) }
    const service = await this.#place.start(settings).catch((error: unknown) => {
      if (tries === 1) throw error
    })
    if (service) this.#members.set(name, service)
    else await this.#join(tries - 1)
  }
}
