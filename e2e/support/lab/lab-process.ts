import { type ChildProcess, spawn } from 'node:child_process'

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
}

/** A program that runs in the lab. The lab's keeper ends it when nobody else does. */
export class LabProcess {
  output = ''
  errors = ''
  readonly exited: Promise<number | null>
  readonly #child: ChildProcess
  readonly #command: string

  constructor(command: readonly string[], options: RunOptions) {
    const [program = '', ...args] = command
    const { PATH = '', HOME = '', XDG_CACHE_HOME } = process.env
    this.#command = command.slice(4).join(' ').slice(0, 300)
    this.#child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME, XDG_CACHE_HOME, ...options.env },
    })
    this.#child.stdout?.on('data', (text) => {
      this.output += text
    })
    this.#child.stderr?.on('data', (text) => {
      this.errors += text
    })
    this.exited = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.errors += error.message
        resolve(null)
      })
      this.#child.once('close', (code) => resolve(code))
    })
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Waits until it has said something. */
  async until(said: RegExp, seconds = 20): Promise<void> {
    const deadline = Date.now() + seconds * 1000
    while (!said.test(this.output + this.errors)) {
      if (!this.isRunning) throw new Error(`${this.#command} ended: ${this.output}${this.errors}`)
      if (Date.now() > deadline) throw new Error(`${this.#command} did not say ${said}: ${this.errors}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Its whole output, once it has ended well. */
  async answer(): Promise<string> {
    const code = await this.exited
    if (code !== 0) throw new Error(this.errors.trim() || `${this.#command} ended with ${code}`)
    return this.output
  }

  /** Every whole line it has said so far, read as JSON. */
  lines<T>(): T[] {
    const whole = this.output.slice(0, this.output.lastIndexOf('\n') + 1)
    return whole
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as T)
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    if (this.isRunning) this.#child.kill(signal)
    await this.exited
  }
}
