import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../../../db/client.ts'
import type { RunAs } from '../owner.ts'
import { BackupProblem } from '../problem.ts'

/** A cluster that was just restored, run for us alone until it is known to be sound: nobody else can reach it. */

const port = 5432

/** Above whatever the cluster's own settings say. */
const settings = {
  listen_addresses: '',
  port: String(port),
  archive_mode: 'off',
  hot_standby: 'off',
  ssl: 'off',
  shared_preload_libraries: '',
  shared_buffers: '128MB',
  max_connections: '50',
  logging_collector: 'off',
  log_destination: 'stderr',
}

export interface TemporaryPostgres {
  readonly database: Database
  /** Down cleanly, so that it can be started by whoever usually does. */
  stop(): Promise<void>
}

export interface TemporaryOptions {
  /** Where PostgreSQL's programs are. */
  readonly programs: string
  readonly folder: string
  readonly as: RunAs
  readonly user: string
  readonly databaseName: string
}

export const programsOf = (version: string): string => {
  const folder = `/usr/lib/postgresql/${version}/bin`
  if (existsSync(join(folder, 'postgres'))) return folder
  throw new BackupProblem(
    `The backup is of PostgreSQL ${version}, which is not installed here: apt-get install postgresql-${version}`,
  )
}

const explainLog = (log: string): BackupProblem => {
  if (/recovery ended before configured recovery target was reached/.test(log)) {
    return new BackupProblem(
      'What was archived ends before that moment. Leave --to out to get everything that was archived.',
    )
  }
  if (/before consistent recovery point|requested timeline/.test(log)) {
    return new BackupProblem('The backup is later than that moment: name a later one with --to.')
  }
  const last = log.split('\n').findLast((line) => /FATAL|PANIC/.test(line))
  return new BackupProblem(`PostgreSQL did not come up from the backup: ${(last ?? log).trim().slice(-300)}`)
}

/** It speaks, and is not about to start: there is no such database, or no such user. */
const isFinal = (code: string | undefined): boolean => /^(3D|28)/.test(code ?? '')

const urlOf = (sockets: string, { user, databaseName }: TemporaryOptions): string =>
  `postgres://${user}@localhost/${databaseName}?host=${encodeURIComponent(sockets)}&port=${port}`

interface Running {
  readonly sockets: string
  /** Why it ended, once it has. */
  readonly problem: () => BackupProblem | undefined
  halt(): Promise<void>
}

const run = ({ programs, folder, as }: TemporaryOptions): Running => {
  const home = mkdtempSync('/tmp/sallyport-restore-')
  if (as.uid !== undefined && as.gid !== undefined) chownSync(home, as.uid, as.gid)
  const file = (name: string, text: string): string => {
    const path = join(home, name)
    writeFileSync(path, text)
    return path
  }
  const files = {
    config_file: file('postgresql.conf', ''),
    hba_file: file('pg_hba.conf', 'local all all trust\n'),
    ident_file: file('pg_ident.conf', ''),
    unix_socket_directories: home,
  }
  const logPath = join(home, 'log')
  const log = openSync(logPath, 'a')
  const given = Object.entries({ ...settings, ...files }).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(join(programs, 'postgres'), ['-D', folder, ...given], {
    stdio: ['ignore', log, log],
    cwd: home,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...as,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    sockets: home,
    problem: () => (hasEnded() ? explainLog(readFileSync(logPath, 'utf8')) : undefined),
    halt: async () => {
      if (!hasEnded()) child.kill('SIGINT')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** The database once it answers; until then, undefined. What will never answer is a problem. */
const reach = async (url: string): Promise<Database | undefined> => {
  const database = await openDatabase({ databaseUrl: url, dataDir: '' })
  try {
    await database.engine.check()
    return database
  } catch (error) {
    await database.close()
    const { code, message } = error as { code?: string; message: string }
    if (isFinal(code)) throw new BackupProblem(`The restored PostgreSQL says: ${message}`)
    return undefined
  }
}

export const startTemporaryPostgres = async (options: TemporaryOptions): Promise<TemporaryPostgres> => {
  const { sockets, problem, halt } = run(options)
  const answered = async (): Promise<Database> => {
    // Replaying the log takes as long as it takes; it is over when PostgreSQL answers or ends.
    for (;;) {
      const ended = problem()
      if (ended) throw ended
      const database = await reach(urlOf(sockets, options))
      if (database) return database
      await sleep(100)
    }
  }
  try {
    const database = await answered()
    const stop = async (): Promise<void> => {
      await database.close()
      await halt()
    }
    return { database, stop }
  } catch (error) {
    await halt()
    throw error
  }
}
