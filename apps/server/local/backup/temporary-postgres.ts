import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../../db/client.ts'
import type { RunAs } from './owner.ts'
import { BackupProblem } from './problem.ts'

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

export const startTemporaryPostgres = async (options: TemporaryOptions): Promise<TemporaryPostgres> => {
  const { programs, folder, as } = options
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
  const given = Object.entries({ ...settings, ...files }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = spawn(join(programs, 'postgres'), ['-D', folder, ...given], {
    stdio: ['ignore', log, log],
    cwd: home,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...as,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const halt = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
  // Replaying the log takes as long as it takes; it is over when PostgreSQL answers or ends.
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const problem = explainLog(readFileSync(logPath, 'utf8'))
      await halt()
      throw problem
    }
    const database = await openDatabase({ databaseUrl: urlOf(home, options), dataDir: '' })
    const refusal = await database.engine.check().then(
      () => null,
      (error: { code?: string; message: string }) => error,
    )
    if (refusal === null) {
      return {
        database,
        stop: async () => {
          await database.close()
          await halt()
        },
      }
    }
    await database.close()
    if (isFinal(refusal.code)) {
      await halt()
      throw new BackupProblem(`The restored PostgreSQL says: ${refusal.message}`)
    }
    await sleep(100)
  }
}
