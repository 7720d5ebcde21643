import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { PlaceConfig } from '../../../config.ts'
import { backupStatusPath } from '../../backup-status.ts'
import { writeFileAtomically } from '../../files.ts'
import { BackupProblem, explainFile, isFull, noSpace } from '../problem.ts'
import { isEmptyFolder, judgeRestored, type RestoreReport } from '../restored-place.ts'
import { besideKey, openSecrets, type Secrets, settingIn, settingsFile } from '../secrets.ts'
import { clusterFolder, isRunning } from './cluster.ts'
import { askRest, type Known, type KnownBackup, listKnown, prepareRest, type Rest } from './pgbackrest.ts'
import { noteName } from './pgbackrest-conf.ts'
import { programsOf, startTemporaryPostgres } from './temporary-postgres.ts'

export interface RestoreWish {
  /** Everything that was archived when not said. */
  readonly to: Date | undefined
  /** The name of one backup. */
  readonly from: string | undefined
  readonly isForced: boolean
  readonly signsEverybodyOut: boolean
  readonly now: number
  readonly say: (line: string) => void
}

const when = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** The last one that is over by then. */
const chooseBackup = ({ backups }: Known, { from, to }: RestoreWish): KnownBackup => {
  const sound = backups.filter(({ error }) => error !== true)
  const [first] = sound
  if (!first) throw new BackupProblem('There is no backup in the repository.')
  const fitting = sound.filter(({ label, timestamp }) =>
    from === undefined ? to === undefined || timestamp.stop * 1000 <= to.getTime() : label === from,
  )
  const chosen = fitting.at(-1)
  if (chosen) return chosen
  throw new BackupProblem(
    from === undefined
      ? `The first backup is of ${when(first.timestamp.stop)} UTC: there is nothing to restore from before.`
      : `There is no backup ${from}; sallyport backup list names them.`,
  )
}

const secretsOf = (rest: Rest, { annotation }: KnownBackup): Promise<Secrets> => {
  const sealed = annotation?.[noteName]
  if (!sealed) throw new BackupProblem('The backup holds no secret key: it was not made by sallyport backup.')
  return openSecrets(rest.passphrase, sealed)
}

const databaseNameOf = (databaseUrl: string | undefined): string => {
  const name = databaseUrl && decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
  if (name) return name
  throw new BackupProblem(
    'DATABASE_URL is not set, and the settings in the backup do not name a database either.',
  )
}

const targetOptions = ({ to }: RestoreWish): string[] => {
  if (to === undefined) return []
  const target = to.toISOString().replace('T', ' ').replace('Z', '+00')
  return ['--type=time', `--target=${target}`, '--target-action=promote']
}

const refuseTaken = (folder: string, { isForced }: RestoreWish): void => {
  if (isRunning(folder)) throw new BackupProblem(`PostgreSQL runs in ${folder}: stop it first.`)
  if (isForced || isEmptyFolder(folder)) return
  throw new BackupProblem(
    `${folder} is not empty. With --force it is put aside, under another name, and the backup takes its place.`,
  )
}

/** What the operator has already stays theirs. */
const writeSecrets = (place: PlaceConfig, secrets: Secrets): string[] => {
  const written: string[] = []
  const write = (name: string, text: string): void => {
    const path = besideKey(place, name)
    if (existsSync(path) && readFileSync(path, 'utf8').trim() === text.trim()) return
    const beside = existsSync(path) ? statSync(path) : undefined
    const target = beside ? `${path}.from-backup` : path
    writeFileAtomically(target, text, beside)
    // It is put into the other's place as it is, and has to be readable for the same.
    if (beside) chmodSync(target, beside.mode & 0o777)
    written.push(target)
  }
  write('secret.key', `${secrets.secret_key}\n`)
  for (const [name, text] of Object.entries(secrets.files)) write(name, text)
  return written
}

const stamp = (now: number): string => when(now).replaceAll(/\D/g, '')

/** From here on it is the database; what was there keeps its files under another name. */
const takePlace = (fresh: string, folder: string, now: number): string | null => {
  const aside = `${folder}.before-restore-${stamp(now)}`
  const hasOld = !isEmptyFolder(folder)
  if (hasOld) renameSync(folder, aside)
  else rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return hasOld ? aside : null
}

const fill = async (rest: Rest, chosen: KnownBackup, fresh: string, wish: RestoreWish): Promise<void> => {
  const { uid, gid } = rest.as
  try {
    mkdirSync(fresh, { mode: 0o700 })
    if (uid !== undefined && gid !== undefined) chownSync(fresh, uid, gid)
  } catch (error) {
    throw explainFile(error, fresh)
  }
  const options = [`--pg1-path=${fresh}`, `--set=${chosen.label}`, ...targetOptions(wish)]
  await askRest(rest, 'restore', ...options).catch((error: unknown) => {
    throw isFull(fresh) ? noSpace(fresh) : error
  })
}

export const restorePostgres = async (place: PlaceConfig, wish: RestoreWish): Promise<RestoreReport> => {
  const { backup, dataDir } = place
  const rest = await prepareRest(backup, backup.postgresDir ?? '/var/lib/postgresql')
  const known = await listKnown(rest)
  const chosen = chooseBackup(known, wish)
  const secrets = await secretsOf(rest, chosen)
  const folder = clusterFolder(backup, known.version)
  const programs = programsOf(known.version as string)
  refuseTaken(folder, wish)
  const fresh = `${folder}.restoring-${process.pid}`
  try {
    wish.say(`Restoring ${chosen.label} to ${folder}…`)
    await fill(rest, chosen, fresh, wish)
    wish.say('Replaying what was archived since, and checking it…')
    const databaseUrl = place.databaseUrl ?? settingIn(secrets.files[settingsFile], 'DATABASE_URL')
    const temporary = await startTemporaryPostgres({
      programs,
      folder: fresh,
      as: rest.as,
      user: backup.postgresUser,
      databaseName: databaseNameOf(databaseUrl),
    })
    const judged = await judgeRestored(
      temporary.database,
      Buffer.from(secrets.secret_key, 'base64'),
      wish,
    ).finally(temporary.stop)
    const keptAside = takePlace(fresh, folder, wish.now)
    await prepareRest(backup, folder)
    rmSync(backupStatusPath(dataDir), { force: true })
    const files = writeSecrets(place, secrets)
    return { ...judged, place: folder, kept_aside: keptAside, backup: chosen.label, files }
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}
