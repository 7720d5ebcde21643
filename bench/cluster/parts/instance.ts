import { fileURLToPath } from 'node:url'
import { freePort } from '../../../test/support/ports.ts'
import type { Folder } from './folder.ts'
import { type Exit, Program, statusOf, until } from './program.ts'

/** One of several processes of the service. */

export interface Shared {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly secretKey: string
  readonly publicUrl: string
}

const program = fileURLToPath(new URL('../../../apps/server/cli.ts', import.meta.url))

export class Instance {
  readonly port: number
  readonly program: Program

  private constructor(port: number, started: Program) {
    this.port = port
    this.program = started
  }

  static async make(folder: Folder, shared: Shared, port: number): Promise<Instance> {
    const name = `instance-${port}`
    const env = {
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder.of(name),
      DATABASE_URL: shared.databaseUrl,
      REDIS_URL: shared.redisUrl,
      SECRET_KEY: shared.secretKey,
      PUBLIC_URL: shared.publicUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      SANDBOX_PAYMENTS: 'on',
      METRICS_TOKEN: 'cluster',
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '2',
    }
    const args = [...process.execArgv, program, 'start']
    const log = folder.log(name)
    return new Instance(port, new Program({ name, file: process.execPath, args, env, log }))
  }

  async start(change: Readonly<Record<string, string | undefined>> = {}): Promise<number> {
    this.program.start(change)
    return this.untilReady()
  }

  untilReady(): Promise<number> {
    return until(this.program.name, () => {
      if (!this.program.isRunning)
        throw new Error(`${this.program.name} has ended: ${this.program.log.slice(-2000)}`)
      return this.isReady()
    })
  }

  async isReady(): Promise<boolean> {
    return (await statusOf(`http://127.0.0.1:${this.port}/readyz`)) === 200
  }

  async metrics(): Promise<string> {
    const headers = { authorization: 'Bearer cluster' }
    const answer = await fetch(`http://127.0.0.1:${this.port}/metrics`, {
      headers,
      signal: AbortSignal.timeout(5000),
    })
    return answer.text()
  }

  kill(): Promise<Exit> {
    return this.program.kill()
  }

  stop(): Promise<Exit> {
    return this.program.end('SIGTERM', 45_000)
  }
}

export const portsFor = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()))
