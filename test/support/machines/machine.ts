import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineNetwork } from './network.ts'
import { boot, keep } from './programs.ts'
import { writeSeed } from './seed.ts'
import { machineTree } from './tree.ts'

export interface MachineOptions {
  readonly name: string
  readonly userData: string
  readonly hostname?: string
  readonly network: MachineNetwork
  /** Another release of Debian than this machine's own, or one of Ubuntu. */
  readonly release?: string | undefined
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ExecOptions {
  readonly input?: string
  readonly timeoutMs?: number
}

/** What nspawn says of a machine that wants to be started again. */
const rebootCode = 133
const bootMs = 120_000

/** A whole Debian with systemd and cloud-init: its own disk, processes and network; the kernel is this machine's. */
export class Machine {
  readonly name: string
  readonly address: string
  readonly #namespace: string
  readonly #directory: string
  readonly #tag: string
  readonly #keeper: ChildProcess
  #process: ChildProcess | null = null
  #boots = 0
  #console = ''

  private constructor({ name, network }: MachineOptions, tree: string) {
    this.name = name
    this.address = network.address
    this.#namespace = network.namespace
    this.#tag = `spm-${process.pid}-${randomBytes(3).toString('hex')}`
    this.#directory = mkdtempSync(join(tmpdir(), 'sallyport-machine-'))
    for (const folder of ['upper', 'work', 'root']) mkdirSync(join(this.#directory, folder))
    // It outlives this process by as long as the removal takes, however this process ends.
    this.#keeper = spawn('/bin/sh', ['-c', keep, 'keeper', this.#tag, this.#directory, tree], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: '/',
      detached: true,
    })
    this.#keeper.unref()
  }

  static async boot(options: MachineOptions): Promise<Machine> {
    const machine = new Machine(options, await machineTree(options.release))
    try {
      await once(machine.#keeper.stdout as NodeJS.ReadableStream, 'data')
      const { name, hostname = name, userData, network } = options
      writeSeed(machine.#root, { hostname, userData, resolvers: network.resolvers ?? [] })
      await machine.powerOn()
    } catch (error) {
      await machine.destroy()
      throw error
    }
    return machine
  }

  get isOn(): boolean {
    return this.#process !== null
  }

  /** How often it was started so far. */
  get boots(): number {
    return this.#boots
  }

  /** Runs a line of shell on the machine, as root. */
  async exec(command: string, { input = '', timeoutMs = 60_000 }: ExecOptions = {}): Promise<Outcome> {
    const leader = this.#leader()
    if (leader === null) throw new Error(`${this.name} is off`)
    const within = ['-t', leader, '-m', '-u', '-i', '-n', '-p', '-r', '-w', '--']
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    const args = [...within, '/usr/bin/env', '-i', path, 'HOME=/root', '/bin/sh', '-c', command]
    const child = spawn('nsenter', args, { timeout: timeoutMs, killSignal: 'SIGKILL' })
    const said = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said.stderr += text
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, ...said }
  }

  /** What a command says that has to succeed. */
  async run(command: string, options: ExecOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.exec(command, options)
    if (code === 0) return stdout
    throw new Error(`${this.name}: ${command} ended with ${code}: ${stdout}${stderr}`)
  }

  /** Waits until cloud-init has done all it was told, and says what that printed. */
  async cloudInit(timeoutMs = 300_000): Promise<string> {
    await this.exec('cloud-init status --wait', { timeoutMs })
    return this.run('cat /var/log/cloud-init-output.log')
  }

  async journal(unit?: string): Promise<string> {
    return this.run(`journalctl --no-pager -b ${unit ? `-u ${unit}` : ''}`)
  }

  /** Starts it, and waits until its systemd answers. */
  async powerOn(): Promise<void> {
    if (this.#process) return
    this.#start()
    await this.#untilUp(1)
  }

  /** As somebody at its keyboard would, and waits until it is up again. */
  async reboot(): Promise<void> {
    const next = this.#boots + 1
    await this.exec('systemctl reboot')
    await this.#untilUp(next)
  }

  /** Waits until it was started so often, and is up. */
  async untilBooted(times: number): Promise<void> {
    await this.#untilUp(times)
  }

  async powerOff(): Promise<void> {
    const running = this.#process
    if (!running) return
    const ended = once(running, 'exit')
    await this.exec('systemctl poweroff').catch(() => {})
    await ended
  }

  /** Takes it away with all it had. */
  async destroy(): Promise<void> {
    this.#process?.removeAllListeners('exit')
    this.#process = null
    if (this.#keeper.exitCode !== null || this.#keeper.signalCode !== null) return
    this.#keeper.ref()
    const ended = once(this.#keeper, 'exit')
    this.#keeper.stdin?.end()
    await ended
  }

  get #root(): string {
    return join(this.#directory, 'root')
  }

  #start(): void {
    this.#boots += 1
    const args = ['-c', boot, 'boot', this.#tag, this.#root, this.#namespace, this.name]
    const child = spawn('/bin/sh', args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.#console += text
      })
    }
    this.#process = child
    child.once('exit', (code) => {
      this.#process = null
      if (code === rebootCode) this.#start()
    })
  }

  /** Its first process, which nspawn has started. */
  #leader(): string | null {
    const pid = this.#process?.pid
    if (pid === undefined) return null
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
      return children.split(' ')[0] || null
    } catch {
      return null
    }
  }

  async #untilUp(boots: number): Promise<void> {
    const deadline = Date.now() + bootMs
    // Between two looks what it is started by may be gone, and the machine itself not there yet.
    const isUp = async () => {
      if (this.#boots < boots) return false
      const answer = await this.exec('systemctl is-active -q sysinit.target').catch(() => undefined)
      return answer?.code === 0
    }
    while (!(await isUp())) {
      if (Date.now() > deadline || (!this.#process && this.#boots >= boots))
        throw new Error(`${this.name} does not come up: ${this.#console.slice(-2000)}`)
      await sleep(200)
    }
  }
}

export const bootMachine = (options: MachineOptions): Promise<Machine> => Machine.boot(options)
