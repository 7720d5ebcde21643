import type { EngineHealth } from '@sallyport/contract/agent'
import type { Served } from '../reconcile.ts'
import type { Located } from './locate.ts'
import { type EngineTraffic, XrayEngine, type XrayEngineOptions } from './xray.ts'

export type EngineSlotOptions = Omit<XrayEngineOptions, 'binary' | 'version'> & {
  readonly locate: () => Promise<Located>
}

/** The place of the engine on this machine, whether or not one is installed. */
export class EngineSlot {
  readonly #options: EngineSlotOptions
  #engine: XrayEngine | null = null
  #absence: Exclude<Located, { state: 'found' }> | null = null

  constructor(options: EngineSlotOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#engine === null
  }

  /** Looks for the engine while there is none. Says what is missing once, not at every look. */
  async fill(): Promise<void> {
    if (this.#engine !== null) return
    const located = await this.#options.locate()
    if (located.state === 'found') {
      const { path: binary, version } = located
      this.#engine = await XrayEngine.create({ ...this.#options, binary, version })
      this.#absence = null
      this.#options.log(`Xray ${version} found at ${binary}`)
      return
    }
    if (this.#absence?.reason !== located.reason) this.#options.log(located.reason)
    this.#absence = located
  }

  /** Without an engine there is nothing to do; the state waits on disk until one appears. */
  async apply(state: Served): Promise<void> {
    await this.#engine?.apply(state)
  }

  async traffic(): Promise<EngineTraffic | null> {
    return (await this.#engine?.traffic()) ?? null
  }

  health(): EngineHealth {
    if (this.#engine !== null) return this.#engine.health()
    const { state = 'missing', version = null, reason = null } = this.#absence ?? {}
    return { name: 'xray', state, version, detail: reason }
  }

  async stop(): Promise<void> {
    await this.#engine?.stop()
  }
}
