import type { EngineHealth } from '@sallyport/contract/agent/agent'
import type { Served } from '../../common/reconcile.ts'
import type { Engine, EngineTraffic, Trouble } from '../common/engine.ts'
import type { Verdict } from './trial.ts'

export interface TryingEngine extends Engine {
  tryConfig(config: string, ownTargets?: Served['ownTargets']): Promise<Verdict>
}

/** All that Xray carries here: one for everybody, and one for each customer with settings of their own. */
export class XrayPair implements Engine {
  readonly #shared: Engine
  readonly #personal: TryingEngine

  constructor(shared: Engine, personal: TryingEngine) {
    this.#shared = shared
    this.#personal = personal
  }

  health(): EngineHealth {
    const [shared, personal] = [this.#shared.health(), this.#personal.health()]
    const detail = [shared.detail, personal.detail].filter((text) => text !== null).join('; ')
    return {
      ...shared,
      state: shared.state === 'idle' ? personalState(personal.state) : shared.state,
      detail: detail === '' ? null : detail.slice(0, 500),
      ...(personal.own_sites_only && { own_sites_only: true }),
    }
  }

  async apply(state: Served): Promise<Trouble[]> {
    const parts = [this.#shared, this.#personal].map((engine) => engine.apply(state).catch(troubleOf))
    return (await Promise.all(parts)).flat()
  }

  troubles(): readonly Trouble[] {
    return [...this.#shared.troubles(), ...this.#personal.troubles()]
  }

  /** The counters of one are no reason to lose those of the other. */
  async traffic(): Promise<EngineTraffic[]> {
    const parts = await Promise.allSettled([this.#shared.traffic(), this.#personal.traffic()])
    return parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : []))
  }

  tryConfig(config: string, ownTargets?: Served['ownTargets']): Promise<Verdict> {
    return this.#personal.tryConfig(config, ownTargets)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#shared.stop(), this.#personal.stop()])
  }
}

const troubleOf = (error: unknown): Trouble[] => [
  { id: null, revision: null, reason: error instanceof Error ? error.message : String(error) },
]

/** Customers who break their own programs do not make the engine unfit for the others; those are tried again. */
const personalState = (state: EngineHealth['state']): EngineHealth['state'] =>
  state === 'crashed' ? 'starting' : state
