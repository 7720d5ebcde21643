import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupConfig } from '../../../config-backup.ts'
import { BackupProblem } from '../problem.ts'
import type { Cluster } from './pgbackrest-conf.ts'

const debianRoot = '/var/lib/postgresql'

/** Debian's main cluster of the newest version that has one. */
const usualFolder = (): string | undefined => {
  const versions = existsSync(debianRoot) ? readdirSync(debianRoot).filter((name) => /^\d+$/.test(name)) : []
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debianRoot, version, 'main'))
  return folders.find((folder) => existsSync(folder))
}

/** Where a cluster of this version is, or is to be. */
export const clusterFolder = ({ postgresDir }: BackupConfig, version?: string): string => {
  const folder = postgresDir ?? (version ? join(debianRoot, version, 'main') : usualFolder())
  if (folder) return folder
  throw new BackupProblem(
    'PostgreSQL’s folder is not found on this machine. Backups are made where PostgreSQL runs; set BACKUP_POSTGRES_DIR to its data_directory.',
  )
}

/** What a running PostgreSQL says of itself: process, folder, start, port, sockets. */
const runningLines = (folder: string): string[] | undefined => {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
}

export const isRunning = (folder: string): boolean => {
  const pid = Number(runningLines(folder)?.[0])
  return pid > 0 && existsSync(`/proc/${pid}`)
}

export const clusterIn = (folder: string, user: string): Cluster => {
  const [, , , port, socketDirectory] = runningLines(folder) ?? []
  return {
    dataDirectory: folder,
    port: Number(port) || 5432,
    socketDirectory: socketDirectory || '/var/run/postgresql',
    user,
  }
}
