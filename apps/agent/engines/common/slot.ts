import type { Access, EngineHealth, EngineName } from '@sallyport/contract/agent/agent'
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

const engineOf = (access: Access): EngineName => {
  if (access.kind === 'mtproto') return 'mtg'
  const isTunnel =
    access.kind === 'amnezia-wg' || (access.kind === 'shared' && access.account.protocol === 'wg')
  return isTunnel ? 'amneziawg' : 'xray'
}

type Absence = Omit<EngineHealth, 'name'>

/** The place of one engine on this machine, whether or not it is installed. */
export class EngineSlot<E extends Engine> {
  readonly #options: EngineSlotOptions<E>
  #engine: E | null = null
  #absence: Absence = { state: 'missing', version: null, detail: null }
  #wanted: Served['accesses'] = []

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
    this.#wanted = state.accesses
    try {
      return (await this.#engine?.apply(state)) ?? []
    } catch (error) {
      return [{ id: null, revision: null, reason: `${this.#options.name}: ${messageOf(error)}` }]
    }
  }

  /** That an engine is missing or refused is in its health; one that cannot be set up leaves everybody without. */
  troubles(): readonly Trouble[] {
    if (this.#engine !== null) return this.#engine.troubles()
    const { state, detail } = this.#absence
    if (state !== 'crashed') return []
    const { name } = this.#options
    const own = this.#wanted.filter((access) => engineOf(access) === name)
    return own.map(({ id, revision }) => ({ id, revision, reason: detail ?? name }))
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
