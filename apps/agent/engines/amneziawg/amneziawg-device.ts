import { isDeepStrictEqual } from 'node:util'
import { backoff } from '../../common/backoff.ts'
import type { EngineOptions, EngineTraffic, Trouble } from '../common/engine.ts'
import { nodeAddress } from '../isolation/nft.ts'
import { portProblem } from '../net/ports.ts'
import { AmneziawgProcess } from './amneziawg-process.ts'
import { interfaceBytes } from './interface-bytes.ts'
import { TunnelCounters } from './tunnel-counters.ts'
import { foreignAddresses, networkProblem, routeLines, runIp, tryIp } from './tunnel-network.ts'
import { type PeerSpec, type TunnelSpec, tunnelNames } from './tunnel-plan.ts'
import { addPeerLines, deviceLines, isOtherShape, removePeerLines } from './uapi.ts'

/** The engine listens on every address, whatever it is told. */
const anywhere = '0.0.0.0'

const steadyAfterMs = 60_000

interface Run {
  readonly process: AmneziawgProcess
  readonly counters: TunnelCounters
}

const sameDevice = (left: TunnelSpec, right: TunnelSpec): boolean =>
  left.port === right.port &&
  left.privateKey === right.privateKey &&
  isDeepStrictEqual(left.parameters, right.parameters)

const sameKeys = (left: TunnelSpec, right: TunnelSpec): boolean =>
  left.peers.values().every(({ id, publicKey }) => right.peers.get(id)?.publicKey === publicKey)

const linkLines = ({ name, mtu }: TunnelSpec): string[] => [
  `address replace ${nodeAddress}/32 dev ${name}`,
  `link set dev ${name} mtu ${mtu} up`,
]
const addressesOf = ({ peers }: TunnelSpec): Set<string> =>
  new Set(peers.values().map(({ address }) => address))

const troubleOf = ({ owner, inbound }: TunnelSpec, reason: string): Trouble => ({
  id: owner?.id ?? null,
  revision: owner?.revision ?? null,
  reason,
  ...(inbound !== undefined && { inbound }),
})

/** One interface, kept as it was last asked to be: changed live, and started again when its engine ends. */
export class AmneziawgDevice {
  readonly #options: EngineOptions
  readonly #restartDelay = backoff(500, 30_000)
  #queue: Promise<unknown> = Promise.resolve()
  #spec: TunnelSpec
  #run: Run | null = null
  #crash: string | null = null
  #restartTimer: NodeJS.Timeout | undefined

  constructor(options: EngineOptions, spec: TunnelSpec) {
    this.#options = options
    this.#spec = spec
  }

  /** What is in force, or will be when the engine has been started again. */
  get spec(): TunnelSpec {
    return this.#spec
  }

  get pid(): number | undefined {
    return this.#run?.process.pid
  }

  /** Why the engine is not running at the moment although it should, or null. */
  get crash(): string | null {
    return this.#crash
  }

  /** The same, as something that somebody is not served for. */
  get trouble(): Trouble | null {
    return this.#crash === null ? null : troubleOf(this.#spec, this.#crash)
  }

  apply(wanted: TunnelSpec): Promise<Trouble[]> {
    return this.#exclusively(async () => {
      try {
        if (this.#run === null) await this.#start(wanted)
        else await this.#change(this.#run, wanted)
        return []
      } catch (error) {
        const { owner, title } = wanted
        const problem = networkProblem(error)
        if (this.#run === null && this.#crash !== null) this.#crashed(`${title}: ${problem}`)
        return [troubleOf(wanted, owner ? problem : `${title}: ${problem}`)]
      }
    })
  }

