import { spawn } from 'node:child_process'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { copyFile, cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { PlaceConfig } from '../../config.ts'
import { type FolderHold, lockFolder } from '../../db/embedded.ts'
import { readBackupStatus } from '../backup-status.ts'
import { loadSecretKey } from '../secret-key.ts'
import { askForCopy, copyFolder } from './door.ts'
import { removeLeftovers } from './leftovers.ts'
import { readPassphrase } from './passphrase.ts'
import { demandRepository } from './postgres/pgbackrest.ts'
import type { MadeBackup } from './postgres/postgres-backup.ts'
import { BackupProblem, explainFile } from './problem.ts'
import { seal, unseal } from './sealed-stream.ts'
import { collectSecrets } from './secrets.ts'

/** The embedded default's backup: one sealed file with everything that is needed to go on elsewhere. */

const suffix = '.sallyport-backup'
/** However old they are, so many stay. */
const fewestKept = 3

/** What is beside the database in it. */
export const secretsName = 'secrets.json'
export const databaseName = 'database'
export const besides = ['credentials.json', join('agent', 'identity.json')]

export const folderOf = ({ backup }: PlaceConfig): string => {
  const repository = demandRepository(backup)
  if (repository.kind === 'folder') return repository.path
  throw new BackupProblem(
    'BACKUP_REPOSITORY: without DATABASE_URL backups go to a folder; have another program carry them from there.',
  )
}

export interface BackupFile {
  readonly name: string
  readonly bytes: number
  readonly made_at: number
}

/** Their names are their times, so they are in order. */
export const listFiles = (folder: string): BackupFile[] => {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(suffix))
    return names.sort().map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name))
      return { name, bytes: size, made_at: Math.floor(mtimeMs / 1000) }
    })
  } catch (error) {
    throw explainFile(error, folder)
  }
}

const nameAt = (now: number): string =>
  `${new Date(now * 1000).toISOString().replaceAll(/[:-]|\.\d+/g, '')}${suffix}`

const holdIfFree = (dataDir: string): FolderHold | undefined => {
  try {
    return lockFolder(dataDir)
  } catch (error) {
    if ((error as Error).message.startsWith('DATA_DIR ')) return undefined
    throw error
  }
}

/** By the service where it runs, and from its files where it does not. */
const copyDatabase = async (dataDir: string, target: string): Promise<void> => {
  const database = join(dataDir, databaseName)
  if (!existsSync(database))
    throw new BackupProblem(`DATA_DIR ${dataDir} has no database: there is nothing to back up.`)
  const hold = holdIfFree(dataDir)
  try {
    if (hold) await cp(database, target, { recursive: true })
    else await askForCopy(dataDir, target)
  } finally {
    hold?.close()
  }
}

const tar = (args: readonly string[], stdio: ['ignore', 'pipe', 'pipe'] | ['pipe', 'ignore', 'pipe']) => {
  const child = spawn('tar', args, { stdio, env: { PATH: '/usr/bin:/bin:/usr/local/bin', LC_ALL: 'C' } })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve()
      const isFull = /No space left|quota exceeded/i.test(said)
      reject(Object.assign(new Error(`tar: ${said.trim().split('\n')[0]}`), isFull && { code: 'ENOSPC' }))
    })
  })
  ended.catch(() => undefined)
  return { child, ended }
}

