import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from './files.ts'

/** What the last backup came to, for whoever watches over them. It holds no secrets. */
export interface BackupStatus {
  /** Unix seconds. */
  readonly finished_at: number
  readonly kind: 'full' | 'diff' | 'incr' | 'embedded'
  readonly ok: boolean
  /** What it took in the repository; 0 when it failed. */
  readonly bytes: number
  /** Where it went, without credentials. */
  readonly repository: string
  /** Why it failed. */
  readonly problem?: string
  /** Of the last one that succeeded: this one's own time when it did. */
  readonly succeeded_at: number | null
}

const kinds: readonly unknown[] = ['full', 'diff', 'incr', 'embedded'] satisfies BackupStatus['kind'][]

export const backupStatusPath = (dataDir: string): string => join(dataDir, 'backup-status.json')

const isStatus = (value: unknown): value is BackupStatus => {
  const { finished_at, kind, ok, bytes, repository, succeeded_at } = (value ?? {}) as Partial<BackupStatus>
  if (!Number.isSafeInteger(finished_at) || !Number.isSafeInteger(bytes) || !kinds.includes(kind))
    return false
  if (succeeded_at !== null && !Number.isSafeInteger(succeeded_at)) return false
  return typeof ok === 'boolean' && typeof repository === 'string'
}

/** Undefined where no backup was made yet, or where nobody can read what is written of it. */
export const readBackupStatus = (dataDir: string): BackupStatus | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(backupStatusPath(dataDir), 'utf8'))
    return isStatus(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A failure keeps when the last one succeeded. Backups may be root's, and what came of them is for the service. */
export const writeBackupStatus = (dataDir: string, status: Omit<BackupStatus, 'succeeded_at'>): void => {
  const before = readBackupStatus(dataDir)
  const succeeded_at = status.ok ? status.finished_at : (before?.succeeded_at ?? null)
  const owner = process.getuid?.() === 0 ? statSync(dataDir) : {}
  writeFileAtomically(backupStatusPath(dataDir), `${JSON.stringify({ ...status, succeeded_at })}\n`, owner)
}
