import { ask } from './ask.ts'
import { type Command, commandsUnder, findCommand } from './commands.ts'
import { completionFor } from './completion.ts'
import { failureText } from './failure.ts'
import { commandHelp, groupHelp, overview, ownHelps } from './help.ts'
import { type Input, readInput } from './input.ts'
import { localCommands, ownWords } from './local.ts'
import { checkedUrl, type Environment, forgetLogin, keepLogin, serviceOf } from './login.ts'
import { nearest } from './nearest.ts'
import { answerText } from './output.ts'
import about from './package.json' with { type: 'json' }
import { barOf, isMoving, watcherOf } from './progress.ts'
import { callCommand, fetchCsv } from './request.ts'
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

const login = async (terminal: Terminal, typed: readonly string[]): Promise<void> => {
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

const asksForHelp = (word: string): boolean => ['help', '--help', '-h'].includes(word)

/** `help user list` is `user list --help`. */
const help = async (terminal: Terminal, words: readonly string[]): Promise<void> => {
  const local = localCommands.find((name) => name === words[0])
  if (local) return terminal.write(`sallyport ${local} --help says what it takes.\n`)
  return words.length > 0 ? perform(terminal, [...words, '--help']) : terminal.write(`${overview()}\n`)
}

const logout = (terminal: Terminal, typed: readonly string[]): void => {
  if (typed[0] !== undefined) throw new UsageError(`“${typed[0]}” is one word too many; logout takes none.`)
  forgetLogin(terminal.env)
  terminal.write('Logged out.\n')
}

const perform = async (terminal: Terminal, typed: readonly string[]): Promise<void> => {
  const [first = 'help', ...rest] = typed
  if (asksForHelp(first)) return help(terminal, rest)
  if (first === '--version' || first === '-v') return terminal.write(`sallyport ${about.version}\n`)
  if (ownHelps[first] && rest.some(asksForHelp)) return terminal.write(`${ownHelps[first]}\n`)
  if (first === 'completion') return terminal.write(`${completionFor(rest[0])}\n`)
  if (first === 'login') return login(terminal, rest)
  if (first === 'logout') return logout(terminal, rest)
  const found = findCommand(typed)
  if (found) return runCommand(terminal, found.command, found.rest)
  const words = typed.filter((word) => !word.startsWith('-'))
  if (words.length === 0) throw new UsageError(`${first} is no command; sallyport --help lists them.`)
  if (commandsUnder(words).length === 0) throw unknown(words)
  terminal.write(`${groupHelp(words)}\n`)
  if (!typed.some(asksForHelp)) throw new UsageError(`“${words.join(' ')}”: one more word is needed.`)
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
    const failure = failureText(error, terminal.width)
    if (failure === undefined) throw error
    terminal.say(failure)
    return 1
  }
}
