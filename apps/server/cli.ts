import { flushCompileCache } from 'node:module'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { locateEngine } from '@sallyport/agent/engines/common/locate'
import { ask } from '@sallyport/cli/ask'
import { explainFlag } from '@sallyport/cli/input'
import type { LocalCommand } from '@sallyport/cli/local'
import { isLoggedIn } from '@sallyport/cli/login'
import { UsageError } from '@sallyport/cli/usage-error'
import { engineNames } from '@sallyport/contract/agent/agent'
import { ApiError } from '@sallyport/contract/errors'
import { type Role, roles } from '@sallyport/contract/operation'
import { openWithKey, takeKey } from './compose/database.ts'
import { readLocation, setUpService } from './compose/setup.ts'
import { type Config, inheritedEnvironment, readConfig } from './config.ts'
import { makeSignInLink } from './core/operators/links.ts'
import { insertOperatorWithToken } from './core/operators/operators.ts'
import { type Database, inTransaction } from './db/client.ts'
import type { MigrationWait } from './db/migrate.ts'
import { setupText } from './local/setup-text.ts'
import { explainStart } from './local/start-errors.ts'
import { supervisorOf } from './local/systemd.ts'
import { welcome } from './local/welcome.ts'
import { startService, urlOf } from './main.ts'
import { systemClock } from './ports/clock.ts'

const settings = `Settings come from the environment: HOST, PORT, DATA_DIR, DATABASE_URL, REDIS_URL, SECRET_KEY, PUBLIC_URL,
TRUSTED_PROXIES, METRICS_TOKEN, LOG_LEVEL, LOCAL_AGENT and more; docs/operations.md explains each.`

type Local = Exclude<LocalCommand, 'bench'>

const helps: Readonly<Record<Local | 'operator', string>> = {
  start: `sallyport start

Runs the service until it is told to stop. Without DATABASE_URL it opens an embedded database with a demo.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport start`,
  setup: `sallyport setup [--name NAME] [--email ADDRESS] [--location CODE:RU:EN] [--price ROUBLES] [--yes] [--json]

Makes an empty service on PostgreSQL ready to sell: the first owner with a link to sign in and a token, the usual payment
methods (those on that a configured provider takes), a first location, a first price of 30 days. It asks for what is not
said; with --yes it asks nothing. All of it is done, or nothing.
${settings}

Examples:
  sallyport setup
  sallyport setup --name olga --location nl:Нидерланды:Netherlands --price 200 --yes`,
  migrate: `sallyport migrate [--json]

Brings the database up to date; instances that run go on meanwhile.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport migrate`,
  agent: `sallyport agent

Runs the node agent on a VPN server. SALLYPORT_URL, SALLYPORT_AGENT_DIR and, the first time, SALLYPORT_ENROL_TOKEN say for whom.

Example:
  SALLYPORT_URL=https://vpn.example.com SALLYPORT_AGENT_DIR=/var/lib/sallyport-agent SALLYPORT_ENROL_TOKEN=… sallyport agent`,
  engines: `sallyport engines [--json]

Says which VPN engines are found here, and how to get the others.

Example:
  sallyport engines`,
  operator: `sallyport operator create --name NAME [--role ROLE] [--json]

Makes an operator in the database itself, for whoever has no token yet. ROLE is ${roles.join(', ')}; owner when not said.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport operator create --name olga --role support`,
}

let usedConfig: Config | undefined
const config = (): Config => {
  usedConfig = readConfig()
  return usedConfig
}

const start = async (config: Config): Promise<void> => {
  const startedAt = process.hrtime.bigint()
  if (!config.databaseUrl) console.log('Opening the embedded database (the first start takes a few seconds)…')
  const service = await startService(config, { agentEnv: inheritedEnvironment() })
  const startSeconds = Number(process.hrtime.bigint() - startedAt) / 1e9
  console.log(
    welcome({ url: service.url, dataDir: config.dataDir, credentials: service.credentials, startSeconds }),
  )
  const supervisor = supervisorOf(inheritedEnvironment())
  supervisor.ready()
  const hurry = new AbortController()
  let isLeaving = false
  const leave = async (): Promise<void> => {
    supervisor.stopping()
    await service.drain(hurry.signal)
    setTimeout(() => process.exit(1), 25_000).unref()
    await service.stop()
  }
  const stop = (): void => {
    // Asked twice, it does not wait to be noticed.
    if (isLeaving) hurry.abort()
    if (isLeaving) return
    isLeaving = true
    leave().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Node writes what it compiled when it ends; one that is killed would compile everything again at the next start.
  flushCompileCache()
}

const sayWait = ({ migration, problem, oldTransactions }: MigrationWait): void => {
  const holders = oldTransactions.map(
    ({ pid, state, openSeconds, tables }) =>
      `pid ${pid} (${state}, open for ${openSeconds} s, ${tables.join(', ')})`,
  )
  console.error(`${migration} waits: ${problem}. Open transactions: ${holders.join('; ') || 'none now'}.`)
}

/** Brought up to date first. */
const withDatabase = async (
  config: Config,
  work: (database: Database, applied: readonly string[]) => Promise<void> | void,
): Promise<void> => {
  const { database, applied } = await openWithKey(config, takeKey(config), sayWait)
  try {
    await work(database, applied)
  } finally {
    await database.close()
  }
}

const json = { json: { type: 'boolean' } } as const

const writeJson = (data: unknown): void => console.log(JSON.stringify(data, null, 2))

const runMigrate = (config: Config, args: string[]): Promise<void> => {
  const given = flagsIn(args, json)
  return withDatabase(config, (_database, applied) => {
    if (given.json) return writeJson({ applied })
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  })
}

type Flags = NonNullable<ParseArgsConfig['options']>

const flagsIn = <F extends Flags>(args: string[], options: F) => {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw explainFlag(error, [...Object.keys(options), 'help'])
  }
}

