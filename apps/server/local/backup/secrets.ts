import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PlaceConfig } from '../../config.ts'
import { BackupProblem } from './problem.ts'
import { sealBytes, unsealBytes } from './sealed-stream.ts'

/** What a machine needs besides its database: the secret key, and the operator's settings where they are a file. */
export interface Secrets {
  readonly made_at: number
  readonly secret_key: string
  /** Files beside the passphrase, by their names. */
  readonly files: Readonly<Record<string, string>>
}

export const settingsFile = 'sallyport.env'

/** Beside the passphrase: on an installed machine that is /etc/sallyport. */
export const besideKey = ({ backup }: Pick<PlaceConfig, 'backup'>, name: string): string =>
  join(dirname(backup.keyFile), name)

export const collectSecrets = (place: PlaceConfig, secretKey: Buffer, now: number): Secrets => {
  const settings = besideKey(place, settingsFile)
  return {
    made_at: now,
    secret_key: secretKey.toString('base64'),
    files: existsSync(settings) ? { [settingsFile]: readFileSync(settings, 'utf8') } : {},
  }
}

export const sealSecrets = async (passphrase: string, secrets: Secrets): Promise<string> =>
  (await sealBytes(passphrase, Buffer.from(JSON.stringify(secrets)))).toString('base64url')

export const openSecrets = async (passphrase: string, sealed: string): Promise<Secrets> => {
  const bytes = await unsealBytes(passphrase, Buffer.from(sealed, 'base64url'))
  const secrets = JSON.parse(bytes.toString()) as Partial<Secrets>
  if (typeof secrets.secret_key !== 'string' || Buffer.from(secrets.secret_key, 'base64').length !== 32) {
    throw new BackupProblem('The backup holds no secret key: it was not made by sallyport backup.')
  }
  return { made_at: secrets.made_at ?? 0, secret_key: secrets.secret_key, files: secrets.files ?? {} }
}

/** One setting of a file of settings. */
export const settingIn = (text: string | undefined, name: string): string | undefined => {
  const lines = (text ?? '').split('\n').map((line) => line.trim().replace(/^export\s+/, ''))
  const value = lines.findLast((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)
  return value?.replace(/^(["'])(.*)\1$/, '$2')
}
