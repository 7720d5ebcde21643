import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineHealth, EngineName } from '@sallyport/contract/agent/agent'
import type { Served } from '../common/reconcile.ts'
import { AmneziawgEngine } from './amneziawg/amneziawg.ts'
import type { Engine, EngineOptions, EngineTraffic, Trouble } from './common/engine.ts'
import type { Located } from './common/locate.ts'
import { EngineSlot } from './common/slot.ts'
import { MtgEngine } from './mtproto/mtproto.ts'
import { OwnSite } from './net/site.ts'
import { PersonalEngine } from './personal/personal.ts'
import type { Verdict } from './xray/trial.ts'
import { XrayEngine } from './xray/xray.ts'
import { XrayPair } from './xray/xray-pair.ts'

export interface EnginesOptions extends Omit<EngineOptions, 'binary' | 'version'> {
  readonly locate: (name: EngineName) => Promise<Located>
}

/** Every engine of this machine. None waits for another, and none fails for another. */
export class Engines {
  readonly #options: EnginesOptions
  readonly #site = new OwnSite()
  readonly #xray: EngineSlot<XrayPair>
  readonly #slots: readonly EngineSlot<Engine>[]

  constructor(options: EnginesOptions) {
    this.#options = options
    this.#xray = this.#slot('xray', (found) => this.#createXray(found))
    this.#slots = [
      this.#xray,
      this.#slot('amneziawg', async (found) =>
        AmneziawgEngine.create(await this.#inFolder(found, 'amneziawg')),
      ),
      this.#slot('mtg', async (found) => MtgEngine.create(await this.#inFolder(found, 'mtg'))),
    ]
  }

  /** Looks for what is missing, and says whether something has appeared. */
  async fill(): Promise<boolean> {
    const appeared = await Promise.all(this.#slots.map((slot) => slot.fill()))
    return appeared.includes(true)
  }

  get isComplete(): boolean {
    return this.#slots.every(({ engine }) => engine !== null)
  }

  async apply(state: Served): Promise<Trouble[]> {
    return (await Promise.all(this.#slots.map((slot) => slot.apply(state)))).flat()
  }

  troubles(): Trouble[] {
    return this.#slots.flatMap((slot) => [...slot.troubles()])
  }

  async traffic(): Promise<EngineTraffic[]> {
    return (await Promise.all(this.#slots.map((slot) => slot.traffic()))).flat()
  }

  health(): EngineHealth[] {
    return this.#slots.map((slot) => slot.health())
  }

  /** Null without an Xray: what it would say is not known. */
  async tryConfig(config: string, ownTargets?: Served['ownTargets']): Promise<Verdict | null> {
    return (await this.#xray.engine?.tryConfig(config, ownTargets)) ?? null
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#slots.map((slot) => slot.stop()))
    await this.#site.close()
  }

  #slot<E extends Engine>(name: EngineName, create: (found: EngineOptions) => Promise<E>): EngineSlot<E> {
    const { locate, log } = this.#options
    return new EngineSlot({
      name,
      locate: () => locate(name),
      create: (binary, version) => create({ ...this.#options, binary, version }),
      log,
    })
  }

  async #createXray(found: EngineOptions): Promise<XrayPair> {
    const siteTarget = this.#site.target
    const shared = await XrayEngine.create({ ...found, siteTarget })
    const personal = await PersonalEngine.create({ ...(await this.#inFolder(found, 'personal')), siteTarget })
    return new XrayPair(shared, personal)
  }

  async #inFolder(found: EngineOptions, name: string): Promise<EngineOptions> {
    const directory = join(found.directory, name)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    return { ...found, directory }
  }
}
