import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresFolder } from '../pieces.ts'
import { freePort } from '../ports.ts'
import { startTethered, type Tethered } from '../tethered.ts'

export type PostgresServer = { url: string; pid: number; stop: () => Promise<void> }

/** Nothing here has to survive a crash, and some two hundred connections come from parallel test files. */
const settings = {
  max_connections: '200',
  shared_buffers: '128MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '30min',
  jit: 'off',
  timezone: 'UTC',
}

export interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly port?: number
  /** A copy of this one that follows it, instead of a new cluster. */
  readonly standbyOf?: string
}

/** What a server needs for others to follow it. */
export const followed = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' }

/** A private cluster in a folder of its own within this one, or null when PostgreSQL is not on this machine. */
export async function startPostgres(
  within = tmpdir(),
  options: PostgresOptions = {},
): Promise<PostgresServer | null> {
  const programs = postgresFolder()
  if (!programs) return null
  const owner = unprivilegedOwner()
  const folder = await mkdtemp(join(within, 'sallyport-postgres-'))
  const { standbyOf } = options
  const password = standbyOf ? new URL(standbyOf).password : randomBytes(16).toString('hex')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await mkdir(join(folder, 'data'), { mode: 0o700 })
  for (const path of [folder, passwordFile, join(folder, 'data')]) {
    if (owner) await chown(path, owner.uid, owner.gid)
  }
  try {
    if (standbyOf) await copy(programs, folder, standbyOf, owner)
    else await initialise(programs, folder, owner)
    return await listen({ programs, folder, password, owner }, options)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

type Owner = { uid: number; gid: number }

/** PostgreSQL refuses to run as root, so as root it runs as its own user, or as nobody. */
export function unprivilegedOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = ['postgres', 'nobody'].map((name) => users.find((fields) => fields[0] === name)).find(Boolean)
  if (!user) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

async function initialise(programs: string, folder: string, owner: Owner | undefined): Promise<void> {
  const options = ['--no-sync', '--username=postgres', '--encoding=UTF8', '--locale=C', '--auth=password']
  const files = [`--pwfile=${join(folder, 'password')}`, `--pgdata=${join(folder, 'data')}`]
  await promisify(execFile)(join(programs, 'initdb'), [...options, ...files], { cwd: folder, ...owner })
}

/** With what makes it a standby written down, so that it follows when it is started. */
async function copy(programs: string, folder: string, from: string, owner: Owner | undefined): Promise<void> {
  const how = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', `--pgdata=${join(folder, 'data')}`]
  // A link to one of the programs leads to where all of them are.
  const program = join(dirname(realpathSync(join(programs, 'postgres'))), 'pg_basebackup')
  await promisify(execFile)(program, ['--dbname', from, ...how], { cwd: folder, ...owner })
}

interface Cluster {
  readonly programs: string
  readonly folder: string
  readonly password: string
  readonly owner: Owner | undefined
}

async function listen(
  { programs, folder, password, owner }: Cluster,
  options: PostgresOptions,
): Promise<PostgresServer> {
  const port = options.port ?? (await freePort())
  const place = ['-D', join(folder, 'data'), '-k', folder, '-h', '127.0.0.1', '-p', String(port)]
  const tuning = Object.entries({ ...settings, ...options.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const command = [join(programs, 'postgres'), ...place, ...tuning]
  const server = await startTethered(command, { folder, signal: 'QUIT', ...owner })
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  await untilAnswers(url, folder, server)
  return { url, ...server }
}

async function untilAnswers(url: string, folder: string, server: Tethered): Promise<void> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > deadline || !existsSync(`/proc/${server.pid}`)) {
        const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
        await server.stop()
        throw new Error(`PostgreSQL did not start: ${log.slice(-2000)}`, { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
