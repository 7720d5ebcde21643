import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { EngineHealth } from '@sallyport/contract/agent/agent'
import { removeFile } from '../common/files.ts'
import type { Served } from '../common/reconcile.ts'
import { socketOf } from '../engines/amneziawg/amneziawg-process.ts'
import type { TunnelSpec } from '../engines/amneziawg/tunnel-plan.ts'
import { callUapi, deviceLines, setRequest } from '../engines/amneziawg/uapi.ts'
import type { EngineTraffic, Trouble } from '../engines/common/engine.ts'
import type { HostAnswer, HostRequest } from './amneziawg-host.ts'
import { until } from './fixtures.ts'

const run = promisify(execFile)
export const ip = (...args: string[]) => run('ip', args)

/** A handshake that gets lost is tried again after 5 seconds. */
const patienceMs = 8000

export interface KeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

const toBase64 = (text = ''): string => Buffer.from(text, 'base64url').toString('base64')
const toHex = (text: string): string => Buffer.from(text, 'base64').toString('hex')

/** Both in Base64. */
export const keyPair = (): KeyPair => {
  const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  return { privateKey: toBase64(d), publicKey: toBase64(x) }
}
export const presharedKey = (): string => randomBytes(32).toString('base64')

/** Two namespaces joined by a cable, each end with its address. */
export const join = async (left: string, leftAddress: string, right: string, rightAddress: string) => {
  const [near, far] = [`to${rightAddress.split('.')[2]}`, `to${leftAddress.split('.')[2]}x`]
  await ip('link', 'add', near, 'netns', left, 'type', 'veth', 'peer', 'name', far, 'netns', right)
  for (const [space, name, address] of [
    [left, near, leftAddress],
    [right, far, rightAddress],
  ] as const) {
    await ip('-n', space, 'address', 'add', `${address}/24`, 'dev', name)
    await ip('-n', space, 'link', 'set', name, 'up')
    await ip('-n', space, 'link', 'set', 'lo', 'up')
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The engine in another namespace, with the methods that the tests call. */
export class EngineHost {
  readonly #child: ChildProcess
  #number = 0

  constructor(space: string, prefix: readonly string[], args: readonly string[]) {
    this.#child = fork(new URL('amneziawg-host.ts', import.meta.url).pathname, args, {
      execPath: 'ip',
      execArgv: ['netns', 'exec', space, ...prefix, process.execPath],
    })
    this.#child.setMaxListeners(0)
  }

  apply = (state: Served) => this.#ask<Trouble[]>('apply', state)
  health = () => this.#ask<EngineHealth>('health')
  traffic = () => this.#ask<EngineTraffic[]>('traffic')
  pids = () => this.#ask<Record<string, number>>('pids')
  stop = () => this.#ask<void>('stop')

  /** As a power cut would: the engine's own programs stay behind. */
  kill = () => end(this.#child)

  #ask<T>(method: HostRequest['method'], state?: Served): Promise<T> {
    this.#number += 1
    const number = this.#number
    return new Promise((resolve, reject) => {
      const listen = (answer: HostAnswer): void => {
        if (answer.number !== number) return
        this.#child.off('message', listen)
        if (answer.error !== undefined) reject(new Error(answer.error))
        else resolve(answer.result as T)
      }
      this.#child.on('message', listen)
      this.#child.send({ number, method, ...(state ? { state } : {}) } satisfies HostRequest)
    })
  }
}

export interface ClientConfig {
  readonly keys: KeyPair
  readonly presharedKey: string
  readonly serverKey: string
  readonly endpoint: string
  readonly parameters: TunnelSpec['parameters']
}

/** A customer's device: a real amneziawg-go in a namespace of its own. */
export class TunnelClient {
  readonly #space: string
  readonly #name: string
  readonly #children: ChildProcess[] = []

  constructor(space: string, name: string) {
    this.#space = space
    this.#name = name
  }

  async start(binary: string, address: string, routes: readonly string[], config: ClientConfig) {
    const command = ['netns', 'exec', this.#space, binary, '-f', this.#name]
    this.#children.push(
      spawn('ip', command, { stdio: 'ignore', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } }),
    )
    await until(() =>
      this.configure(config).then(
        () => true,
        () => false,
      ),
    )
    await ip('-n', this.#space, 'address', 'add', `${address}/32`, 'dev', this.#name)
    await ip('-n', this.#space, 'link', 'set', this.#name, 'up', 'mtu', '1280')
    for (const route of routes) await ip('-n', this.#space, 'route', 'add', route, 'dev', this.#name)
  }

  /** Forgets any session and begins anew. */
  async configure({ keys, presharedKey, serverKey, endpoint, parameters }: ClientConfig): Promise<void> {
    const device = { privateKey: toHex(keys.privateKey), port: 0, parameters } as TunnelSpec
    const peer = [`public_key=${toHex(serverKey)}`, `preshared_key=${toHex(presharedKey)}`]
    const lines = [
      ...deviceLines(device),
      'replace_peers=true',
      ...peer,
      `endpoint=${endpoint}`,
      'allowed_ip=0.0.0.0/0',
    ]
    await callUapi(socketOf(this.#name), setRequest(lines))
  }

  /** A TCP connection out of this namespace. */
  open(host: string, port: number): Connection {
    const script = `exec 3<>/dev/tcp/${host}/${port} || exit 1; cat <&3 & exec cat >&3`
    const child = spawn('ip', ['netns', 'exec', this.#space, 'bash', '-c', script], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
    this.#children.push(child)
    return new Connection(child)
  }

  /** Whether the echo server at this address answers within the time. */
  async reaches(host: string, port: number, withinMs = patienceMs): Promise<boolean> {
    const connection = this.open(host, port)
    const isReached = await until(() => connection.received !== '', withinMs).then(
      () => true,
      () => false,
    )
    connection.close()
    return isReached
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.map(end))
    await removeFile(socketOf(this.#name))
  }
}

export class Connection {
  received = ''
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdin?.on('error', () => {})
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.received += text
    })
  }

  /** Whether what is sent now comes back. */
  async echoes(text: string, withinMs = patienceMs): Promise<boolean> {
    this.#child.stdin?.write(`${text}\n`)
    return until(() => this.received.includes(text), withinMs).then(
      () => true,
      () => false,
    )
  }

  close(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
