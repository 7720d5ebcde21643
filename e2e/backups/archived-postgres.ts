import { execFile } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresFolder } from '../../test/support/pieces.ts'
import { freePort } from '../../test/support/ports.ts'
import { startTethered, type Tethered } from '../../test/support/tethered.ts'

/** A cluster as an operator has it: its files in a place of their own, durable, and started by whoever starts it. */

interface Owner {
  readonly uid: number
  readonly gid: number
}

const ownerOfPostgres = (): Owner | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const fields = lines.map((line) => line.split(':')).find(([name]) => name === 'postgres')
  if (!fields) throw new Error('There is no user postgres')
  return { uid: Number(fields[2]), gid: Number(fields[3]) }
}

/** A folder that PostgreSQL's user may write to, too. */
export class Machine {
  readonly home: string
  readonly owner = ownerOfPostgres()

  constructor() {
    this.home = mkdtempSync(join(tmpdir(), 'sallyport-machine-'))
    this.give(this.home)
  }

  give(path: string): string {
    if (this.owner) chownSync(path, this.owner.uid, this.owner.gid)
    return path
  }

  folder(name: string): string {
    const path = join(this.home, name)
    mkdirSync(path, { mode: 0o700 })
    return this.give(path)
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

const programs = (): string => postgresFolder() ?? ''

export const initCluster = async (machine: Machine, data: string): Promise<void> => {
  const options = [
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--auth=trust',
    '--no-sync',
    `--pgdata=${data}`,
  ]
  await promisify(execFile)(join(programs(), 'initdb'), options, { cwd: machine.home, ...machine.owner })
  appendFileSync(join(data, 'postgresql.conf'), "include_if_exists = 'sallyport.conf'\n")
}

export class Cluster {
  readonly data: string
  readonly url: string
  readonly #server: Tethered

  private constructor(data: string, url: string, server: Tethered) {
    this.data = data
    this.url = url
    this.#server = server
  }

  /** With the settings in its folder, at a port of its own. */
  static async start(
    machine: Machine,
    data: string,
    port?: number,
    settings: readonly string[] = [],
  ): Promise<Cluster> {
    const at = port ?? (await freePort())
    const run = mkdtempSync(join(machine.home, 'run-'))
    machine.give(run)
    const place = ['-D', data, '-k', run, '-h', '127.0.0.1', '-p', String(at), '-c', 'max_connections=200']
    const command = [join(programs(), 'postgres'), ...place, ...settings.flatMap((one) => ['-c', one])]
    const server = await startTethered(command, { folder: run, signal: 'QUIT', ...machine.owner })
    const cluster = new Cluster(data, `postgres://postgres@127.0.0.1:${at}/postgres`, server)
    await cluster.#untilAnswers(run)
    return cluster
  }

  urlOf(database: string): string {
    return Object.assign(new URL(this.url), { pathname: `/${database}` }).href
  }

  async query(sql: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.urlOf(database) })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  /** kill -9 of all of it, and its files go. */
  async destroy(): Promise<void> {
    this.kill()
    while (existsSync(`/proc/${this.#server.pid}`)) await sleep(10)
    rmSync(this.data, { recursive: true, force: true })
    await this.stop()
  }

  kill(): void {
    process.kill(this.#server.pid, 'SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#server.stop()
  }

  async #untilAnswers(run: string): Promise<void> {
    for (const deadline = Date.now() + 60_000; ; ) {
      try {
        await this.query('select 1')
        return
      } catch (error) {
        if (Date.now() > deadline || !existsSync(`/proc/${this.#server.pid}`)) {
          const log = existsSync(join(run, 'log')) ? readFileSync(join(run, 'log'), 'utf8') : ''
          throw new Error(`PostgreSQL did not start: ${log.slice(-2000)}`, { cause: error })
        }
        await sleep(50)
      }
    }
  }
}
