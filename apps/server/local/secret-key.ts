import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { removeLeftovers, writeFileAtomically } from './files.ts'

/** The key outside the database, for the embedded default: made on the first start, readable by its owner only. */
export const loadSecretKey = (dataDir: string): Buffer => {
  const path = join(dataDir, 'secret.key')
  removeLeftovers(path)
  if (!existsSync(path)) {
    if (existsSync(join(dataDir, 'database'))) {
      throw new ConfigError(
        `${path} is missing, but the database beside it was sealed with it. Put the file back, or set SECRET_KEY.`,
      )
    }
    writeFileAtomically(path, `${randomBytes(32).toString('base64')}\n`)
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (key.length !== 32) throw new ConfigError(`${path} is damaged: it must hold 32 bytes in Base64.`)
  return key
}
