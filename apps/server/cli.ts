import { flushCompileCache } from 'node:module'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { locateEngine } from '@sallyport/agent/engines/common/locate'
import { engineNames } from '@sallyport/contract/agent/agent'
import { type Role, roles } from '@sallyport/contract/operation'
import { openWithKey, takeKey } from './compose/database.ts'
import { type Config, inheritedEnvironment, readConfig } from './config.ts'
import { createOperator } from './core/accounts/operators.ts'
import type { Database } from './db/client.ts'
import type { MigrationWait } from './db/migrate.ts'
import { explainStart } from './local/start-errors.ts'
import { welcome } from './local/welcome.ts'
import { startService } from './main.ts'
import { systemClock } from './ports/clock.ts'

/** The command line itself is wrong: told in one line, and exit code 2. */
class UsageError extends Error {}

const settings = `Settings come from the environment: HOST, PORT, DATA_DIR, DATABASE_URL, REDIS_URL, SECRET_KEY, PUBLIC_URL,
TRUSTED_PROXIES, METRICS_TOKEN, LOG_LEVEL, LOCAL_AGENT and more; docs/operations.md explains each.`

const helps: Readonly<Record<string, string>> = {
  start: `sallyport start

Runs the service until it is told to stop. Without DATABASE_URL it opens an embedded database with a demo.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport start`,
  migrate: `sallyport migrate

Brings the database up to date; instances that run go on meanwhile.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport migrate`,
  agent: `sallyport agent

Runs the node agent on a VPN server. SALLYPORT_URL, SALLYPORT_AGENT_DIR and, the first time, SALLYPORT_ENROL_TOKEN say for whom.

Example:
  SALLYPORT_URL=https://vpn.example.com SALLYPORT_AGENT_DIR=/var/lib/sallyport-agent SALLYPORT_ENROL_TOKEN=… sallyport agent`,
  engines: `sallyport engines

Says which VPN engines are found here, and how to get the others.

Example:
  sallyport engines`,
  operator: `sallyport operator create --name NAME [--role ROLE]

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
  const hurry = new AbortController()
  let isLeaving = false
  const leave = async (): Promise<void> => {
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

const runMigrate = (config: Config): Promise<void> =>
  withDatabase(config, (_database, applied) => {
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  })

type Flags = NonNullable<ParseArgsConfig['options']>

const flagsIn = <F extends Flags>(args: string[], options: F) => {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\. To specify.*$/s, '.'))
  }
}

const operatorCreate = async (config: Config, args: string[]): Promise<void> => {
  const values = flagsIn(args, { name: { type: 'string' }, role: { type: 'string', default: 'owner' } })
  if (!values.name) throw new UsageError('Give the operator a name: sallyport operator create --name you')
  if (!(roles as readonly string[]).includes(values.role))
    throw new UsageError(`--role ${values.role} is not one of ${roles.join(', ')}.`)
  const { name } = values
  const role = values.role as Role
  await withDatabase(config, async (database) => {
    const token = await createOperator(database.db, { name, role, now: systemClock.now() })
    console.log(`Operator ${name} (${role}) made. The token is shown this once:\n\n  ${token}\n`)
  })
}

const listEngines = async (): Promise<void> => {
  for (const name of engineNames) {
    const located = await locateEngine(name, inheritedEnvironment())
    const found = located.state === 'found' ? `${located.version} at ${located.path}` : located.reason
    console.log(`${name.padEnd(10)} ${`${located.state}:`.padEnd(8)} ${found}`)
  }
}

const perform = async (command: string, args: string[]): Promise<void> => {
  if (command === 'operator') {
    if (args[0] === 'create') return operatorCreate(config(), args.slice(1))
    throw new UsageError('sallyport operator create is what works without a token.')
  }
  flagsIn(args, {})
  if (command === 'start') return start(config())
  if (command === 'migrate') return runMigrate(config())
  if (command === 'engines') return listEngines()
  if (command !== 'agent') throw new UsageError(`“${command}” is no command; sallyport --help lists them.`)
  await import('../agent/main.ts')
}

const run = async ([command = 'start', ...args]: string[]): Promise<void> => {
  const help = args.includes('--help') || args.includes('-h') ? helps[command] : undefined
  if (help) console.log(help)
  else await perform(command, args)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError
  const sentence = isUsage ? error.message : explainStart(error, usedConfig)
  console.error(sentence ? `sallyport: ${sentence}` : error)
  process.exit(isUsage ? 2 : 1)
}
