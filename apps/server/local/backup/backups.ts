import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type PlaceConfig } from '../../config.ts'
import { nameOfRepository } from '../../config-backup.ts'
import type { BackupStatus } from '../../ports/backups.ts'
import { writeBackupStatus } from '../backup-status.ts'
import { backUpEmbedded, folderOf, listFiles, verifyFile } from './embedded-backup.ts'
import { readPassphrase } from './passphrase.ts'
import { clusterFolder } from './postgres/cluster.ts'
import { askRest, demandRepository, listKnown, prepareRest } from './postgres/pgbackrest.ts'
import { backUpPostgres, type MadeBackup, type PostgresKind, sizeOf } from './postgres/postgres-backup.ts'
import { BackupProblem } from './problem.ts'

export type { PostgresKind } from './postgres/postgres-backup.ts'

/** Backups of either database, as whoever runs the service asks for them. */

interface Wish {
  readonly kind: PostgresKind | undefined
  readonly now: () => number
}

const make = (place: PlaceConfig, { kind, now }: Wish): Promise<MadeBackup> => {
  if (!place.databaseUrl) return backUpEmbedded(place, now())
  if (!place.secretKey) throw new ConfigError('SECRET_KEY is missing: it goes into the backup.')
  return backUpPostgres(place, place.secretKey, { kind, now: now() })
}

/** Also of one that failed it is written down, for whoever watches. */
export const backUp = async (
  place: PlaceConfig,
  wish: Wish,
): Promise<Omit<BackupStatus, 'succeeded_at'> & Pick<MadeBackup, 'label'>> => {
  const repository = nameOfRepository(demandRepository(place.backup))
  try {
    const { label, ...made } = await make(place, wish)
    const status = { ...made, finished_at: wish.now(), ok: true, repository }
    writeBackupStatus(place.dataDir, status)
    return { ...status, label }
  } catch (error) {
    const kind = place.databaseUrl ? (wish.kind ?? 'full') : 'embedded'
    const problem =
      error instanceof BackupProblem
        ? error.message
        : 'An unexpected failure; the log of the backup says more.'
    // Where nothing can be written the failure itself still has to be said.
    if (existsSync(place.dataDir)) {
      try {
        writeBackupStatus(place.dataDir, {
          finished_at: wish.now(),
          kind,
          ok: false,
          bytes: 0,
          repository,
          problem,
        })
      } catch {}
    }
    throw error
  }
}

export interface ListedBackup {
  readonly name: string
  readonly kind: BackupStatus['kind']
  readonly finished_at: number
  readonly bytes: number
}

export const listBackups = async (place: PlaceConfig): Promise<ListedBackup[]> => {
  if (!place.databaseUrl) {
    return listFiles(folderOf(place)).map(({ name, bytes, made_at }) => ({
      name,
      kind: 'embedded',
      finished_at: made_at,
      bytes,
    }))
  }
  const { backups } = await listKnown(await prepareRest(place.backup, clusterFolder(place.backup)))
  return backups.map((backup) => ({
    name: backup.label,
    kind: backup.type,
    finished_at: backup.timestamp.stop,
    bytes: sizeOf(backup),
  }))
}

export interface Verified {
  readonly name: string
  readonly problem: string | null
}

/** What pgBackRest says of the whole repository: one line where all is well. */
const verifyPostgres = async (place: PlaceConfig): Promise<Verified[]> => {
  const rest = await prepareRest(place.backup, clusterFolder(place.backup))
  const { backups } = await listKnown(rest)
  if (backups.length === 0) throw new BackupProblem('There is no backup in the repository.')
  const output = await askRest(rest, 'verify', '--output=text', '--verbose')
  const faults = output
    .split('\n')
    .filter((line) => /(invalid|missing|mismatch|other)[^:]*: [1-9]|error/i.test(line))
  return [
    {
      name: nameOfRepository(rest.repository),
      problem: faults.length > 0 ? faults.map((line) => line.trim()).join('; ') : null,
    },
  ]
}

export const verifyBackups = async (place: PlaceConfig): Promise<Verified[]> => {
  if (place.databaseUrl) return verifyPostgres(place)
  const folder = folderOf(place)
  const passphrase = readPassphrase(place.backup.keyFile)
  const found: Verified[] = []
  for (const { name } of listFiles(folder)) {
    const problem = await verifyFile(folder, name, passphrase).then(
      () => null,
      (error: Error) => error.message,
    )
    found.push({ name, problem })
  }
  if (found.length === 0) throw new BackupProblem(`There is no backup at ${join(folder)}.`)
  return found
}
