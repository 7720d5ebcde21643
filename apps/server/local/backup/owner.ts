import { existsSync, readFileSync, statSync } from 'node:fs'
import { BackupProblem } from './problem.ts'

/** Whose the files of PostgreSQL are: its programs run as that user, also when this runs as root. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Empty where this process is that user already. */
export type RunAs = Partial<Owner>

const userNamed = (name: string): Owner | undefined => {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const fields = lines.map((line) => line.split(':')).find(([user]) => user === name)
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) }
}

export const ownerOf = (folder: string, postgresUser: string): RunAs => {
  if (process.getuid?.() !== 0) return {}
  if (existsSync(folder)) {
    const { uid, gid } = statSync(folder)
    if (uid !== 0) return { uid, gid }
  }
  const owner = userNamed(postgresUser) ?? userNamed('postgres')
  if (!owner) throw new BackupProblem('There is no user postgres on this machine: install PostgreSQL first.')
  return owner
}
