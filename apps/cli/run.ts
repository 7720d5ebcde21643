import { SallyportError } from '@sallyport/contract/client/client'
import { ask } from './ask.ts'
import { type Command, commandsUnder, findCommand } from './commands.ts'
import { completionFor } from './completion.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { type Input, readInput } from './input.ts'
import { ownWords } from './local.ts'
import { checkedUrl, type Environment, forgetLogin, keepLogin, serviceOf } from './login.ts'
import { nearest } from './nearest.ts'
import { answerText } from './output.ts'
import { barOf, isMoving, watcherOf } from './progress.ts'
import { callCommand, fetchCsv, Unreachable } from './request.ts'
import { UsageError } from './usage-error.ts'

/** One command line, from its words to its exit code. */

export interface Terminal {
  readonly env: Environment
  /** Columns of what answers are written to. */
  readonly width: number
  /** Whether people watch it. */
  readonly isInteractive: boolean
  write(text: string): void
  /** Beside the answer: progress, questions. */
  say(text: string): void
  writeBytes(chunk: Uint8Array): Promise<void>
  wait(milliseconds: number): Promise<void>
}

const answerSchemaOf = ({ operation: { row } }: Command) => Object.values(row.response)[0]

const watch = async (
  terminal: Terminal,
  command: Command,
  input: Input,
  started: unknown,
): Promise<unknown> => {
  const watcher = watcherOf(command)
  if (!watcher || !isMoving(started)) return started
  const service = serviceOf(terminal.env)
  const params = { ...input.params, ...(started.id !== undefined && { id: String(started.id) }) }
  let standing: unknown = started
  while (isMoving(standing)) {
    terminal.say(terminal.isInteractive ? `\r${barOf(standing)}` : `${barOf(standing)}\n`)
    await terminal.wait(terminal.isInteractive ? 500 : 5000)
    standing = await callCommand(service, watcher, { params, query: {}, body: undefined })
  }
  if (terminal.isInteractive) terminal.say('\n')
  return standing
}

const writeCsv = async (terminal: Terminal, command: Command, input: Input): Promise<void> => {
  const answer = await fetchCsv(serviceOf(terminal.env), command, input)
  for await (const chunk of answer.body ?? []) await terminal.writeBytes(chunk as Uint8Array)
}

const runCommand = async (terminal: Terminal, command: Command, typed: readonly string[]): Promise<void> => {
  const input = readInput(command, typed)
  const { isHelp, isCsv, isJson, isWatching } = input.common
  if (isHelp) return terminal.write(`${commandHelp(command)}\n`)
  if (isCsv) return writeCsv(terminal, command, input)
  const answered = await callCommand(serviceOf(terminal.env), command, input)
  const data = isWatching ? await watch(terminal, command, input, answered) : answered
  const schema = answerSchemaOf(command) as Parameters<typeof answerText>[1]
  terminal.write(`${isJson ? JSON.stringify(data, null, 2) : answerText(data, schema, terminal.width)}\n`)
}

const valueAfter = (typed: readonly string[], flag: string): string | undefined => {
  const joined = typed.find((word) => word.startsWith(`${flag}=`))
  const at = typed.indexOf(flag)
  return joined?.slice(flag.length + 1) ?? (at === -1 ? undefined : typed[at + 1])
}

const loginHelp = `sallyport login [--url ADDRESS] [--token TOKEN]

Keeps the address of a service and an operator’s token in ~/.config/sallyport/login.json, readable by you alone.
SALLYPORT_URL and SALLYPORT_TOKEN go before what is kept.

Example:
  sallyport login --url https://vpn.example.com`

const login = async (terminal: Terminal, typed: readonly string[]): Promise<void> => {
  if (typed.includes('--help')) return terminal.write(`${loginHelp}\n`)
  const wrong = typed.find((word) => word.startsWith('-') && !/^--(url|token)(=|$)/.test(word))
  if (wrong) throw new UsageError(`${wrong} is no flag of login; it takes --url and --token.`)
  const url = checkedUrl(
    valueAfter(typed, '--url') || terminal.env.SALLYPORT_URL || (await ask('Address of the service: ')),
  )
  const token =
    valueAfter(typed, '--token') || terminal.env.SALLYPORT_TOKEN || (await ask('Token: ', { isSecret: true }))
  const { command: me } = findCommand(['me']) as { command: Command }
  await callCommand({ url, token }, me, { params: {}, query: {}, body: undefined })
  const file = keepLogin(terminal.env, { url, token })
  terminal.write(`Logged in at ${url}; kept in ${file}.\n`)
}

const unknown = (typed: readonly string[]): UsageError => {
  const known = typed.findIndex((_, n) => commandsUnder(typed.slice(0, n + 1)).length === 0)
  const before = typed.slice(0, known)
  const next = commandsUnder(before).map(({ words }) => words[known] ?? '')
  const guess = nearest(typed[known] ?? '', [...new Set([...(known === 0 ? ownWords : []), ...next])])
  const where = before.length > 0 ? `sallyport ${before.join(' ')}` : 'sallyport'
  const hint = guess ? `did you mean “${[...before, guess].join(' ')}”?` : `${where} --help lists them.`
  return new UsageError(`“${typed.slice(0, known + 1).join(' ')}” is no command; ${hint}`)
}

const perform = async (terminal: Terminal, typed: readonly string[]): Promise<void> => {
  const [first = 'help'] = typed
  if (first === 'help' || first === '--help' || first === '-h') return terminal.write(`${overview()}\n`)
  if (first === 'completion') return terminal.write(`${completionFor(typed[1])}\n`)
  if (first === 'login') return login(terminal, typed.slice(1))
  if (first === 'logout') {
    forgetLogin(terminal.env)
    return terminal.write('Logged out.\n')
  }
  const found = findCommand(typed)
  if (found) return runCommand(terminal, found.command, found.rest)
  const words = typed.filter((word) => !word.startsWith('-'))
  if (commandsUnder(words).length === 0) throw unknown(words)
  terminal.write(`${groupHelp(words)}\n`)
  if (!typed.includes('--help'))
    throw new UsageError(`sallyport ${words.join(' ')}: one more word is needed.`)
}

const failureLine = (error: SallyportError): string => {
  const problems = error.details.map(({ path, problem }) => (path ? `${path} ${problem}` : problem))
  const said = problems.length > 0 ? `: ${problems.join('; ')}` : ''
  return `${error.statusCode} ${error.message}${said}`
}

/** 0: done; 1: the service refused, or was not reached; 2: the command line is wrong. */
export const run = async (terminal: Terminal, typed: readonly string[]): Promise<number> => {
  try {
    await perform(terminal, typed)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.say(`sallyport: ${error.message}\n`)
      return 2
    }
    if (error instanceof SallyportError) terminal.say(`sallyport: ${failureLine(error)}\n`)
    else if (error instanceof Unreachable) terminal.say(`sallyport: ${error.message}\n`)
    else throw error
    return 1
  }
}
