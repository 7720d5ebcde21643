import type { EngineHealth } from '@sallyport/contract/agent/agent'
import { messageOf } from '../../common/backoff.ts'
import type { Served } from '../../common/reconcile.ts'
import type { Engine, EngineOptions, EngineTraffic, Trouble } from '../common/engine.ts'
import { AmneziawgDevice } from './amneziawg-device.ts'
import { endLeftovers } from './amneziawg-process.ts'
import { networkProblem, TunnelNetwork, whyNoTunnels } from './tunnel-network.ts'
import { planTunnels, type TunnelNames, type TunnelSpec, tunnelNames } from './tunnel-plan.ts'

const devicesAtOnce = 8
const guardEveryMs = 30_000

const inGroups = async <T, R>(entries: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  for (let index = 0; index < entries.length; index += devicesAtOnce) {
    results.push(...(await Promise.all(entries.slice(index, index + devicesAtOnce).map(work))))
  }
  return results
}

/** WireGuard inbounds, one interface each, and personal AmneziaWG accesses, one interface each. */
export class AmneziawgEngine implements Engine {
  readonly #options: EngineOptions
  readonly #names: TunnelNames
  readonly #network: TunnelNetwork
  readonly #devices = new Map<string, AmneziawgDevice>()
  #queue: Promise<unknown> = Promise.resolve()
  #lack: string | null = null
  #problem: string | null = null
  #failed: readonly Trouble[] = []
  #isStarting = false
  #guard: NodeJS.Timeout | undefined

  private constructor(options: EngineOptions) {
    this.#options = options
    this.#names = tunnelNames(options.directory)
    this.#network = new TunnelNetwork(this.#names, options.allowPrivateTargets)
  }

  static async create(options: EngineOptions): Promise<AmneziawgEngine> {
    const engine = new AmneziawgEngine(options)
    engine.#lack = await whyNoTunnels()
    if (engine.#lack === null) {
      await endLeftovers(options.directory, engine.#names.prefix, engine.#network)
      await engine.#network.remove()
    }
    return engine
  }

  health(): EngineHealth {
    const crashes = [...this.#devices.values()].map(({ crash }) => crash).filter((crash) => crash !== null)
    const detail = [this.#lack, ...crashes, this.#problem].filter((text) => text !== null).join('; ')
    return {
      name: 'amneziawg',
      state: this.#state(crashes.length > 0),
      version: this.#options.version,
      detail: detail === '' ? null : detail.slice(0, 500),
    }
  }

  /** Process ids by the name of the interface; a new one after every start. */
  get pids(): ReadonlyMap<string, number | undefined> {
    return new Map([...this.#devices].map(([name, device]) => [name, device.pid]))
  }

  apply(state: Served): Promise<Trouble[]> {
    return this.#exclusively(async () => {
      const before = new Map(this.#devices.values().map(({ spec }) => [spec.name, spec]))
      const { tunnels, troubles } = planTunnels(state, this.#names, before, await this.#foreignAddresses())
      const gone = new Set(this.#devices.keys()).difference(new Set(tunnels.map(({ name }) => name)))
      await this.#end([...gone])
      if (tunnels.length === 0) await this.#leaveNetwork()
      const failed = [...troubles, ...(await this.#serve(tunnels))]
      this.#failed = failed
      this.#problem = failed.length === 0 ? null : failed.map(describe).join('; ')
      return failed
    })
  }

  troubles(): readonly Trouble[] {
    return [...this.#failed, ...[...this.#devices.values()].flatMap(({ trouble }) => trouble ?? [])]
  }

  async traffic(): Promise<EngineTraffic[]> {
    // A device whose engine has just ended has nothing to say; the others have.
    const answers = await inGroups([...this.#devices.values()], (device) =>
      device.traffic().catch(() => null),
    )
    return answers.filter((answer) => answer !== null)
  }

  stop(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#end([...this.#devices.keys()])
      await this.#leaveNetwork()
      this.#problem = null
      this.#failed = []
    })
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  #state(hasCrashed: boolean): EngineHealth['state'] {
    if (this.#lack !== null) return 'refused'
    if (this.#isStarting) return 'starting'
    if (hasCrashed) return 'crashed'
    return this.#devices.size === 0 ? 'idle' : 'running'
  }

  async #end(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    await this.#options.beforeStop?.()
    await inGroups(names, async (name) => {
      await this.#devices.get(name)?.stop()
      this.#devices.delete(name)
    })
  }

  async #serve(tunnels: readonly TunnelSpec[]): Promise<Trouble[]> {
    if (tunnels.length === 0) return []
    const lack = await this.#prepareNetwork()
    if (lack !== null) return [{ id: null, revision: null, reason: lack }]
    this.#isStarting = this.#devices.size === 0
    try {
      return (await inGroups(tunnels, (tunnel) => this.#serveOne(tunnel))).flat()
    } finally {
      this.#isStarting = false
    }
  }

  async #serveOne(tunnel: TunnelSpec): Promise<Trouble[]> {
    const known = this.#devices.get(tunnel.name)
    const device = known ?? new AmneziawgDevice(this.#options, tunnel)
    const troubles = await device.apply(tunnel)
    if (device.pid !== undefined || device.crash !== null) this.#devices.set(tunnel.name, device)
    else this.#devices.delete(tunnel.name)
    return troubles
  }

  /** What stands in the way of any tunnel, or null. */
  async #prepareNetwork(): Promise<string | null> {
    if (this.#lack !== null) this.#lack = await whyNoTunnels()
    if (this.#lack !== null) return this.#lack
    try {
      await this.#network.ensure()
    } catch (error) {
      this.#lack = networkProblem(error)
    }
    // Others change this machine's network too: a firewall that is started again takes all rules away.
    this.#guard ??= setInterval(() => void this.#guardNetwork(), guardEveryMs).unref()
    return this.#lack
  }

  async #foreignAddresses(): Promise<Set<string>> {
    // When routes cannot be read, each tunnel says so where it would set its own.
    return this.#lack === null ? this.#network.foreignAddresses().catch(() => new Set()) : new Set()
  }

  async #guardNetwork(): Promise<void> {
    await this.#exclusively(async () => {
      if (this.#devices.size === 0) return
      await this.#network.ensure()
      const running = this.#devices.values().filter(({ pid }) => pid !== undefined)
      const peers = running.flatMap(({ spec }) =>
        spec.peers.values().map(({ address }) => ({ address, spec })),
      )
      await this.#network.ensureRoutes(new Map(peers.map(({ address, spec }) => [address, spec.name])))
    }).catch((error) => this.#options.log(`tunnels: ${messageOf(error)}`))
  }

  async #leaveNetwork(): Promise<void> {
    clearInterval(this.#guard)
    this.#guard = undefined
    if (this.#lack === null) await this.#network.remove()
  }
}

const describe = ({ id, reason }: Trouble): string => (id === null ? reason : `access ${id}: ${reason}`)
