import { randomUUID } from 'node:crypto'
import type { EngineHealth, Inbound } from '@sallyport/contract/agent'
import { servable } from '@sallyport/domain/engine/servable'
import { xrayServer } from '@sallyport/domain/engine/xray-server'
import { backoff, messageOf } from '../backoff.ts'
import { removeFile, writeFileAtomically } from '../files.ts'
import type { Served } from '../reconcile.ts'
import { ConnectionCutter } from './connection-cutter.ts'
import type { UserTraffic } from './xray-api.ts'
import { changeXray } from './xray-change.ts'
import { endLeftover, portProblem, type XrayExit, XrayProcess, xrayFiles } from './xray-process.ts'

export interface XrayEngineOptions {
  readonly binary: string
  readonly version: string
  readonly directory: string
  readonly allowPrivateTargets: boolean
  readonly log: (message: string) => void
  /** Called while the counters of a run can still be read, before that run is ended on purpose. */
  readonly beforeStop?: () => Promise<void>
}

export interface EngineTraffic {
  readonly bootId: string
  readonly users: UserTraffic[]
}

const nobody: Served = { inbounds: [], accesses: [] }
const steadyAfterMs = 60_000

/** Keeps one Xray serving exactly the accesses it is given. */
export class XrayEngine {
  readonly #options: XrayEngineOptions
  readonly #files
  readonly #cutter = new ConnectionCutter()
  readonly #restartDelay = backoff(500, 30_000)
  #queue: Promise<unknown> = Promise.resolve()
  #desired: Served = nobody
  #served: Served = nobody
  #process: XrayProcess | null = null
  #bootId = ''
  #state: EngineHealth['state'] = 'idle'
  #problem: string | null = null
  #restartTimer: NodeJS.Timeout | undefined

  private constructor(options: XrayEngineOptions) {
    this.#options = options
    this.#files = xrayFiles(options.directory)
  }

  static async create(options: XrayEngineOptions): Promise<XrayEngine> {
    const engine = new XrayEngine(options)
    await endLeftover(engine.#files)
    await engine.#cutter.probe()
    return engine
  }

  health(): EngineHealth {
    const detail = [this.#problem, this.#process && this.#cutter.limitation].filter(Boolean).join('; ')
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

  /** Serves this from now on. Does all that can be done, then throws when something could not. */
  apply(state: Served): Promise<void> {
    return this.#exclusively(async () => {
      const { problems, ...desired } = servable(state.inbounds, state.accesses)
      this.#desired = desired
      if (desired.accesses.length === 0) await this.#end('idle')
      else if (this.#process) problems.push(...(await this.#change(this.#process)))
      else problems.push(...(await this.#start()))
      if (problems.length > 0) throw new Error(problems.join('; '))
    })
  }

  /** Bytes of each user in the present run, or null when nothing runs. */
  async traffic(): Promise<EngineTraffic | null> {
    const [running, bootId] = [this.#process, this.#bootId]
    return running ? { bootId, users: await running.api.traffic() } : null
  }

  stop(): Promise<void> {
    return this.#exclusively(async () => {
      this.#desired = nobody
      await this.#end('idle')
    })
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  async #end(state: 'idle'): Promise<void> {
    clearTimeout(this.#restartTimer)
    const running = this.#process
    if (running) {
      await this.#options.beforeStop?.()
      this.#forgetRun()
      await running.stop()
    }
    await Promise.all([removeFile(this.#files.pid), removeFile(this.#files.config)])
    this.#state = state
    this.#problem = null
  }

  #forgetRun(): void {
    this.#process = null
    this.#served = nobody
    this.#cutter.forget()
  }

  /** Starts Xray with everybody. Returns what had to be left out. */
  async #start(): Promise<string[]> {
    clearTimeout(this.#restartTimer)
    this.#state = 'starting'
    const { served, problems } = await this.#withFreePorts(this.#desired)
    try {
      await this.#launch(served)
    } catch (error) {
      return [...problems, ...(await this.#startBare(messageOf(error)))]
    }
    this.#problem = problems.length > 0 ? problems.join('; ') : null
    return problems
  }

  /** One inbound that Xray refuses must not take the others down: begin with none and add one at a time. */
  async #startBare(failure: string): Promise<string[]> {
    try {
      await this.#launch(nobody)
    } catch {
      this.#crashed(failure)
      return [failure]
    }
    return this.#process ? this.#change(this.#process) : [failure]
  }

  async #launch(served: Served): Promise<void> {
    const { binary, allowPrivateTargets } = this.#options
    this.#cutter.serve(served)
    const launched = await XrayProcess.start(
      binary,
      this.#files,
      (apiPort) => xrayServer(served.inbounds, served.accesses, { apiPort, allowPrivateTargets }),
      (line) => this.#cutter.read(line),
    )
    this.#process = launched
    this.#served = served
    this.#bootId = randomUUID()
    this.#state = 'running'
    const steady = setTimeout(() => this.#restartDelay.reset(), steadyAfterMs).unref()
    launched.exited.then((exit) => {
      clearTimeout(steady)
      this.#onExit(launched, exit)
    })
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
    const delayMs = this.#restartDelay.next()
    this.#options.log(`${problem}; starting it again in ${delayMs} ms`)
    clearTimeout(this.#restartTimer)
    this.#restartTimer = setTimeout(() => {
      void this.#exclusively(async () => {
        if (this.#process === null && this.#desired.accesses.length > 0) await this.#start()
      }).catch((error) => this.#crashed(messageOf(error)))
    }, delayMs)
  }

  /** Leaves out inbounds whose port cannot be had. */
  async #withFreePorts(wanted: Served): Promise<{ served: Served; problems: string[] }> {
    const inbounds: Inbound[] = []
    const problems: string[] = []
    for (const inbound of wanted.inbounds) {
      const problem = await portProblem(inbound.listen, inbound.port)
      if (problem === null) inbounds.push(inbound)
      else problems.push(`inbound ${inbound.tag}: ${problem}`)
    }
    const tags = new Set(inbounds.map(({ tag }) => tag))
    const accesses = wanted.accesses.filter((access) => tags.has(access.inbound))
    return { served: { inbounds, accesses }, problems }
  }

  /** Brings the running Xray to the desired state, one call a change. Returns what failed. */
  async #change(running: XrayProcess): Promise<string[]> {
    const { served, problems } = await changeXray(running, this.#served, this.#desired, {
      cutter: this.#cutter,
      inboundFile: this.#files.inbound,
    })
    this.#problem = problems.length > 0 ? problems.join('; ') : null
    if (this.#process !== running) return [...problems, 'Xray ended meanwhile']
    this.#served = served
    await this.#keepForRestart(running)
    return problems
  }

  async #keepForRestart({ apiPort }: XrayProcess): Promise<void> {
    const { allowPrivateTargets } = this.#options
    const config = xrayServer(this.#served.inbounds, this.#served.accesses, { apiPort, allowPrivateTargets })
    await writeFileAtomically(this.#files.config, JSON.stringify(config))
  }
}
