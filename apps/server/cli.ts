import { flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { locateEngine } from '@sallyport/agent/engines/common/locate'
import { engineNames } from '@sallyport/contract/agent/agent'
import { type Role, roles } from '@sallyport/contract/operation'
import { openWithKey, takeKey } from './compose/database.ts'
import { type Config, ConfigError, inheritedEnvironment, readConfig } from './config.ts'
import { createOperator } from './core/accounts/operators.ts'
import type { Database } from './db/client.ts'
import type { MigrationWait } from './db/migrate.ts'
import { explainStart } from './local/start-errors.ts'
import { welcome } from './local/welcome.ts'
import { startService } from './main.ts'
import { systemClock } from './ports/clock.ts'

const help = `sallyport: sells VPN access, puts it on servers, delivers it to client apps

  sallyport start                                 run the service (what npm start does)
  sallyport migrate                               bring the database up to date
  sallyport operator create --name N [--role R]   make an operator; R is owner, support or finance
  sallyport agent                                 run the node agent on a VPN server
  sallyport engines                               which VPN engines are found here
  sallyport bench                                 measure throughput

Settings come from the environment: HOST, PORT, DATA_DIR, DATABASE_URL, REDIS_URL, SECRET_KEY, PUBLIC_URL,
TRUSTED_PROXIES, METRICS_TOKEN, LOG_LEVEL, LOCAL_AGENT. docs/operations.md explains each.`

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

const operatorCreate = async (config: Config, args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: { name: { type: 'string' }, role: { type: 'string', default: 'owner' } },
  })
  if (!values.name) throw new ConfigError('Give the operator a name: sallyport operator create --name you')
  if (!(roles as readonly string[]).includes(values.role))
    throw new ConfigError(`--role ${values.role} is not one of ${roles.join(', ')}.`)
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

const run = async ([command = 'start', ...args]: string[]): Promise<void> => {
  switch (command) {
    case 'start':
      return start(config())
    case 'migrate':
      return runMigrate(config())
    case 'agent':
      await import('../agent/main.ts')
      return
    case 'engines':
      return listEngines()
    case 'operator':
      if (args[0] === 'create') return operatorCreate(config(), args.slice(1))
      break
    case 'help':
    case '--help':
      console.log(help)
      return
  }
  console.error(`sallyport: '${[command, ...args].join(' ')}' is not a command.\n\n${help}`)
  process.exitCode = 2
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const sentence = explainStart(error, usedConfig)
  console.error(sentence ? `sallyport: ${sentence}` : error)
  process.exit(1)
}
