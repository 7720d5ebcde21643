import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { type BackupConfig, nameOfRepository, type Repository } from '../../../config-backup.ts'
import { writeFileAtomically } from '../../files.ts'
import { ownerOf, type RunAs } from '../owner.ts'
import { readPassphrase } from '../passphrase.ts'
import { BackupProblem, explainFile, isFull, noSpace } from '../problem.ts'
import { type Outcome, runProgram } from '../run-program.ts'
import { clusterFolder, clusterIn } from './cluster.ts'
import { type Cluster, confPath, pgbackrestConf, stanza } from './pgbackrest-conf.ts'

/** What pgBackRest is asked, and what it means when it says no. */

export interface Rest {
  readonly conf: string
  readonly as: RunAs
  readonly cluster: Cluster
  readonly repository: Repository
  readonly passphrase: string
}

export const demandRepository = ({ repository }: BackupConfig): Repository => {
  if (repository) return repository
  throw new BackupProblem(
    'BACKUP_REPOSITORY is not set: say where backups go, like /var/backups/sallyport on another disk than the database.',
  )
}

const refuseOldSftp = async (repository: Repository, as: RunAs): Promise<void> => {
  if (repository.kind !== 'sftp') return
  const { output } = await runProgram('pgbackrest', ['version'], as)
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output) ?? []).slice(1).map(Number)
  if (major > 2 || (major === 2 && minor >= 46)) return
  throw new BackupProblem(
    'BACKUP_REPOSITORY: sftp takes pgBackRest 2.46 or later; this machine has an earlier one.',
  )
}

/** Its settings are written anew each time, so that they are those of this moment. A note is kept with the next backup. */
export const prepareRest = async (
  backup: BackupConfig,
  folder = clusterFolder(backup),
  note?: (passphrase: string) => Promise<string>,
): Promise<Rest> => {
  const repository = demandRepository(backup)
  const passphrase = readPassphrase(backup.keyFile)
  const as = ownerOf(folder, backup.postgresUser)
  await refuseOldSftp(repository, as)
  const cluster = clusterIn(folder, backup.postgresUser)
  const conf = confPath(backup)
  const text = pgbackrestConf(
    { repository, keepDays: backup.keepDays, passphrase },
    cluster,
    await note?.(passphrase),
  )
  try {
    writeFileAtomically(conf, text, as)
  } catch (error) {
    throw explainFile(error, conf)
  }
  return { conf, as, cluster, repository, passphrase }
}

/** For the first backup only: a folder that has gone is a disk that is not mounted. */
export const makeFolder = ({ repository, as }: Rest): void => {
  if (repository.kind !== 'folder' || existsSync(repository.path)) return
  mkdirSync(repository.path, { recursive: true, mode: 0o750 })
  if (as.uid !== undefined && as.gid !== undefined) chownSync(repository.path, as.uid, as.gid)
}

const meanings: readonly [RegExp, (name: string) => string][] = [
  [
    /CryptoError|cipher header invalid|unable to flush|bad decrypt|\[FormatError\]|\[095\]|\[029\]/,
    () => 'The passphrase of BACKUP_KEY_FILE does not open the repository, or the repository is damaged.',
  ],
  [
    /No space left|\[ENOSPC\]|\(28\)/i,
    (name) => `There is no space left at ${name}: make room, and try again.`,
  ],
  [
    /archive_mode must be enabled|archive_command .* must contain/,
    () =>
      'PostgreSQL does not archive its log yet: put the lines of sallyport backup configure into its settings and restart it.',
  ],
  [
    /WAL segment .* was not archived/,
    () => 'PostgreSQL did not hand its log on within a minute. Its own log says why archive_command fails.',
  ],
  [
    /unable to find primary cluster|could not connect to server|connection to server/,
    () => 'PostgreSQL does not answer on this machine. Is it running?',
  ],
  [
    /unable to (list|open) .*missing|unable to load info file|does not exist in the repository|missing stanza/,
    (name) => `There is no backup at ${name}. Is it the right place, and is it mounted?`,
  ],
  [
    /HostConnectError|unable to get address|timeout connecting|\[049\]|\[061\]/,
    (name) => `${name} cannot be reached at the moment.`,
  ],
  [
    /unable to acquire lock|another pgBackRest process/i,
    () => 'Another backup or restore is at work: wait for its end.',
  ],
]

export const explainRest = (
  { repository }: Pick<Rest, 'repository'>,
  { errors, output }: Outcome,
): BackupProblem => {
  const said = `${errors}\n${output}`
  const name = nameOfRepository(repository)
  const known = meanings.find(([pattern]) => pattern.test(said))
  const last = said.split('\n').filter((line) => /ERROR|FATAL|WARN/.test(line))
  const plain = (last[0] ?? said).replaceAll(/[^\x20-\x7e]+/g, ' ')
  const detail = plain
    .trim()
    .replace(/^.*?(ERROR|WARN): /, '')
    .slice(0, 200)
  return new BackupProblem(known ? `${known[1](name)} (pgBackRest: ${detail})` : `pgBackRest says: ${detail}`)
}

/** What puts something into the repository. */
const writing = new Set(['stanza-create', 'backup'])

export const askRest = async (rest: Rest, command: string, ...options: string[]): Promise<string> => {
  const args = [`--config=${rest.conf}`, `--stanza=${stanza}`, ...options, command]
  const outcome = await runProgram('pgbackrest', args, rest.as)
  if (outcome.code !== 0) {
    const { repository } = rest
    if (writing.has(command) && repository.kind === 'folder' && isFull(repository.path))
      throw noSpace(repository.path)
    throw explainRest(rest, outcome)
  }
  return outcome.output
}

/** One backup as pgBackRest knows it. */
export interface KnownBackup {
  readonly label: string
  readonly type: 'full' | 'diff' | 'incr'
  readonly timestamp: { readonly start: number; readonly stop: number }
  readonly info: {
    readonly size: number
    readonly repository: { readonly delta?: number; readonly size?: number }
  }
  readonly error?: boolean
  readonly annotation?: Readonly<Record<string, string>>
}

export interface Known {
  readonly backups: readonly KnownBackup[]
  /** PostgreSQL's major version. */
  readonly version: string | undefined
}

interface StanzaInfo {
  readonly name: string
  readonly status: { readonly code: number; readonly message: string }
  readonly backup?: readonly KnownBackup[]
  readonly db?: readonly { readonly version: string }[]
}

/** Of a stanza that nobody made yet: nothing. */
const notThere = new Set([1, 2])

/** What it could not read it quotes, with whatever bytes were there. */
const readInfo = (output: string): StanzaInfo[] =>
  JSON.parse(output.replaceAll(/[^\x20-\x7e]+/g, ' ')) as StanzaInfo[]

export const listKnown = async (rest: Rest): Promise<Known> => {
  const { repository } = rest
  if (repository.kind === 'folder' && !existsSync(repository.path)) {
    throw new BackupProblem(`BACKUP_REPOSITORY: ${repository.path} is not there. Is the disk mounted?`)
  }
  const [found] = readInfo(await askRest(rest, 'info', '--output=json'))
  if (!found) return { backups: [], version: undefined }
  const { code, message } = found.status
  if (code !== 0 && !notThere.has(code)) {
    throw explainRest(rest, { code: 1, output: '', errors: JSON.stringify(found).slice(0, 2000) || message })
  }
  return { backups: found.backup ?? [], version: found.db?.at(-1)?.version }
}