  /**
   * A personal tunnel is counted by its interface: the engine counts padding too, and of what it sends only, so that a
   * customer with a large s4 would pay for it with traffic.
   */
  traffic(): Promise<EngineTraffic | null> {
    return this.#exclusively(async () => {
      if (this.#run === null) return null
      const { process, counters } = this.#run
      const { bootId } = process
      const { owner, name } = this.#spec
      if (owner) {
        const { received, sent } = await interfaceBytes(name)
        return { bootId, users: [{ id: owner.id, up: received, down: sent }] }
      }
      const { peers } = await process.get()
      return { bootId, users: counters.present(this.#spec.peers.values(), peers) }
    })
  }

  stop(): Promise<void> {
    return this.#exclusively(async () => {
      clearTimeout(this.#restartTimer)
      const run = this.#run
      this.#run = null
      this.#crash = null
      await run?.process.stop()
    })
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  async #start(spec: TunnelSpec): Promise<void> {
    clearTimeout(this.#restartTimer)
    const { binary, directory } = this.#options
    const problem = await portProblem(anywhere, spec.port, ['udp'])
    if (problem !== null) throw new Error(problem)
    const process = await AmneziawgProcess.start(binary, directory, spec.name)
    try {
      await runIp(linkLines(spec))
      // It opens some port when it notices that the interface is up; only then does it say that one is taken.
      const failure = await process.waitUntil(({ port }) => port !== 0)
      if (failure !== null) throw new Error(`amneziawg-go: ${failure}`)
      await process.set([...deviceLines(spec), ...[...spec.peers.values()].flatMap(addPeerLines)])
      await this.#route(spec.name, addressesOf(spec))
    } catch (error) {
      await process.stop()
      throw error
    }
    this.#began({ process, counters: new TunnelCounters() }, spec)
  }

  /** The plan has left out the addresses of others, but they may have come while an engine was down. */
  async #route(name: string, addresses: Set<string>): Promise<void> {
    if (addresses.size === 0) return
    const foreign = await foreignAddresses(tunnelNames(this.#options.directory).prefix)
    const own = addresses.difference(foreign)
    if (own.size < addresses.size) {
      this.#options.log(`interface ${name}: an address is used by another agent on this machine`)
    }
    await runIp(routeLines('replace', name, own))
  }

  #began(run: Run, spec: TunnelSpec): void {
    this.#run = run
    this.#spec = spec
    this.#crash = null
    const steady = setTimeout(() => this.#restartDelay.reset(), steadyAfterMs).unref()
    void run.process.exited.then((reason) => {
      clearTimeout(steady)
      if (this.#run !== run) return
      this.#run = null
      this.#crashed(`amneziawg-go of ${spec.title} ended (${reason})`)
    })
  }

  #crashed(problem: string): void {
    this.#crash = problem
    const delayMs = this.#restartDelay.next()
    this.#options.log(`${problem}; starting it again in ${delayMs} ms`)
    clearTimeout(this.#restartTimer)
    this.#restartTimer = setTimeout(() => {
      void this.#exclusively(async () => {
        if (this.#run === null && this.#crash !== null) await this.#start(this.#spec)
      }).catch((error) => this.#crashed(`${this.#spec.title}: ${networkProblem(error)}`))
    }, delayMs)
  }

  /**
   * First the interface, then its customers: those of a shared one change even when its port cannot, and so does one with other
   * keys, for the old ones must end.
   */
  async #change(run: Run, wanted: TunnelSpec): Promise<void> {
    const from = this.#spec
    const failure = await this.#changeDevice(run.process, from, wanted).then(
      () => null,
      (error: unknown) => error,
    )
    if (failure !== null && wanted.owner && sameKeys(from, wanted)) throw failure
    await this.#changePeers(run, from, failure === null ? wanted : { ...from, peers: wanted.peers })
    if (failure !== null) throw failure
  }

  async #changeDevice(process: AmneziawgProcess, from: TunnelSpec, to: TunnelSpec): Promise<void> {
    if (sameDevice(from, to)) return
    const problem = from.port === to.port ? null : await portProblem(anywhere, to.port, ['udp'])
    if (problem !== null) throw new Error(problem)
    try {
      await process.set(deviceLines(to))
      if (from.mtu !== to.mtu) await runIp(linkLines(to))
    } catch (error) {
      // A refused request leaves behind whatever stood before the line that was refused.
      await process.set(deviceLines(from))
      await tryIp(linkLines(from))
      throw error
    }
  }

  async #changePeers({ process, counters }: Run, from: TunnelSpec, to: TunnelSpec): Promise<void> {
    const mustReconnect = isOtherShape(from.parameters, to.parameters)
    const stays = (peer: PeerSpec, other: PeerSpec | undefined) =>
      !mustReconnect && isDeepStrictEqual(peer, other)
    const gone = [...from.peers.values()].filter((peer) => !stays(peer, to.peers.get(peer.id)))
    const fresh = [...to.peers.values()].filter((peer) => !stays(peer, from.peers.get(peer.id)))
    const [before, after] = [addressesOf(from), addressesOf(to)]
    await this.#route(to.name, after.difference(before))
    const counted = gone.length > 0 ? (await process.get()).peers : new Map()
    await process.set([...gone.flatMap(removePeerLines), ...fresh.flatMap(addPeerLines)])
    counters.keep(gone, counted)
    this.#spec = to
    await tryIp(routeLines('delete', to.name, before.difference(after)))
  }
}
