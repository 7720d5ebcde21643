import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** The only reader of process.env. A bad value stops the start with a sentence that names it. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly redisUrl: string | undefined
  /** Where customers reach the service, without a trailing slash; by default where it listens. */
  readonly publicUrl: string | undefined
  /** Base64 of 32 bytes; kept in DATA_DIR when the embedded database is used. */
  readonly secretKey: Buffer | undefined
  readonly trustedProxies: readonly string[]
  readonly metricsToken: string | undefined
  readonly logLevel: string
  readonly localAgent: boolean
  /** Where WARP accounts are registered. */
  readonly warpUrl: string
}

export class ConfigError extends Error {}

type Env = Readonly<Record<string, string | undefined>>

const fail = (name: string, value: string, wanted: string): never => {
  throw new ConfigError(`${name}=${value} is not usable: ${wanted}`)
}

const readPort = (env: Env): number => {
  const text = env.PORT || '8080'
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65535)
    fail('PORT', text, 'give a number from 0 to 65535 (0 takes a free one).')
  return port
}

/** The value itself is not printed: such addresses carry passwords. */
const readUrl = (env: Env, name: string, protocols: readonly string[], example: string) => {
  const text = env[name]
  if (!text) return undefined
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} is not usable: give an address like ${example}`)
  }
  return text
}

const readSecretKey = (env: Env): Buffer | undefined => {
  const text = env.SECRET_KEY
  if (!text) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) {
    throw new ConfigError(
      'SECRET_KEY is not usable: give 32 random bytes in Base64 (openssl rand -base64 32).',
    )
  }
  return key
}

const isAddressOrCidr = (text: string): boolean => {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

const readProxies = (env: Env): string[] => {
  const list = (env.TRUSTED_PROXIES ?? '').split(',').map((part) => part.trim())
  const proxies = list.filter((part) => part !== '')
  for (const proxy of proxies) {
    if (!isAddressOrCidr(proxy))
      fail('TRUSTED_PROXIES', proxy, 'give addresses or CIDR ranges, separated by commas.')
  }
  return proxies
}

const readChoice = <T extends string>(env: Env, name: string, choices: readonly T[], usual: T): T => {
  const text = env[name] || usual
  const choice = choices.find((candidate) => candidate === text)
  return choice ?? fail(name, text, `give one of ${choices.join(', ')}.`)
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** What child processes of the service inherit. */
export const inheritedEnvironment = (): Env => process.env

export const readConfig = (env: Env = process.env): Config => {
  const host = env.HOST || '127.0.0.1'
  if (/[\s/]/.test(host)) fail('HOST', host, 'give an address to listen on, like 127.0.0.1 or 0.0.0.0.')
  const port = readPort(env)
  const databaseUrl = readUrl(
    env,
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host/name',
  )
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
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl,
    redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:'], 'redis://host:6379'),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    secretKey,
    trustedProxies: readProxies(env),
    metricsToken: env.METRICS_TOKEN || undefined,
    logLevel: readChoice(env, 'LOG_LEVEL', logLevels, 'info'),
    localAgent,
    warpUrl:
      readUrl(env, 'WARP_URL', ['https:', 'http:'], 'https://api.cloudflareclient.com/v0a4005') ??
      'https://api.cloudflareclient.com/v0a4005',
  }
}