const operatorCreate = async (config: Config, args: string[]): Promise<void> => {
  const flags = { name: { type: 'string' }, role: { type: 'string', default: 'owner' }, ...json } as const
  const values = flagsIn(args, flags)
  if (!values.name) throw new UsageError('Give the operator a name: sallyport operator create --name you')
  if (!(roles as readonly string[]).includes(values.role))
    throw new UsageError(`--role ${values.role} is not one of ${roles.join(', ')}.`)
  const { name } = values
  const role = values.role as Role
  await withDatabase(config, async (database) => {
    const now = systemClock.now()
    const { id, token, link } = await inTransaction(database.db, async (tx) => {
      const made = await insertOperatorWithToken(tx, { name, role, now })
      const publicUrl = config.publicUrl ?? urlOf(config, config.port)
      return { ...made, ...(await makeSignInLink(tx, { operatorId: made.id, publicUrl, now })) }
    })
    if (values.json) return writeJson({ id, name, role, token, sign_in_link: link })
    console.log(`Operator ${name} (${role}) made. The token for programs is shown this once:

  ${token}

To sign in, open this link within an hour; it works once:

  ${link}
`)
  })
}

const readPrice = (text: string): number | undefined => {
  if (text === '') return undefined
  const price = Number(text)
  if (!Number.isSafeInteger(price) || price < 1) {
    throw new UsageError(`--price takes whole roubles above 0, not “${text}”.`)
  }
  return price
}

const readPlace = (text: string) => {
  try {
    return text === '' ? undefined : readLocation(text)
  } catch {
    throw new UsageError(`--location looks like nl:Нидерланды:Netherlands, not “${text}”.`)
  }
}

const setupFlags = {
  name: { type: 'string' },
  email: { type: 'string' },
  location: { type: 'string' },
  price: { type: 'string' },
  yes: { type: 'boolean' },
  ...json,
} as const

const runSetup = async (config: Config, args: string[]): Promise<void> => {
  const given = flagsIn(args, setupFlags)
  const answer = async (name: 'name' | 'email' | 'location' | 'price', question: string): Promise<string> =>
    given[name] ?? (given.yes ? '' : await ask(question))
  const name = (await answer('name', 'Name of the first owner [owner]: ')) || 'owner'
  const email = await answer('email', 'Their e-mail, for alerts (empty for none): ')
  const location = readPlace(
    await answer('location', 'First location, like nl:Нидерланды:Netherlands (empty for none yet): '),
  )
  const price = readPrice(await answer('price', 'Roubles for 30 days (empty for none yet): '))
  const made = await setUpService(config, { name, email: email || undefined, location, price })
  if (given.json) return writeJson(made)
  console.log(setupText({ ...made, name, price, publicUrl: config.publicUrl ?? urlOf(config, config.port) }))
}

const listEngines = async (args: string[]): Promise<void> => {
  const given = flagsIn(args, json)
  const env = inheritedEnvironment()
  const engines = await Promise.all(
    engineNames.map(async (name) => ({ name, ...(await locateEngine(name, env)) })),
  )
  if (given.json) return writeJson(engines)
  for (const { name, ...located } of engines) {
    const found = located.state === 'found' ? `${located.version} at ${located.path}` : located.reason
    console.log(`${name.padEnd(10)} ${`${located.state}:`.padEnd(8)} ${found}`)
  }
}

const withoutFlags = (work: () => Promise<void>) => (args: string[]) => {
  flagsIn(args, {})
  return work()
}

const locals: Readonly<Record<Local, (args: string[]) => Promise<void>>> = {
  start: withoutFlags(() => start(config())),
  setup: (args) => runSetup(config(), args),
  migrate: (args) => runMigrate(config(), args),
  engines: listEngines,
  agent: withoutFlags(async () => {
    await import('../agent/main.ts')
  }),
}

const isLocal = (command: string): command is Local => Object.hasOwn(locals, command)

/** For whoever has no token yet; all others ask the service. */
const runOperator = async ([verb, ...args]: string[]): Promise<void> => {
  if (verb !== 'create') throw new UsageError('sallyport operator create is what works without a token.')
  await operatorCreate(config(), args)
}

const run = async ([command = 'start', ...args]: string[]): Promise<void> => {
  const isOperator = command === 'operator'
  if (!isOperator && !isLocal(command)) {
    throw new UsageError(`“${command}” is no command; sallyport --help lists them.`)
  }
  if (isOperator && isLoggedIn(inheritedEnvironment())) return void (await import('@sallyport/cli/main'))
  if (args.includes('--help') || args.includes('-h')) return console.log(helps[command])
  return isOperator ? runOperator(args) : locals[command](args)
}

/** An operation refused what it was given. */
const refusalOf = (error: unknown): string | undefined => {
  if (!(error instanceof ApiError)) return undefined
  const problems = (error.details ?? []).map(({ path, problem }) => `${path} ${problem}`.trim())
  return [error.message, problems.join('; ')].filter(Boolean).join(': ')
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError
  const sentence = isUsage ? error.message : (refusalOf(error) ?? explainStart(error, usedConfig))
  console.error(sentence ? `sallyport: ${sentence}` : error)
  process.exit(isUsage ? 2 : 1)
}
