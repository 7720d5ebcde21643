import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupStatus } from '../ports/backups.ts'
import { writeFileAtomically } from './files.ts'

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

/** A failure keeps when the last one succeeded. Backups may be root's work, and the service has to read of them: it owns the folder. */
export const writeBackupStatus = (dataDir: string, status: Omit<BackupStatus, 'succeeded_at'>): void => {
  const before = readBackupStatus(dataDir)
  const succeeded_at = status.ok ? status.finished_at : (before?.succeeded_at ?? null)
  const text = `${JSON.stringify({ ...status, succeeded_at })}\n`
  writeFileAtomically(
    backupStatusPath(dataDir),
    text,
    process.getuid?.() === 0 ? statSync(dataDir) : undefined,
  )
}
