import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Seed {
  readonly hostname: string
  /** As a cloud would pass it on: a script, or what begins with #cloud-config. */
  readonly userData: string
  readonly resolvers: readonly string[]
}

/** What a cloud gives to a machine of its own: an identity, its name, and what cloud-init finds when it looks for its source. */
export const writeSeed = (root: string, { hostname, userData, resolvers }: Seed): void => {
  const seed = join(root, 'var/lib/cloud/seed/nocloud')
  mkdirSync(seed, { recursive: true })
  const id = randomBytes(16).toString('hex')
  writeFileSync(join(seed, 'meta-data'), `instance-id: ${id}\nlocal-hostname: ${hostname}\n`)
  writeFileSync(join(seed, 'user-data'), userData)
  writeFileSync(join(root, 'etc/machine-id'), `${id}\n`)
  writeFileSync(join(root, 'etc/hostname'), `${hostname}\n`)
  const resolvConf = join(root, 'etc/resolv.conf')
  rmSync(resolvConf, { force: true })
  writeFileSync(resolvConf, resolvers.map((address) => `nameserver ${address}\n`).join(''))
}
