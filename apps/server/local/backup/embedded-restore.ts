import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PlaceConfig } from '../../config.ts'
import { openDatabase } from '../../db/client.ts'
import { lockFolder } from '../../db/embedded.ts'
import { backupStatusPath } from '../backup-status.ts'
import { besides, databaseName, folderOf, listFiles, readSealed, secretsName } from './embedded-backup.ts'
import { readPassphrase } from './passphrase.ts'
import type { RestoreWish } from './postgres/postgres-restore.ts'
import { BackupProblem, explainFile } from './problem.ts'
import { isEmptyFolder, judgeRestored, type RestoreReport } from './restored-place.ts'
import type { Secrets } from './secrets.ts'

const choose = (folder: string, { from, to }: RestoreWish): string => {
  const files = listFiles(folder)
  if (from !== undefined) {
    const named = files.find(({ name }) => name === from)
    if (!named) throw new BackupProblem(`There is no backup ${from}; sallyport backup list names them.`)
    return named.name
  }
  const fitting = files.filter(({ made_at }) => to === undefined || made_at * 1000 <= to.getTime())
  const last = fitting.at(-1)
  if (last) return last.name
  throw new BackupProblem(
    files.length === 0 ? `There is no backup at ${folder}.` : 'Every backup is later than that moment.',
  )
}

/** What was there keeps its files, under another name. */
const takePlace = (staging: string, dataDir: string, secretKey: string, now: number) => {
  const stamp = new Date(now * 1000).toISOString().slice(0, 19).replaceAll(/\D/g, '')
  const aside = join(dataDir, `before-restore-${stamp}`)
  const names = [databaseName, 'secret.key', ...besides]
  writeFileSync(join(staging, 'secret.key'), `${secretKey}\n`, { mode: 0o600 })
  const old = names.filter((name) => existsSync(join(dataDir, name)))
  for (const name of old) {
    mkdirSync(dirname(join(aside, name)), { recursive: true, mode: 0o700 })
    renameSync(join(dataDir, name), join(aside, name))
  }
  // The agent asks for everything anew; what it had counted is of another time.
  rmSync(join(dataDir, 'agent'), { recursive: true, force: true })
  const present = names.filter((name) => existsSync(join(staging, name)))
  for (const name of present) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true, mode: 0o700 })
    renameSync(join(staging, name), join(dataDir, name))
  }
  return { keptAside: old.length > 0 ? aside : null, files: present.map((name) => join(dataDir, name)) }
}

const refuseTaken = (dataDir: string, { isForced }: RestoreWish): void => {
  if (isForced || isEmptyFolder(join(dataDir, databaseName))) return
  throw new BackupProblem(
    `DATA_DIR ${dataDir} has a database. With --force it is put aside, under another name, and the backup takes its place.`,
  )
}

export const restoreEmbedded = async (place: PlaceConfig, wish: RestoreWish): Promise<RestoreReport> => {
  const { dataDir, backup } = place
  const passphrase = readPassphrase(backup.keyFile)
  const folder = folderOf(place)
  const name = choose(folder, wish)
  refuseTaken(dataDir, wish)
  const hold = lockFolder(dataDir)
  const staging = join(dataDir, `restoring-${process.pid}`)
  try {
    mkdirSync(staging, { mode: 0o700 })
    wish.say(`Restoring ${name} to ${dataDir}…`)
    await readSealed(join(folder, name), passphrase, staging).catch((error: unknown) => {
      throw explainFile(
        error,
        (error as NodeJS.ErrnoException).code === 'ENOSPC' ? dataDir : join(folder, name),
      )
    })
    chmodSync(join(staging, databaseName), 0o700)
    const secrets = JSON.parse(readFileSync(join(staging, secretsName), 'utf8')) as Secrets
    wish.say('Checking it…')
    const database = await openDatabase({ dataDir: staging })
    const judged = await judgeRestored(database, Buffer.from(secrets.secret_key, 'base64'), wish).finally(
      database.close,
    )
    const { keptAside, files } = takePlace(staging, dataDir, secrets.secret_key, wish.now)
    rmSync(backupStatusPath(dataDir), { force: true })
    return { ...judged, place: dataDir, kept_aside: keptAside, backup: name, files }
  } finally {
    rmSync(staging, { recursive: true, force: true })
    hold.close()
  }
}
