import type { EngineHealth, EngineName } from '@sallyport/contract/agent/agent'
import { messageOf } from '../../common/backoff.ts'
import type { Served } from '../../common/reconcile.ts'
import type { Engine, EngineTraffic, Trouble } from './engine.ts'
import type { Located } from './locate.ts'

export interface EngineSlotOptions<E extends Engine> {
  readonly name: EngineName
  readonly locate: () => Promise<Located>
  readonly create: (binary: string, version: string) => Promise<E>
  readonly log: (message: string) => void
}

type Absence = Omit<EngineHealth, 'name'>

/** The place of one engine on this machine, whether or not it is installed. */
export class EngineSlot<E extends Engine> {
  readonly #options: EngineSlotOptions<E>
  #engine: E | null = null
  #absence: Absence = { state: 'missing', version: null, detail: null }

  constructor(options: EngineSlotOptions<E>) {
    this.#options = options
  }

  get engine(): E | null {
    return this.#engine
  }

  /** Looks for the engine while there is none, and says whether one has appeared. */
  async fill(): Promise<boolean> {
    if (this.#engine !== null) return false
    const { name, locate, create, log } = this.#options
    let version: string | null = null
    try {
      const located = await locate()
      version = located.version
      if (located.state !== 'found') {
        this.#stayEmpty({ state: located.state, version, detail: located.reason })
        return false
      }
      this.#engine = await create(located.path, located.version)
      log(`${name} ${version} found at ${located.path}`)
      return true
    } catch (error) {
      this.#stayEmpty({ state: 'crashed', version, detail: `${name} cannot be set up: ${messageOf(error)}` })
      return false
    }
  }

  /** Says what is missing once, not at every look. */
  #stayEmpty(absence: Absence): void {
    if (this.#absence.detail !== absence.detail && absence.detail !== null) this.#options.log(absence.detail)
    this.#absence = { ...absence, detail: absence.detail?.slice(0, 500) ?? null }
  }

  /** Without an engine there is nothing to do; the state waits on disk until one appears. */
  async apply(state: Served): Promise<Trouble[]> {
    try {
      return (await this.#engine?.apply(state)) ?? []
    } catch (error) {
      return [{ id: null, revision: null, reason: `${this.#options.name}: ${messageOf(error)}` }]
    }
  }

  /** Nothing from an engine that cannot say at the moment: the next reading has it all. */
  async traffic(): Promise<EngineTraffic[]> {
    try {
      return (await this.#engine?.traffic()) ?? []
    } catch (error) {
      const { name, log } = this.#options
      if (this.health().state === 'running') log(`metering ${name}: ${messageOf(error)}`)
      return []
    }
  }

  health(): EngineHealth {
    return this.#engine?.health() ?? { name: this.#options.name, ...this.#absence }
  }

  async stop(): Promise<void> {
    await this.#engine?.stop()
  }
}
