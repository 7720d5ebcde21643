import type { LocalCommand } from '@sallyport/cli/local'
import { isLoggedIn } from '@sallyport/cli/login'
import { UsageError } from '@sallyport/cli/usage-error'
import { ApiError } from '@sallyport/contract/errors'
import { type Command, configUsed } from './cli/command.ts'
import { inheritedEnvironment } from './config.ts'
import { explainStart } from './local/start-errors.ts'

/** What works on the database or the machine itself; a new one is a row here, a file, and a row in bin/local-commands.json. */
const commands: Readonly<Record<Exclude<LocalCommand, 'bench'> | 'operator', () => Promise<Command>>> = {
  start: () => import('./cli/start.ts'),
  setup: () => import('./cli/setup.ts'),
  migrate: () => import('./cli/migrate.ts'),
  doctor: () => import('./cli/doctor.ts'),
  engines: () => import('./cli/engines.ts'),
  agent: () => import('./cli/agent.ts'),
  backup: () => import('./cli/backup.ts'),
  restore: () => import('./cli/restore.ts'),
  upgrade: () => import('./cli/upgrade.ts'),
  operator: () => import('./cli/operator.ts'),
}

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name)

const run = async ([name = 'start', ...args]: string[]): Promise<void> => {
  if (!isCommand(name)) throw new UsageError(`“${name}” is no command; sallyport --help lists them.`)
  if (name === 'operator' && isLoggedIn(inheritedEnvironment())) {
    return void (await import('@sallyport/cli/main'))
  }
  const command = await commands[name]()
  if (args.includes('--help') || args.includes('-h')) return console.log(command.help)
  return command.run(args)
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
  const sentence = isUsage ? error.message : (refusalOf(error) ?? explainStart(error, configUsed()))
  console.error(sentence ? `sallyport: ${sentence}` : error)
  process.exit(isUsage ? 2 : 1)
}
