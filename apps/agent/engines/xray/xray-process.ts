import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { sleep } from '../../common/backoff.ts'
import { readJson, removeFile, writeFileAtomically } from '../../common/files.ts'
import { withFreePort } from '../net/ports.ts'
import { LogPipe } from '../process/log-pipe.ts'
import { XrayApi } from './xray-api.ts'

const run = promisify(execFile)
const startTimeoutMs = 15_000
const stopTimeoutMs = 3000

/** Spliced bytes are counted only when a connection ends; without splicing the counters are live. */
const xrayEnvironment = { XRAY_BUF_SPLICE: 'disable' }

export interface XrayFiles {
  readonly config: string
  readonly pid: string
  /** What is being added at the moment. */
  readonly addition: string
  /** Where its log is found while it starts. */
  readonly log: string
}

export const xrayFiles = (directory: string): XrayFiles => ({
  config: join(directory, 'xray.json'),
  pid: join(directory, 'xray.pid'),
  addition: join(directory, 'xray-addition.json'),
  log: join(directory, 'xray-log'),
})

const commandLine = async (pid: number): Promise<string> => {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout
  } catch {
    return ''
  }
}

/** Ends an Xray that an earlier agent left behind: it holds the ports, and nobody reads its log any more. */
export const endLeftover = async (files: XrayFiles): Promise<void> => {
  const recorded = await readJson(files.pid).catch(() => null)
  if (typeof recorded !== 'number') return
  const isOurs = async () => (await commandLine(recorded)).includes(files.config)
  if (await isOurs()) process.kill(recorded, 'SIGKILL')
  for (let tries = 0; tries < 50 && (await isOurs()); tries += 1) await sleep(100)
  await removeFile(files.pid)
}

/** What can be added to a running Xray, in the form of its configuration. */
export type Addition =
  | { readonly inbounds: readonly object[] }
  | { readonly outbounds: readonly object[] }
  | { readonly routing: { readonly rules: readonly object[] } }

export interface StartOptions {
  readonly binary: string
  readonly files: XrayFiles
  readonly configFor: (apiPort: number) => object
  readonly onLine: (line: string) => void
}

export interface XrayExit {
  /** Why it ended, in words fit for a report. */
  readonly reason: string
}

/** One run of Xray, from spawn to exit. */
export class XrayProcess {
  readonly api: XrayApi
  readonly exited: Promise<XrayExit>
  readonly #binary: string
  readonly #files: XrayFiles
  readonly #child: ChildProcess
  readonly #apiPort: number
  readonly #log: LogPipe | null
  #lastFailure = ''

  private constructor({ binary, files, onLine }: StartOptions, apiPort: number, log: LogPipe | null) {
    this.#binary = binary
    this.#files = files
    this.#apiPort = apiPort
    this.#child = spawn(binary, ['run', '-c', files.config], {
      env: xrayEnvironment,
      stdio: ['ignore', log?.writer ?? 'pipe', 'pipe'],
    })
    log?.follow((line) => this.#read(line, onLine))
    this.#log = log
    this.api = new XrayApi(apiPort)
    const killWithAgent = () => this.#child.kill('SIGKILL')
    process.once('exit', killWithAgent)
    this.exited = this.#waitForExit().finally(() => process.off('exit', killWithAgent))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#read(line, onLine))
    }
  }

  /** Writes the configuration, starts Xray and waits until its API answers. */
  static start(options: StartOptions): Promise<XrayProcess> {
    return withFreePort((apiPort) => XrayProcess.#startWith(options, apiPort))
  }

  static async #startWith(options: StartOptions, apiPort: number): Promise<XrayProcess> {
    const { files, configFor } = options
    await writeFileAtomically(files.config, JSON.stringify(configFor(apiPort)))
    const xray = new XrayProcess(options, apiPort, await LogPipe.open(files.log))
    if (xray.#child.pid !== undefined) await writeFileAtomically(files.pid, String(xray.#child.pid))
    const outcome = await Promise.race([
      xray.api.waitUntilReady(startTimeoutMs).catch(() => ({ reason: 'its API did not answer' })),
      xray.exited,
    ])
    if (outcome === undefined) return xray
    await xray.stop()
    throw new Error(`Xray did not start: ${outcome.reason}`)
  }

  get apiPort(): number {
    return this.#apiPort
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Through `xray api`, because these are pages of nested protobuf and Xray translates JSON itself. */
  async add(what: Addition): Promise<void> {
    const [command, ...flags] =
      'inbounds' in what ? ['adi'] : 'outbounds' in what ? ['ado'] : ['adrules', '-append']
    const server = `--server=127.0.0.1:${this.#apiPort}`
    await writeFileAtomically(this.#files.addition, JSON.stringify(what))
    try {
      const args = ['api', command as string, server, ...flags, this.#files.addition]
      await run(this.#binary, args, { timeout: 10_000 })
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string }
      throw new Error(/^failed.*$/m.exec(stderr)?.[0] ?? `xray api ${command} failed`)
    } finally {
      await removeFile(this.#files.addition)
    }
  }

  async stop(): Promise<void> {
    this.api.close()
    this.#child.kill('SIGTERM')
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), stopTimeoutMs)
    await this.exited
    clearTimeout(killer)
  }

  #read(line: string, onLine: (line: string) => void): void {
    // Other lines may name customers' addresses and targets, so only these are ever kept for a report.
    if (/^(Failed to start|panic:|fatal error:)/.test(line)) this.#lastFailure = line
    else onLine(line)
  }

  async #waitForExit(): Promise<XrayExit> {
    const reason = await new Promise<string>((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('close', (code, signal) =>
        resolve(signal ? `killed by ${signal}` : `exit code ${code}`),
      )
    })
    this.#log?.end()
    return { reason: this.#lastFailure === '' ? reason : `${reason}: ${this.#lastFailure}` }
  }
}