const bytesOf = async function* (source: AsyncIterable<Uint8Array>) {
  for await (const chunk of source) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

const writeSealed = async (folder: string, path: string, passphrase: string): Promise<void> => {
  const { child, ended } = tar(['-C', folder, '-cf', '-', '.'], ['ignore', 'pipe', 'pipe'])
  if (!child.stdout) throw new Error('tar gives nothing')
  await pipeline(
    child.stdout,
    createZstdCompress(),
    (source: AsyncIterable<Uint8Array>) => seal(passphrase, bytesOf(source)),
    createWriteStream(path, { mode: 0o600, flags: 'wx' }),
  )
  await ended
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** tar may end before the last padding is written to it; what was sealed is read to its end all the same. */
const feed = (into: Writable, ended: Promise<void>) => async (source: AsyncIterable<Uint8Array>) => {
  into.on('error', () => undefined)
  const over = ended.catch(() => undefined)
  try {
    for await (const chunk of source) {
      if (into.destroyed || into.write(chunk)) continue
      const drained = new Promise((resolve) => into.once('drain', resolve))
      await Promise.race([drained, over])
    }
  } finally {
    // A file that cannot be read ends tar too, or it would wait for the rest for ever.
    into.end()
  }
}

/** Into a folder; or, without one, only read to the end. */
export const readSealed = async (
  path: string,
  passphrase: string,
  folder: string | undefined,
): Promise<void> => {
  const args = folder === undefined ? ['-tf', '-'] : ['-C', folder, '-xf', '-', '--no-same-owner']
  const { child, ended } = tar(args, ['pipe', 'ignore', 'pipe'])
  if (!child.stdin) throw new Error('tar takes nothing')
  const fed = pipeline(
    createReadStream(path),
    (source: AsyncIterable<Uint8Array>) => unseal(passphrase, bytesOf(source)),
    createZstdDecompress(),
    feed(child.stdin, ended),
  ).catch((error: unknown) => {
    // tar would wait for the rest for ever.
    child.stdin?.destroy()
    throw error
  })
  const [feeding, reading] = await Promise.allSettled([fed, ended])
  // What was wrong with the file, rather than that what came of it ended too soon; a full disk is tar's to tell.
  const isFull = reading.status === 'rejected' && (reading.reason as NodeJS.ErrnoException).code === 'ENOSPC'
  if (isFull) throw reading.reason
  if (feeding.status === 'rejected') throw feeding.reason
  if (reading.status === 'rejected') throw reading.reason
}

const forgetOld = (folder: string, keepDays: number, now: number): void => {
  const old = listFiles(folder).slice(0, -fewestKept)
  for (const { name, made_at } of old) {
    if (made_at < now - keepDays * 86_400) rmSync(join(folder, name))
  }
}

const prepareFolder = (place: PlaceConfig): string => {
  const folder = folderOf(place)
  const before = readBackupStatus(place.dataDir)
  const wasThere = before?.repository === folder && before.succeeded_at !== null
  if (wasThere && !existsSync(folder))
    throw new BackupProblem(`BACKUP_REPOSITORY: ${folder} is not there. Is the disk mounted?`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw explainFile(error, folder)
  }
  return folder
}

const gather = async (place: PlaceConfig, staging: string, now: number): Promise<void> => {
  const { dataDir, secretKey } = place
  await copyDatabase(dataDir, copyFolder(dataDir))
  mkdirSync(staging, { mode: 0o700 })
  renameSync(copyFolder(dataDir), join(staging, databaseName))
  const secrets = collectSecrets(place, secretKey ?? loadSecretKey(dataDir), now)
  writeFileSync(join(staging, secretsName), JSON.stringify(secrets), { mode: 0o600 })
  for (const name of besides.filter((one) => existsSync(join(dataDir, one)))) {
    mkdirSync(dirname(join(staging, name)), { recursive: true, mode: 0o700 })
    await copyFile(join(dataDir, name), join(staging, name))
  }
}

export const backUpEmbedded = async (place: PlaceConfig, now: number): Promise<MadeBackup> => {
  const { dataDir, backup } = place
  const passphrase = readPassphrase(backup.keyFile)
  const folder = prepareFolder(place)
  if (!existsSync(join(dataDir, databaseName))) {
    throw new BackupProblem(`DATA_DIR ${dataDir} has no database: there is nothing to back up.`)
  }
  const staging = join(dataDir, `backup-${process.pid}`)
  const label = nameAt(now)
  const unfinished = join(folder, `${label}.${process.pid}.unfinished`)
  try {
    removeLeftovers(dataDir, /^(?:database\.copy|backup)-(\d+)$/)
    removeLeftovers(folder, /\.(\d+)\.unfinished$/)
    await gather(place, staging, now).catch((error: unknown) => {
      throw explainFile(error, dataDir)
    })
    await writeSealed(staging, unfinished, passphrase).catch((error: unknown) => {
      throw explainFile(error, folder)
    })
    renameSync(unfinished, join(folder, label))
  } finally {
    for (const path of [staging, copyFolder(dataDir), unfinished])
      rmSync(path, { recursive: true, force: true })
  }
  forgetOld(folder, backup.keepDays, now)
  return { kind: 'embedded', label, bytes: statSync(join(folder, label)).size }
}

/** Reads one to its end, which proves that all of it is there. */
export const verifyFile = (folder: string, name: string, passphrase: string): Promise<void> =>
  readSealed(join(folder, name), passphrase, undefined).catch((error: unknown) => {
    throw explainFile(error, join(folder, name))
  })
