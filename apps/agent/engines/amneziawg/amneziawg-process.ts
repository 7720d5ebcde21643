import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep } from '../../common/backoff.ts'
import { readJson, removeFile, writeFileAtomically } from '../../common/files.ts'
import { Child } from '../process/child.ts'
import { type TunnelNetwork, tryIp } from './tunnel-network.ts'
import { callUapi, type DeviceAnswer, getRequest, parseDevice, setRequest } from './uapi.ts'

const socketDirectory = '/var/run/amneziawg'
const startTimeoutMs = 10_000
const askEveryMs = 20

const failurePattern = /Failed to create TUN device|UAPI listen error|panic:|fatal error:/

const pidFile = (directory: string, name: string): string => join(directory, `${name}.pid`)
export const socketOf = (name: string): string => join(socketDirectory, `${name}.sock`)

const commandLine = (pid: number): Promise<string> => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')

const endRecorded = async (directory: string, name: string): Promise<void> => {
  const pid = await readJson(pidFile(directory, name)).catch(() => null)
  const isOurs = async () => typeof pid === 'number' && (await commandLine(pid)).split('\0').includes(name)
  if (await isOurs()) process.kill(pid as number, 'SIGKILL')
  for (let tries = 0; tries < 250 && (await isOurs()); tries += 1) await sleep(askEveryMs)
  await removeFile(pidFile(directory, name))
}

/** Ends what an earlier agent left behind: it holds ports and addresses, and nobody supervises it. */
export const endLeftovers = async (
  directory: string,
  prefix: string,
  network: TunnelNetwork,
): Promise<void> => {
  const ours = (await readdir(directory)).filter((file) => file.startsWith(prefix) && file.endsWith('.pid'))
  for (const file of ours) await endRecorded(directory, file.slice(0, -'.pid'.length))
  // An engine ends when its interface is taken away.
  const stale = await network.interfaces().catch(() => [])
  await tryIp(stale.map((name) => `link delete dev ${name}`))
  const sockets = await readdir(socketDirectory).catch(() => [])
  for (const file of sockets) if (file.startsWith(prefix)) await removeFile(join(socketDirectory, file))
}

/** One run of amneziawg-go with one interface, from spawn to exit. */
export class AmneziawgProcess {
  readonly bootId = randomUUID()
  readonly #child: Child
  readonly #name: string
  readonly #pidFile: string

  private constructor(binary: string, directory: string, name: string) {
    this.#name = name
    this.#pidFile = pidFile(directory, name)
    const child = spawn(binary, ['-f', name], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = new Child(child, failurePattern)
  }

  /** Starts the engine and waits until it takes requests. */
  static async start(binary: string, directory: string, name: string): Promise<AmneziawgProcess> {
    const started = new AmneziawgProcess(binary, directory, name)
    if (started.pid !== undefined) await writeFileAtomically(started.#pidFile, String(started.pid))
    const failure = await started.waitUntil(() => true)
    if (failure === null) return started
    await started.stop()
    throw new Error(`amneziawg-go did not start: ${failure}`)
  }

  /** Resolves with the reason in words fit for a report. */
  get exited(): Promise<string> {
    return this.#child.exited
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Asks the engine until its answer is as wanted. Returns why it will not be, or null. */
  async waitUntil(isWanted: (answer: DeviceAnswer) => boolean): Promise<string | null> {
    const deadline = performance.now() + startTimeoutMs
    let ending: string | null = null
    void this.exited.then((reason) => {
      ending = reason
    })
    while (performance.now() < deadline && ending === null) {
      const isReady = await this.get().then(isWanted, () => false)
      if (isReady) return null
      await sleep(askEveryMs)
    }
    return ending ?? 'it does not answer'
  }

  async set(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await callUapi(socketOf(this.#name), setRequest(lines))
  }

  async get(): Promise<DeviceAnswer> {
    return parseDevice(await callUapi(socketOf(this.#name), getRequest))
  }

  async stop(): Promise<void> {
    await this.#child.kill()
    await Promise.all([removeFile(this.#pidFile), removeFile(socketOf(this.#name))])
  }
}
