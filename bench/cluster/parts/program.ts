import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** How one program of the cluster is started. */
export interface Command {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where it writes what it has to say. */
  readonly log: string
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A program that is killed and started again in the same place. It does not outlive this process. */
export class Program {
  readonly #command: Command
  #child: ChildProcess | undefined
  #ended: Promise<Exit> = Promise.resolve({ code: 0, signal: null })

  constructor(command: Command) {
    this.#command = command
  }

  get name(): string {
    return this.#command.name
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get log(): string {
    return readFileSync(this.#command.log, 'utf8')
  }

  start(change: Readonly<Record<string, string | undefined>> = {}): this {
    const { file, args, env = {}, log, owner } = this.#command
    const output = openSync(log, 'a', 0o644)
    const [first = '', ...rest] = ['setpriv', '--pdeathsig', 'KILL', '--', file, ...args]
    const child = spawn(first, rest, {
      env: { PATH: process.env.PATH, ...env, ...change },
      stdio: ['ignore', output, output],
      cwd: '/',
      ...owner,
    })
    this.#ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    this.#child = child
    return this
  }

  /** Sends the signal, and waits until it has ended. */
  async end(signal: NodeJS.Signals, withinMs = 60_000): Promise<Exit> {
    if (this.isRunning) this.#child?.kill(signal)
    // This one and not whichever is started in its place later.
    const child = this.#child
    const ended = this.#ended
    const late = sleep(withinMs, undefined, { ref: false }).then(() => {
      child?.kill('SIGKILL')
      return ended
    })
    return Promise.race([ended, late])
  }

  /** As a machine that lost its power. */
  kill(): Promise<Exit> {
    return this.end('SIGKILL')
  }
}

/** Asks again and again until it is so. */
export const until = async (
  what: string,
  isSo: () => Promise<boolean> | boolean,
  withinSeconds = 60,
): Promise<number> => {
  const beganMs = performance.now()
  for (;;) {
    if (await Promise.resolve(isSo()).catch(() => false)) return (performance.now() - beganMs) / 1000
    if (performance.now() - beganMs > withinSeconds * 1000)
      throw new Error(`${what}: not within ${withinSeconds} s`)
    await sleep(50)
  }
}

export const statusOf = (url: string, method = 'GET'): Promise<number> =>
  fetch(url, { method, signal: AbortSignal.timeout(2000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
