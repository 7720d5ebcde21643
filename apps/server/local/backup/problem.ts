import { statfsSync } from 'node:fs'

/** A backup or a restore that cannot go on, as a sentence that says what to do. */
export class BackupProblem extends Error {}

const fewestFreeBytes = 4 << 20

/** So little is free that whatever failed there failed for that. */
export const isFull = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize < fewestFreeBytes
  } catch {
    return false
  }
}

export const noSpace = (path: string): BackupProblem =>
  new BackupProblem(`There is no space left at ${path}: make room, and try again.`)

const outOfSpace = new Set(['ENOSPC', 'EDQUOT'])

/** What the operating system said of a file, in words. */
export const explainFile = (error: unknown, path: string): BackupProblem => {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (error instanceof BackupProblem) return error
  if (outOfSpace.has(code)) return noSpace(path)
  if (code === 'ENOENT') return new BackupProblem(`${path} is not there. Is the disk mounted?`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupProblem(`${path} may not be read or written by this user (${code}).`)
  return new BackupProblem(`${path}: ${message}`)
}
