import { type ParseArgsConfig, parseArgs } from 'node:util'
import { explainFlag } from '@sallyport/cli/input'
import { openWithKey, takeKey } from '../compose/database.ts'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../db/client.ts'
import type { MigrationWait } from '../db/migrate.ts'

/** What a file of a command exports. */
export interface Command {
  readonly help: string
  /** Ends with the process's exit code 0, unless it throws or sets another. */
  run(args: string[]): Promise<void>
}

export const settings = `Settings come from the environment: HOST, PORT, DATA_DIR, DATABASE_URL, REDIS_URL, SECRET_KEY, PUBLIC_URL,
TRUSTED_PROXIES, METRICS_TOKEN, LOG_LEVEL, LOCAL_AGENT and more; docs/operations.md explains each.`

let usedConfig: Config | undefined

export const config = (): Config => {
  usedConfig = readConfig()
  return usedConfig
}

/** For explaining what went wrong. */
export const configUsed = (): Config | undefined => usedConfig

export const json = { json: { type: 'boolean' } } as const

export const writeJson = (data: unknown): void => console.log(JSON.stringify(data, null, 2))

type Flags = NonNullable<ParseArgsConfig['options']>

export const flagsIn = <F extends Flags>(args: string[], options: F) => {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw explainFlag(error, [...Object.keys(options), 'help'])
  }
}

const sayWait = ({ migration, problem, oldTransactions }: MigrationWait): void => {
  const holders = oldTransactions.map(
    ({ pid, state, openSeconds, tables }) =>
      `pid ${pid} (${state}, open for ${openSeconds} s, ${tables.join(', ')})`,
  )
  console.error(`${migration} waits: ${problem}. Open transactions: ${holders.join('; ') || 'none now'}.`)
}

/** Brought up to date first. */
export const withDatabase = async (
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
