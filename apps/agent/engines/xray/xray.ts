import { randomBytes, randomUUID } from 'node:crypto'
import type { EngineHealth } from '@sallyport/contract/agent/agent'
import { servable } from '@sallyport/domain/vpn/engine/servable'
import { isProxy, type XrayServed } from '@sallyport/domain/vpn/engine/xray-accounts'
import { xrayServer } from '@sallyport/domain/vpn/engine/xray-server'
import { backoff, messageOf } from '../../common/backoff.ts'
import { removeFile, writeFileAtomically } from '../../common/files.ts'
import { portsOf, type Served } from '../../common/reconcile.ts'
import type { Engine, EngineOptions, EngineTraffic, Trouble } from '../common/engine.ts'
import { ConnectionCutter } from '../isolation/connection-cutter.ts'
import { customerMark, PacketFilter } from '../isolation/packet-filter.ts'
import { ownAddresses } from '../net/own-addresses.ts'
import type { SiteTarget } from '../net/site.ts'
import { changeXray } from './xray-change.ts'
import { GoneUsers } from './xray-exits.ts'
import { troubleOf, troubleOfAll, withFreePorts, withOwnSites } from './xray-possible.ts'
import { endLeftover, type XrayExit, XrayProcess, xrayFiles } from './xray-process.ts'
import { trafficByAccess } from './xray-traffic.ts'

export interface XrayEngineOptions extends EngineOptions {
  readonly siteTarget: SiteTarget
}

const nobody: XrayServed = { inbounds: [], accesses: [] }
const steadyAfterMs = 60_000

const inWords = (troubles: readonly Trouble[]): string | null =>
  troubles.length > 0 ? troubles.map(({ reason }) => reason).join('; ') : null

/** Keeps one Xray serving exactly the shared accesses and proxies it is given. */
export class XrayEngine implements Engine {
  readonly #options: XrayEngineOptions
  readonly #files
  readonly #filter: PacketFilter
  readonly #cutter: ConnectionCutter
  readonly #restartDelay = backoff(500, 30_000)
  readonly #repairDelay = backoff(1000, 30_000)
  #queue: Promise<unknown> = Promise.resolve()
  #desired: XrayServed = nobody
  #served: XrayServed = nobody
  #process: XrayProcess | null = null
  #gone: GoneUsers | null = null
  #bootId = ''
  #mark = ''
  /** Names under which this run counts proxies. */
  readonly #proxyUsers = new Map<string, string>()
  #state: EngineHealth['state'] = 'idle'
  #problem: string | null = null
  /** What of the newest state could not be asked of Xray at all, and what Xray did not do. */
  #left: readonly Trouble[] = []
  #undone: readonly Trouble[] = []
  #repairTimer: NodeJS.Timeout | undefined

  private constructor(options: XrayEngineOptions) {
    this.#options = options
    this.#files = xrayFiles(options.directory)
    this.#filter = new PacketFilter(options.directory)
    this.#cutter = new ConnectionCutter(this.#filter)
  }

