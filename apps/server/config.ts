import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BackupConfig, readBackup } from './config-backup.ts'
import { type CloudsConfig, readClouds } from './config-clouds.ts'
import { type DatabaseConfig, readDatabase, readDatabaseUrl } from './config-database.ts'
import { type IdentityConfig, readIdentity } from './config-identity.ts'
import { type LoadConfig, readLoad } from './config-load.ts'
import { defaultsFor, type Machine, thisMachine } from './config-machine.ts'
import { type PaymentsConfig, readPayments } from './config-payments.ts'
import { readTraces, type TracesConfig } from './config-traces.ts'
import {
  ConfigError,
  type Env,
  fail,
  readChoice,
  readNetworks,
  readRedisUrl,
  readUrl,
} from './config-values.ts'

/** The only reader of process.env. A bad value stops the start with a sentence that names it. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** What can be made again: outside of the data, and shared by everything of ours on this machine. */
  readonly cacheDir: string
  readonly databaseUrl: string | undefined
  readonly database: DatabaseConfig
  readonly redisUrl: string | undefined
  /** Where customers reach the service, without a trailing slash; by default where it listens. */
  readonly publicUrl: string | undefined
  /** Base64 of 32 bytes; kept in DATA_DIR when the embedded database is used. */
  readonly secretKey: Buffer | undefined
  readonly trustedProxies: readonly string[]
  readonly metricsToken: string | undefined
  readonly logLevel: string
  /** Undefined where nobody collects traces. */
  readonly traces: TracesConfig | undefined
  readonly localAgent: boolean
  readonly load: LoadConfig
  readonly payments: PaymentsConfig
  readonly identity: IdentityConfig
  readonly clouds: CloudsConfig
  readonly backup: BackupConfig
  /** Where WARP accounts are registered. */
  readonly warpUrl: string
  /** Whether events may be sent to this machine without encryption. */
  readonly webhooksToLoopback: boolean
  /** By what an engine of this machine is found. */
  readonly engineSearch: Env
}

export { ConfigError }

const readPort = (env: Env): number => {
  const text = env.PORT || '8080'
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65535)
    fail('PORT', text, 'give a number from 0 to 65535 (0 takes a free one).')
  return port
}

const readKeyFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    return fail('SECRET_KEY_FILE', file, `it cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const readSecretKey = (env: Env): Buffer | undefined => {
  const name = env.SECRET_KEY || !env.SECRET_KEY_FILE ? 'SECRET_KEY' : 'SECRET_KEY_FILE'
  const text = env.SECRET_KEY || (env.SECRET_KEY_FILE && readKeyFile(env.SECRET_KEY_FILE))
  if (text === undefined || (text === '' && name === 'SECRET_KEY')) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) {
    throw new ConfigError(`${name} is not usable: give 32 random bytes in Base64 (openssl rand -base64 32).`)
  }
  return key
}

const readDataDir = (env: Env): string => resolve(env.DATA_DIR || './data')

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** What child processes of the service inherit. */
export const inheritedEnvironment = (): Env => process.env

export const readConfig = (env: Env = process.env, machine: Machine = thisMachine()): Config => {
  const usual = defaultsFor(machine)
  const host = env.HOST || '127.0.0.1'
  if (/[\s/]/.test(host)) fail('HOST', host, 'give an address to listen on, like 127.0.0.1 or 0.0.0.0.')
  const port = readPort(env)
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL')
  const secretKey = readSecretKey(env)
  if (databaseUrl && !secretKey) {
    throw new ConfigError(
      'SECRET_KEY is missing: with DATABASE_URL every instance needs the same 32 random bytes in Base64 (openssl rand -base64 32).',
    )
  }
  const localAgent = readChoice(env, 'LOCAL_AGENT', ['on', 'off'], databaseUrl ? 'off' : 'on') === 'on'
  if (databaseUrl && localAgent) {
    fail(
      'LOCAL_AGENT',
      'on',
      'it belongs to the embedded default. With DATABASE_URL enrol `sallyport agent`.',
    )
  }
  const publicUrl = readUrl(env, 'PUBLIC_URL', ['http:', 'https:'], 'https://vpn.example.com')
  return {
    host,
    port,
    dataDir: readDataDir(env),
    cacheDir: join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sallyport'),
    databaseUrl,
    database: readDatabase(env, usual),
    redisUrl: readRedisUrl(env, 'REDIS_URL'),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    secretKey,
    trustedProxies: readNetworks(env, 'TRUSTED_PROXIES'),
    metricsToken: env.METRICS_TOKEN || undefined,
    logLevel: readChoice(env, 'LOG_LEVEL', logLevels, 'info'),
    traces: readTraces(env),
    localAgent,
    load: readLoad(env, databaseUrl !== undefined, usual),
    payments: readPayments(env, databaseUrl !== undefined),
    identity: readIdentity(env),
    clouds: readClouds(env),
    backup: readBackup(env),
    webhooksToLoopback:
      readChoice(env, 'WEBHOOKS_TO_LOOPBACK', ['on', 'off'], databaseUrl ? 'off' : 'on') === 'on',
    engineSearch: { SALLYPORT_XRAY: env.SALLYPORT_XRAY, PATH: env.PATH, XDG_CACHE_HOME: env.XDG_CACHE_HOME },
    warpUrl:
      readUrl(env, 'WARP_URL', ['https:', 'http:'], 'https://api.cloudflareclient.com/v0a4005') ??
      'https://api.cloudflareclient.com/v0a4005',
  }
}

/** What is known before there is a service: a machine that is restored has its secrets only afterwards. */
export type PlaceConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey' | 'backup'>

export const readPlace = (env: Env = process.env): PlaceConfig => ({
  dataDir: readDataDir(env),
  databaseUrl: readDatabaseUrl(env, 'DATABASE_URL'),
  secretKey: readSecretKey(env),
  backup: readBackup(env),
})
