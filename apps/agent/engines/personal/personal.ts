import type { Certificate, EngineHealth } from '@sallyport/contract/agent/agent'
import type { Served } from '../../common/reconcile.ts'
import type { Engine, EngineOptions, EngineTraffic, Trouble } from '../common/engine.ts'
import { Fleet } from '../common/fleet.ts'
import { Confinement } from '../isolation/confinement.ts'
import { SiteRefusal, Targets } from '../isolation/targets.ts'
import { PortMeter } from '../net/port-meter.ts'
import { endMarked } from '../process/child.ts'
import type { Verdict } from '../xray/trial.ts'
import {
  clientsOf,
  configText,
  type InstanceAccess,
  type InstanceOptions,
  namedTarget,
  startInstance,
  tryInstance,
} from './personal-instance.ts'

export interface PersonalOptions extends EngineOptions {
  /** host:port of the agent's own site under this certificate. */
  readonly siteTarget: (certificate: Certificate) => Promise<string>
}

const trialAccess = { id: 'trial', revision: 1, kind: 'instance', listen: '127.0.0.1', port: 1024 } as const

/** Personal Xrays: one confined process for every access of this kind. */
export class PersonalEngine implements Engine {
  readonly #version: string
  readonly #instance: InstanceOptions
  readonly #fleet: Fleet<InstanceAccess>

  private constructor(options: PersonalOptions, confinement: Confinement) {
    const { binary, version, allowPrivateTargets, siteTarget, log, beforeStop } = options
    const targets = new Targets({ ...options, hasWall: confinement.hasWall })
    const ports = new PortMeter(options.directory)
    const instance = { binary, confinement, allowPrivateTargets, siteTarget, targets, ports }
    this.#version = version
    this.#instance = instance
    this.#fleet = new Fleet({
      start: (access, inTurn) => startInstance(access, instance, inTurn),
      refusal: async (access, inTurn) => (await tryInstance(access, instance, inTurn)).reason,
      shutsOut: (before, after) => !clientsOf(before).isSubsetOf(clientsOf(after)),
      log: (message) => log(`personal Xray ${message}`),
      beforeStop,
    })
    const inUse = () => this.#fleet.accesses.flatMap((access) => namedTarget(access) ?? [])
    targets.watch(inUse, () => void this.#fleet.renew())
  }

  static async create(options: PersonalOptions): Promise<PersonalEngine> {
    const { directory, allowPrivateTargets } = options
    const confinement = await Confinement.create({ directory, name: 'xray', allowPrivateTargets })
    await endMarked(confinement.marker)
    return new PersonalEngine(options, confinement)
  }

  health(): EngineHealth {
    return {
      name: 'xray',
      state: this.#fleet.state,
      version: this.#version,
      detail: this.problem(),
      ...(this.#instance.targets.areOwnOnly && { own_sites_only: true }),
    }
  }

  /** How many are to be served. */
  get count(): number {
    return this.#fleet.size
  }

  /** What is wrong with some of them, or with their confinement, fit for a report; null when all is well. */
  problem(): string | null {
    const { troubles, size } = this.#fleet
    const first = troubles[0]
    const sentences = [
      first && `${troubles.length} of ${size} personal Xrays have trouble (${first.id}: ${first.reason})`,
      size > 0 && this.#instance.confinement.limitation,
    ].filter(Boolean)
    return sentences.length === 0 ? null : sentences.join('; ').slice(0, 500)
  }

  apply(state: Served): Promise<Trouble[]> {
    this.#instance.targets.learn(state)
    return this.#fleet.apply(state.accesses.filter((access) => access.kind === 'instance'))
  }

  troubles(): readonly Trouble[] {
    return this.#fleet.troubles
  }

  traffic(): Promise<EngineTraffic[]> {
    return this.#fleet.traffic()
  }

  /** The engine's verdict on a personal configuration that nobody uses yet, and ours on the site that it names. */
  async tryConfig(config: string, ownTargets?: Served['ownTargets']): Promise<Verdict> {
    const access = { ...trialAccess, config }
    try {
      configText(access, { apiPort: 1, allowPrivateTargets: false })
    } catch {
      return { isAccepted: false, reason: 'not the configuration of a personal Xray' }
    }
    if (ownTargets) this.#instance.targets.learn({ inbounds: [], ownTargets })
    return tryInstance(access, this.#instance, (work) => work()).catch((error) => {
      if (error instanceof SiteRefusal) return { isAccepted: false, reason: error.message }
      throw error
    })
  }

  pidOf(id: string): number | undefined {
    return this.#fleet.pidOf(id)
  }

  async stop(): Promise<void> {
    this.#instance.targets.stop()
    await this.#fleet.stop()
    await this.#instance.confinement.remove()
    await this.#instance.ports.remove()
  }
}
