import { writeFileSync } from 'node:fs'
import { UsageError } from '@sallyport/cli/usage-error'
import { type PlaceConfig, readPlace } from '../config.ts'
import { nameOfRepository } from '../config-backup.ts'
import { backUp, listBackups, type PostgresKind, verifyBackups } from '../local/backup/backups.ts'
import { clusterFolder } from '../local/backup/postgres/cluster.ts'
import { makeFolder, prepareRest } from '../local/backup/postgres/pgbackrest.ts'
import { postgresqlConf } from '../local/backup/postgres/pgbackrest-conf.ts'
import { systemClock } from '../ports/clock.ts'
import { flagsIn, json, writeJson } from './command.ts'

export const help = `sallyport backup [--kind full|diff|incr] [--json]
sallyport backup list [--json]
sallyport backup verify [--json]
sallyport backup configure [--postgresql-conf FILE]

Makes a backup, with the secret key in it, sealed with the passphrase in BACKUP_KEY_FILE. Keep a copy of that file
elsewhere: nothing opens a backup without it. With DATABASE_URL it runs on PostgreSQL's machine, by pgBackRest: a full
backup a week, what has changed since then each day, and the log of every change as it is written. Without, it is one file of the
embedded database, made while the service runs.

--kind     full, what has changed since the last full one (diff) or since any (incr); chosen by itself when not said
list       says which backups there are
verify     reads all of them, and says whether each could be restored
configure  writes pgbackrest.conf beside BACKUP_KEY_FILE, and the lines that PostgreSQL needs into FILE, or says them;
           PostgreSQL has to be restarted then

BACKUP_REPOSITORY is where they go: a folder like /var/backups/sallyport, s3://bucket/prefix?endpoint=…&region=… with
BACKUP_S3_KEY and BACKUP_S3_SECRET, or sftp://user@host/path with BACKUP_SFTP_KEY_FILE. BACKUP_KEEP_DAYS is how long they
stay. docs/operations.md explains all of it.

Examples:
  sallyport backup
  sallyport backup list
  sallyport backup configure --postgresql-conf /etc/postgresql/15/main/conf.d/sallyport-backup.conf`

const kinds: readonly string[] = ['full', 'diff', 'incr'] satisfies PostgresKind[]

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const make = async (place: PlaceConfig, args: string[]): Promise<void> => {
  const given = flagsIn(args, { kind: { type: 'string' }, ...json })
  const kind = given.kind as PostgresKind | undefined
  if (kind !== undefined && !kinds.includes(kind))
    throw new UsageError(`--kind ${kind} is not one of ${kinds.join(', ')}.`)
  if (kind !== undefined && !place.databaseUrl)
    throw new UsageError('--kind is for PostgreSQL: a backup of the embedded database is always whole.')
  const status = await backUp(place, { kind, now: systemClock.now })
  if (given.json) return writeJson(status)
  console.log(
    `Backed up to ${status.repository}: ${status.label} (${status.kind}, ${sizeText(status.bytes)}).`,
  )
}

const list = async (place: PlaceConfig, args: string[]): Promise<void> => {
  const given = flagsIn(args, json)
  const backups = await listBackups(place)
  if (given.json) return writeJson(backups)
  if (backups.length === 0) return console.log('There is no backup yet.')
  for (const { name, kind, finished_at, bytes } of backups) {
    console.log(`${name}  ${kind.padEnd(8)}  ${timeText(finished_at)}  ${sizeText(bytes)}`)
  }
}

const verify = async (place: PlaceConfig, args: string[]): Promise<void> => {
  const given = flagsIn(args, json)
  const found = await verifyBackups(place)
  if (given.json) writeJson(found)
  else for (const { name, problem } of found) console.log(`${name}: ${problem ?? 'in order'}`)
  if (found.some(({ problem }) => problem !== null)) process.exitCode = 1
}

const configure = async (place: PlaceConfig, args: string[]): Promise<void> => {
  const given = flagsIn(args, { 'postgresql-conf': { type: 'string' } })
  if (!place.databaseUrl)
    throw new UsageError(
      'The embedded database needs no configuring: set BACKUP_REPOSITORY and BACKUP_KEY_FILE.',
    )
  const rest = await prepareRest(place.backup, clusterFolder(place.backup))
  makeFolder(rest)
  const lines = postgresqlConf(rest.conf)
  const file = given['postgresql-conf']
  if (file) writeFileSync(file, lines, { mode: 0o644 })
  console.log(`${rest.conf} is written; backups go to ${nameOfRepository(rest.repository)}.`)
  console.log(
    file
      ? `${file} is written. Restart PostgreSQL.`
      : `Put this into PostgreSQL’s settings, and restart it:\n\n${lines}`,
  )
}

const verbs: Readonly<Record<string, typeof make>> = { list, verify, configure }

export const run = (args: string[]): Promise<void> => {
  const [verb = ''] = args
  if (verb === '' || verb.startsWith('-')) return make(readPlace(), args)
  const chosen = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!chosen)
    throw new UsageError(`sallyport backup ${verb} is no command; it has ${Object.keys(verbs).join(', ')}.`)
  return chosen(readPlace(), args.slice(1))
}
