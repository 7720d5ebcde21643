import type { EngineHealth } from '@sallyport/contract/agent/agent'
import type { Served } from '../../common/reconcile.ts'
import type { Engine, EngineOptions, EngineTraffic, Trouble } from '../common/engine.ts'
import { Fleet } from '../common/fleet.ts'
import { Confinement } from '../isolation/confinement.ts'
import { Targets } from '../isolation/targets.ts'
import { endMarked } from '../process/child.ts'
import { frontingTarget, type MtprotoAccess, startMtg } from './mtproto-process.ts'

/** Telegram proxies: mtg takes one secret a process, so there is one confined process for every access. */
export class MtgEngine implements Engine {
  readonly #version: string
  readonly #confinement: Confinement
  readonly #targets: Targets
  readonly #fleet: Fleet<MtprotoAccess>

  private constructor(options: EngineOptions, confinement: Confinement) {
    const { binary, version, directory, log, beforeStop } = options
    this.#version = version
    this.#confinement = confinement
    const targets = new Targets({ ...options, hasWall: confinement.hasWall })
    this.#targets = targets
    this.#fleet = new Fleet({
      start: (access, inTurn) => startMtg(access, { binary, directory, confinement, targets }, inTurn),
      refusal: (access) => targets.settle(frontingTarget(access)).then(() => null),
      shutsOut: (before, after) => before.secret !== after.secret,
      log: (message) => log(`Telegram proxy ${message}`),
      beforeStop,
    })
    targets.watch(
      () => this.#fleet.accesses.map(frontingTarget),
      () => void this.#fleet.renew(),
    )
  }

  static async create(options: EngineOptions): Promise<MtgEngine> {
    const { directory, allowPrivateTargets } = options
    const confinement = await Confinement.create({ directory, name: 'mtg', allowPrivateTargets })
    await endMarked(confinement.marker)
    return new MtgEngine(options, confinement)
  }

  health(): EngineHealth {
    const { troubles, size, state } = this.#fleet
    const first = troubles[0]
    const detail = [
      first && `${troubles.length} of ${size} Telegram proxies have trouble (${first.id}: ${first.reason})`,
      size > 0 && this.#confinement.limitation,
    ].filter(Boolean)
    return {
      name: 'mtg',
      state,
      version: this.#version,
      detail: detail.length === 0 ? null : detail.join('; ').slice(0, 500),
      ...(this.#targets.areOwnOnly && { own_sites_only: true }),
    }
  }

  apply(state: Served): Promise<Trouble[]> {
    this.#targets.learn(state)
    return this.#fleet.apply(state.accesses.filter((access) => access.kind === 'mtproto'))
  }

  troubles(): readonly Trouble[] {
    return this.#fleet.troubles
  }

  traffic(): Promise<EngineTraffic[]> {
    return this.#fleet.traffic()
  }

  pidOf(id: string): number | undefined {
    return this.#fleet.pidOf(id)
  }

  async stop(): Promise<void> {
    this.#targets.stop()
    await this.#fleet.stop()
    await this.#confinement.remove()
  }
}
