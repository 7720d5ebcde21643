import { resolve } from 'node:path'
import { ConfigError, type Env, fail } from './config-values.ts'

/** Where backups go, what they are sealed with and how long they are kept. */

export type Repository =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      readonly path: string
      readonly endpoint: string
      readonly region: string
      /** Whether the bucket is named in the path instead of the host's name. */
      readonly isByPath: boolean
      readonly key: string
      readonly secret: string
    }
  | {
      readonly kind: 'sftp'
      readonly host: string
      readonly port: number
      readonly user: string
      readonly path: string
      readonly privateKeyFile: string
    }

export interface BackupConfig {
  readonly repository: Repository | undefined
  /** The passphrase that the operator keeps elsewhere too. What else belongs to this machine lies beside it. */
  readonly keyFile: string
  readonly keepDays: number
  /** The folder of PostgreSQL's cluster, where it is not the usual one of Debian. */
  readonly postgresDir: string | undefined
  readonly postgresUser: string
}

const example = '/var/backups/sallyport or s3://bucket/prefix?endpoint=s3.example.com&region=eu-1'

/** Written into files of settings as they are. */
const isPlain = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const demand = (env: Env, name: string, why: string): string => {
  const text = env[name]
  if (!text || !isPlain(text)) throw new ConfigError(`${name} is missing: ${why}.`)
  return text
}

const readS3 = (env: Env, url: URL): Repository => {
  const [endpoint, region] = [url.searchParams.get('endpoint'), url.searchParams.get('region')]
  if (!url.hostname || !endpoint || !region || !isPlain(endpoint) || !isPlain(region)) {
    throw new ConfigError(
      `BACKUP_REPOSITORY is not usable: give the endpoint and the region too, like ${example}.`,
    )
  }
  return {
    kind: 's3',
    bucket: url.hostname,
    path: url.pathname === '' ? '/' : url.pathname,
    endpoint,
    region,
    isByPath: url.searchParams.get('style') === 'path',
    key: demand(env, 'BACKUP_S3_KEY', 'the bucket of BACKUP_REPOSITORY is opened with it'),
    secret: demand(env, 'BACKUP_S3_SECRET', 'the bucket of BACKUP_REPOSITORY is opened with it'),
  }
}

const readSftp = (env: Env, url: URL): Repository => {
  if (!url.hostname || !url.username || url.password || url.pathname.length < 2) {
    throw new ConfigError('BACKUP_REPOSITORY is not usable: give sftp://user@host/path, without a password.')
  }
  return {
    kind: 'sftp',
    host: url.hostname,
    port: Number(url.port || 22),
    user: decodeURIComponent(url.username),
    path: url.pathname,
    privateKeyFile: demand(
      env,
      'BACKUP_SFTP_KEY_FILE',
      'the host of BACKUP_REPOSITORY is entered with that private key',
    ),
  }
}

const readRepository = (env: Env): Repository | undefined => {
  const text = env.BACKUP_REPOSITORY
  if (!text) return undefined
  if (text.startsWith('/') || text.startsWith('./')) {
    if (!isPlain(text)) throw new ConfigError('BACKUP_REPOSITORY is not usable: give a path without spaces.')
    return { kind: 'folder', path: resolve(text) }
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 's3:') return readS3(env, url)
  if (url?.protocol === 'sftp:') return readSftp(env, url)
  // Not printed: such an address may carry a password.
  throw new ConfigError(`BACKUP_REPOSITORY is not usable: give ${example}.`)
}

const readDays = (env: Env): number => {
  const text = env.BACKUP_KEEP_DAYS || '28'
  const days = Number(text)
  if (!/^\d{1,4}$/.test(text) || days < 1 || days > 3650)
    fail('BACKUP_KEEP_DAYS', text, 'give a whole number from 1 to 3650.')
  return days
}

const readUser = (env: Env): string => {
  const name = env.BACKUP_POSTGRES_USER || 'postgres'
  if (!/^[\w-]{1,63}$/.test(name)) fail('BACKUP_POSTGRES_USER', name, 'give the name of a role.')
  return name
}

export const readBackup = (env: Env): BackupConfig => ({
  repository: readRepository(env),
  keyFile: resolve(env.BACKUP_KEY_FILE || '/etc/sallyport/backup.key'),
  keepDays: readDays(env),
  postgresDir: env.BACKUP_POSTGRES_DIR ? resolve(env.BACKUP_POSTGRES_DIR) : undefined,
  postgresUser: readUser(env),
})

/** As people and logs may see it. */
export const nameOfRepository = (repository: Repository): string => {
  switch (repository.kind) {
    case 'folder':
      return repository.path
    case 's3':
      return `s3://${repository.bucket}${repository.path}`
    case 'sftp':
      return `sftp://${repository.user}@${repository.host}${repository.path}`
  }
}