  static async create(options: XrayEngineOptions): Promise<XrayEngine> {
    const engine = new XrayEngine(options)
    await endLeftover(engine.#files)
    await engine.#cutter.probe()
    return engine
  }

  health(): EngineHealth {
    const limitations = this.#process ? [this.#cutter.limitation, this.#whyNoUdp] : []
    const detail = [this.#problem, ...limitations].filter(Boolean).join('; ')
    return {
      name: 'xray',
      state: this.#state,
      version: this.#options.version,
      detail: detail === '' ? null : detail.slice(0, 500),
    }
  }

  /** Process id of the running Xray; a new one after every restart. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  get apiPort(): number | undefined {
    return this.#process?.apiPort
  }

  /** Xray's rules see only the beginning of a UDP session, so without the kernel's help there is none. */
  get #whyNoUdp(): string | null {
    const { incapable } = this.#filter
    if (incapable === null || this.#options.allowPrivateTargets) return null
    return `UDP is off, because only nftables can keep it out of private networks, and addresses that this machine gets later are open to customers: ${incapable}`
  }

  apply(state: Served): Promise<Trouble[]> {
    return this.#exclusively(async () => {
      const own = await withOwnSites(state.inbounds, this.#options.siteTarget)
      const { problems, ...desired } = servable(own.inbounds, state.accesses)
      this.#desired = desired
      this.#left = [...own.troubles, ...problems]
      const troubles = [...this.#left]
      await this.#filter.open([...portsOf(state)]).catch((error) => this.#options.log(messageOf(error)))
      if (desired.accesses.length === 0) await this.#end()
      else if (this.#process) troubles.push(...(await this.#change(this.#process)))
      else troubles.push(...(await this.#start()))
      return troubles
    })
  }

  troubles(): readonly Trouble[] {
    return [...this.#left, ...this.#undone]
  }

  async traffic(): Promise<EngineTraffic[]> {
    const [running, bootId] = [this.#process, this.#bootId]
    if (!running) return []
    return [{ bootId, users: trafficByAccess(await running.api.traffic(), this.#proxyUsers) }]
  }

  stop(): Promise<void> {
    return this.#exclusively(async () => {
      this.#desired = nobody
      await this.#end()
      await this.#filter.close()
    })
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  async #end(): Promise<void> {
    clearTimeout(this.#repairTimer)
    const running = this.#process
    if (running) {
      await this.#options.beforeStop?.()
      this.#forgetRun()
      await running.stop()
    }
    await Promise.all([removeFile(this.#files.pid), removeFile(this.#files.config)])
    this.#state = 'idle'
    this.#problem = null
    this.#undone = []
  }

  #forgetRun(): void {
    this.#process = null
    this.#gone = null
    this.#served = nobody
    this.#proxyUsers.clear()
    this.#cutter.begin('')
  }

  /** Starts Xray with everybody. Returns what had to be left out. */
  async #start(): Promise<Trouble[]> {
    clearTimeout(this.#repairTimer)
    this.#state = 'starting'
    const { served, troubles } = await withFreePorts(this.#desired)
    try {
      await this.#launch(served)
    } catch (error) {
      return [...troubles, ...(await this.#startBare(messageOf(error)))]
    }
    this.#problem = inWords(troubles)
    this.#undone = troubles
    return troubles
  }

  /** One inbound that Xray refuses must not take the others down: begin with none and add one at a time. */
  async #startBare(failure: string): Promise<Trouble[]> {
    try {
      await this.#launch(nobody)
    } catch {
      this.#crashed(failure)
      return [troubleOf(failure)]
    }
    return this.#process ? this.#change(this.#process) : [troubleOf(failure)]
  }

  async #launch(served: XrayServed): Promise<void> {
    this.#mark = randomBytes(8).toString('hex')
    this.#cutter.begin(this.#mark)
    this.#cutter.serve(served)
    await this.#filter.prepare()
    const launched = await XrayProcess.start({
      binary: this.#options.binary,
      files: this.#files,
      configFor: (apiPort) => this.#configOf(served, apiPort),
      onLine: (line) => this.#cutter.read(line),
    })
    this.#process = launched
    this.#gone = new GoneUsers(launched.api, this.#mark)
    this.#bootId = randomUUID()
    this.#state = 'running'
    this.#noteServed(served)
    const steady = setTimeout(() => this.#restartDelay.reset(), steadyAfterMs).unref()
    launched.exited.then((exit) => {
      clearTimeout(steady)
      this.#onExit(launched, exit)
    })
  }

  #configOf({ inbounds, accesses }: XrayServed, apiPort: number): object {
    const { allowPrivateTargets } = this.#options
    const isFiltered = !allowPrivateTargets && this.#filter.incapable === null
    return xrayServer(inbounds, accesses, {
      apiPort,
      allowPrivateTargets,
      allowUdp: this.#whyNoUdp === null,
      mark: this.#mark,
      ...(isFiltered ? { socketMark: customerMark } : { ownAddresses: ownAddresses() }),
    })
  }

  #noteServed(served: XrayServed): void {
    this.#served = served
    for (const { user, id } of served.accesses.filter(isProxy)) this.#proxyUsers.set(user, id)
  }

  #onExit(ended: XrayProcess, exit: XrayExit): void {
    if (this.#process !== ended) return
    ended.api.close()
    this.#forgetRun()
    this.#crashed(`Xray ended (${exit.reason})`)
  }

  #crashed(problem: string): void {
    this.#state = 'crashed'
    this.#problem = problem
    this.#undone = troubleOfAll(this.#desired, problem)
    const delayMs = this.#restartDelay.next()
    this.#options.log(`${problem}; starting it again in ${delayMs} ms`)
    this.#repairIn(delayMs)
  }

  #repairIn(delayMs: number): void {
    clearTimeout(this.#repairTimer)
    this.#repairTimer = setTimeout(() => {
      void this.#exclusively(() => this.#repair()).catch((error) => this.#crashed(messageOf(error)))
    }, delayMs)
  }

  /** Nobody hears of troubles that a restart on our own account meets, so they are ours to try again. */
  async #repair(): Promise<void> {
    if (this.#desired.accesses.length === 0) return
    const troubles = await (this.#process ? this.#change(this.#process) : this.#start())
    if (troubles.length === 0) return this.#repairDelay.reset()
    // One that does not run at all has its own next try already.
    if (this.#process === null) return
    const delayMs = this.#repairDelay.next()
    this.#options.log(`${inWords(troubles)}; trying again in ${delayMs} ms`)
    this.#repairIn(delayMs)
  }

  /** Brings the running Xray to the desired state, one call a change. Returns what failed. */
  async #change(running: XrayProcess): Promise<Trouble[]> {
    clearTimeout(this.#repairTimer)
    const gone = this.#gone ?? new GoneUsers(running.api, this.#mark)
    const tools = { cutter: this.#cutter, gone, mark: this.#mark }
    const { served, troubles } = await changeXray(running, this.#served, this.#desired, tools)
    this.#problem = inWords(troubles)
    if (this.#process !== running) return [...troubles, troubleOf('Xray ended meanwhile')]
    this.#undone = troubles
    this.#noteServed(served)
    // Kept as a picture of what runs, for whoever looks; a start writes it anew.
    const picture = JSON.stringify(this.#configOf(served, running.apiPort))
    await writeFileAtomically(this.#files.config, picture).catch((error) =>
      this.#options.log(messageOf(error)),
    )
    return troubles
  }
}
