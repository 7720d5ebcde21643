import { readdirSync } from 'node:fs'
import { isSecretKeyOf } from '../../core/accounts/secret-key.ts'
import { Vault } from '../../core/kernel/vault.ts'
import { type Settled, settleRestored } from '../../core/restoring/after-restore.ts'
import { inspectRestored, type Restored } from '../../core/restoring/inspect.ts'
import type { Database } from '../../db/client.ts'
import { unknownMigrations } from '../../db/migrate.ts'
import { BackupProblem } from './problem.ts'

export interface RestoreReport extends Restored, Settled {
  /** Where the database is now. */
  readonly place: string
  /** What was there before. */
  readonly kept_aside: string | null
  readonly backup: string
  /** What else was written. */
  readonly files: readonly string[]
}

/** Of a folder that is not there: nothing. */
export const isEmptyFolder = (folder: string): boolean => {
  try {
    return readdirSync(folder).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

/** Before it takes anybody's place: it must be one that this release can serve, with this key and exact books. */
export const judgeRestored = async (
  database: Database,
  secretKey: Buffer,
  at: { readonly now: number; readonly signsEverybodyOut: boolean },
): Promise<Restored & Settled> => {
  const unknown = await unknownMigrations(database)
  if (unknown.length > 0) {
    throw new BackupProblem(
      `The backup was made by a newer release (${unknown.join(', ')}): restore with that one.`,
    )
  }
  if (!(await isSecretKeyOf(database.db, new Vault(secretKey)))) {
    throw new BackupProblem('The secret key in the backup is not the one of the database in it.')
  }
  const restored = await inspectRestored(database.db)
  if (restored.ledger.imbalance !== 0) {
    throw new BackupProblem(
      `The books of the backup do not balance: they are off by ${restored.ledger.imbalance}. Nothing was replaced.`,
    )
  }
  return { ...restored, ...(await settleRestored(database.db, at)) }
}
