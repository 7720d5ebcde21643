import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Where the parts of a cluster keep what they keep. */

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root. */
const postgresUser = (): Owner => {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined) throw new Error('There is no user postgres: install postgresql')
  return { uid: Number(uid), gid: Number(gid) }
}

export class Folder {
  readonly path: string
  readonly owner = postgresUser()

  constructor(within: string) {
    mkdirSync(within, { recursive: true })
    this.path = mkdtempSync(join(within, 'sallyport-cluster-'))
    chownSync(this.path, this.owner.uid, this.owner.gid)
  }

  /** A folder of one part, which belongs to the user that runs it. */
  of(part: string): string {
    const path = join(this.path, part)
    mkdirSync(path, { mode: 0o700, recursive: true })
    chownSync(path, this.owner.uid, this.owner.gid)
    return path
  }

  log(part: string): string {
    return join(this.path, `${part}.log`)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
