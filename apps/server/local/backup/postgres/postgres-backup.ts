import type { PlaceConfig } from '../../../config.ts'
import { nameOfRepository } from '../../../config-backup.ts'
import type { BackupStatus } from '../../../ports/backups.ts'
import { readBackupStatus } from '../../backup-status.ts'
import { BackupProblem, isFull, noSpace } from '../problem.ts'
import { collectSecrets, sealSecrets } from '../secrets.ts'
import { clusterFolder } from './cluster.ts'
import {
  askRest,
  type Known,
  type KnownBackup,
  listKnown,
  makeFolder,
  prepareRest,
  type Rest,
} from './pgbackrest.ts'

export type PostgresKind = KnownBackup['type']

const fullEverySeconds = 7 * 86_400 - 3600
const diffEverySeconds = 86_400 - 3600

/** A full one a week, what has changed since then each day, and between these what has changed since the last. */
export const nextKind = (backups: readonly KnownBackup[], hasStatus: boolean, now: number): PostgresKind => {
  const sound = backups.filter(({ error }) => error !== true)
  const ageOf = (types: readonly PostgresKind[]) =>
    now - (sound.findLast(({ type }) => types.includes(type))?.timestamp.stop ?? 0)
  // After a restore the history is another one.
  if (!hasStatus || ageOf(['full']) >= fullEverySeconds) return 'full'
  return ageOf(['full', 'diff']) >= diffEverySeconds ? 'diff' : 'incr'
}

export const sizeOf = ({ info }: KnownBackup): number =>
  info.repository.delta ?? info.repository.size ?? info.size

/** A repository that was there is never begun anew where it is missing now: its disk is away. */
const begin = async (rest: Rest, before: BackupStatus | undefined): Promise<Known> => {
  const name = nameOfRepository(rest.repository)
  const wasThere = before?.repository === name && before.succeeded_at !== null
  if (!wasThere) makeFolder(rest)
  // PostgreSQL's log does not fit either, and would be waited for.
  if (rest.repository.kind === 'folder' && isFull(rest.repository.path)) throw noSpace(name)
  const known = await listKnown(rest)
  if (known.version !== undefined) return known
  if (wasThere) {
    throw new BackupProblem(
      `The backups at ${name} are gone. Is the disk mounted? To begin anew there, delete backup-status.json in DATA_DIR.`,
    )
  }
  await askRest(rest, 'stanza-create')
  return listKnown(rest)
}

export interface MadeBackup {
  readonly kind: BackupStatus['kind']
  readonly label: string
  readonly bytes: number
}

export const backUpPostgres = async (
  place: PlaceConfig,
  secretKey: Buffer,
  { kind, now }: { readonly kind: PostgresKind | undefined; readonly now: number },
): Promise<MadeBackup> => {
  const { backup, dataDir } = place
  const before = readBackupStatus(dataDir)
  const rest = await prepareRest(backup, clusterFolder(backup), (passphrase) =>
    sealSecrets(passphrase, collectSecrets(place, secretKey, now)),
  )
  const known = await begin(rest, before)
  const chosen = kind ?? nextKind(known.backups, before !== undefined, now)
  await askRest(rest, 'backup', `--type=${chosen}`)
  const made = (await listKnown(rest)).backups.at(-1)
  if (!made || made.label === known.backups.at(-1)?.label)
    throw new BackupProblem('pgBackRest made no backup.')
  return { kind: made.type, label: made.label, bytes: sizeOf(made) }
}
