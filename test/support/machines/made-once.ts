import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A folder that takes minutes to make: one process makes it, and whoever else wants it meanwhile waits. */

const run = promisify(execFile)
const busy = 5

/** A lock of the operating system (through SQLite's), which ends with its process however that ends. */
const tryLock = (file: string): DatabaseSync | null => {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== busy) throw error
    return null
  }
}

const lockOf = async (folder: string): Promise<DatabaseSync> => {
  const file = `${folder}.lock`
  for (let tries = 0; ; tries += 1) {
    const lock = tryLock(file)
    if (lock) return lock
    if (tries === 0) console.log(`${basename(folder)} is being made by another process; waiting for it…`)
    await sleep(250)
  }
}

/** What made it may have been killed with the kernel's own file systems mounted inside. */
const remove = async (folder: string): Promise<void> => {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '')
  const inside = mounts.split('\n').flatMap((line) => {
    const at = line.split(' ')[1] ?? ''
    return at.startsWith(`${folder}/`) ? [at] : []
  })
  for (const at of inside.reverse()) await run('umount', ['-l', at])
  await rm(folder, { recursive: true, force: true })
}

const making = '.making-'

/** Made aside, so that a rename makes it true and a half-made one is never used. */
export const madeOnce = async (folder: string, make: (folder: string) => Promise<void>): Promise<string> => {
  if (existsSync(folder)) return folder
  const beside = dirname(folder)
  await mkdir(beside, { recursive: true })
  const lock = await lockOf(folder)
  try {
    if (existsSync(folder)) return folder
    const prefix = `${making}${basename(folder)}-`
    for (const name of await readdir(beside)) if (name.startsWith(prefix)) await remove(join(beside, name))
    const aside = await mkdtemp(join(beside, prefix))
    try {
      await make(join(aside, 'tree'))
      await rename(join(aside, 'tree'), folder)
    } finally {
      await remove(aside)
    }
    return folder
  } finally {
    lock.close()
  }
}
