import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { freePort } from '../../test/support/ports.ts'

/** The service as people run it: a process of its own, watched from outside. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const command = ['--disable-warning=ExperimentalWarning', 'apps/server/cli.ts', 'start']
/** Where npm start keeps compiled modules. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'sallyport') }

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export type Env = Readonly<Record<string, string | undefined>>

const live = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of live) child.kill('SIGKILL')
})

interface HowToRun {
  readonly nodeFlags?: readonly string[] | undefined
  readonly sources?: string | undefined
}

export class ServiceProcess {
  readonly url: string
  readonly exited: Promise<Exit>
  readonly #child: ChildProcess
  readonly #startedMs = performance.now()
  #readyMs = 0
  #output = ''
  #errors = ''

  constructor(port: string, env: Env, { nodeFlags = [], sources = root }: HowToRun = {}) {
    this.url = `http://127.0.0.1:${port}`
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
    this.#child = spawn(process.execPath, [...nodeFlags, ...command], { cwd: sources, env, stdio })
    live.add(this.#child)
    this.#child.stdout?.on('data', (chunk) => {
      this.#output += chunk
    })
    this.#child.stderr?.on('data', (chunk) => {
      this.#errors += chunk
    })
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        live.delete(this.#child)
        resolve({ code, signal })
      })
    })
  }

  get output(): string {
    return this.#output
  }

  get errors(): string {
    return this.#errors
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid(): number {
    return this.#child.pid as number
  }

  get ageMs(): number {
    return performance.now() - this.#startedMs
  }

  /** Milliseconds since it was ready. */
  get servedMs(): number {
    return this.ageMs - this.#readyMs
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(name)
  }

  /** kill -9, and nothing of it is left when this returns. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.exited
  }

  async terminate(): Promise<Exit> {
    this.signal('SIGTERM')
    return this.exited
  }

  /** Returns the milliseconds from the start until /readyz answered 200. */
  async untilReady(withinMs = 180_000): Promise<number> {
    for (;;) {
      if ((await this.readiness()) === 200) {
        this.#readyMs = this.ageMs
        return this.#readyMs
      }
      if (!this.isRunning) throw new Error(`The service ended before it was ready.\n${this.#said()}`)
      if (this.ageMs > withinMs)
        throw new Error(`The service was not ready after ${withinMs} ms.\n${this.#said()}`)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }

  /** The status of /readyz, or undefined when nothing answers. */
  async readiness(): Promise<number | undefined> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(15_000) })
      await response.body?.cancel()
      return response.status
    } catch {
      return undefined
    }
  }

  #said(): string {
    return `stderr: ${this.#errors.slice(-3000)}\nstdout: ${this.#output.slice(-500)}`
  }
}

/** Where a service lives through several starts: one folder, one port, one database. */
export interface Place {
  readonly dataDir: string
  readonly port: number
  readonly env: Env
  /** Starts a process and returns at once; whatever still runs is killed when the test ends. */
  launch(env?: Env): ServiceProcess
  start(env?: Env): Promise<ServiceProcess>
}

const quiet = { HOST: '127.0.0.1', LOCAL_AGENT: 'off', LOG_LEVEL: 'warn', DRAIN_SECONDS: '0' }

export interface PlaceOptions {
  readonly env?: Env
  /** The folder of an earlier, stopped service to begin from. */
  readonly copyOf?: string
  /** The folder of an embedded database to begin from. */
  readonly databaseCopyOf?: string
  readonly nodeFlags?: readonly string[]
  /** Where the release lies that is run, if it is not this one. */
  readonly sources?: string
  /** Told how to clean up; by default the test that is running does so when it ends, however it ends. */
  readonly onEnd?: (cleanUp: () => Promise<void>) => void
}

export const makePlace = async ({
  env,
  copyOf,
  databaseCopyOf,
  nodeFlags,
  sources,
  onEnd = onTestFinished,
}: PlaceOptions = {}): Promise<Place> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sallyport-e2e-'))
  const started: ServiceProcess[] = []
  let isOver = false
  onEnd(async () => {
    isOver = true
    for (const service of started) await service.kill()
    rmSync(dataDir, { recursive: true, force: true })
  })
  if (copyOf) cpSync(copyOf, dataDir, { recursive: true })
  if (databaseCopyOf) cpSync(databaseCopyOf, join(dataDir, 'database'), { recursive: true })
  const port = await freePort()
  const { PATH, HOME, XDG_CACHE_HOME } = process.env
  const usual: Env = {
    PATH,
    HOME,
    XDG_CACHE_HOME,
    ...compileCache,
    ...quiet,
    PORT: String(port),
    DATA_DIR: dataDir,
    ...env,
  }
  const launch = (change: Env = {}): ServiceProcess => {
    // A test that ran out of time goes on by itself, and nobody would end what it starts.
    if (isOver) throw new Error('The test is over')
    const settings = { ...usual, ...change }
    const service = new ServiceProcess(settings.PORT ?? '', settings, { nodeFlags, sources })
    started.push(service)
    return service
  }
  const start = async (change?: Env): Promise<ServiceProcess> => {
    const service = launch(change)
    await service.untilReady()
    return service
  }
  return { dataDir, port, env: usual, launch, start }
}
