import { parseArgs } from 'node:util'
import type { Command } from './commands.ts'
import { type Flag, flagsOf, readFlag } from './flags.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** What was typed, as a request. */

export interface Input {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly common: Common
}

/** Flags of every command. */
export interface Common {
  readonly isJson: boolean
  readonly isCsv: boolean
  readonly isWatching: boolean
  readonly isHelp: boolean
}

export const commonFlags = {
  json: { type: 'boolean', about: 'the answer as JSON' },
  csv: { type: 'boolean', about: 'the whole list as CSV, where the service makes one' },
  watch: { type: 'boolean', about: 'wait for long work and show how far it is' },
  data: { type: 'string', about: 'the whole body as JSON, or @file; other flags are laid over it' },
  help: { type: 'boolean', about: 'this' },
} as const

const optionsFor = (flags: readonly Flag[]) =>
  Object.fromEntries([
    ...Object.entries(commonFlags).map(([name, { type }]) => [name, { type }]),
    ...flags.map(({ name, kind }) => [name, { type: kind === 'boolean' ? 'boolean' : 'string' }]),
  ]) as Record<string, { type: 'boolean' | 'string' }>

/** A value that begins with a dash is one when it is a number. */
const withNegatives = (typed: readonly string[]): string[] => {
  const joined: string[] = []
  for (const word of typed) {
    const before = joined.at(-1)
    if (/^-\d/.test(word) && before?.startsWith('--') && !before.includes('='))
      joined.splice(-1, 1, `${before}=${word}`)
    else joined.push(word)
  }
  return joined
}

/** What is wrong with a flag that Node could not read. */
export const explainFlag = (error: unknown, known: readonly string[]): UsageError => {
  const { code, message } = error as { code?: string; message: string }
  const named = /'(?:-\w, )?(--?[^' =]+)[^']*'/.exec(message)?.[1] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const guess = nearest(named.replace(/^-+(no-)?/, ''), known)
    return new UsageError(`${named} is no flag of this command${guess ? `; did you mean --${guess}?` : '.'}`)
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    return new UsageError(
      message.includes('does not take an argument') ? `${named} takes no value.` : `${named} needs a value.`,
    )
  }
  return new UsageError(message)
}

const parseTyped = (typed: readonly string[], flags: readonly Flag[]) => {
  try {
    return parseArgs({
      args: withNegatives(typed),
      options: optionsFor(flags),
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    throw explainFlag(error, [...Object.keys(commonFlags), ...flags.map(({ name }) => name)])
  }
}

type Values = Readonly<Record<string, string | boolean | undefined>>

const valuesAt = (place: Flag['place'], flags: readonly Flag[], values: Values): Record<string, unknown> => {
  const given = flags.filter((flag) => flag.place === place && values[flag.name] !== undefined)
  return Object.fromEntries(
    given.map((flag) => [flag.field, readFlag(flag, values[flag.name] as string | boolean)]),
  )
}

const paramsFrom = (command: Command, given: readonly string[]): Record<string, string> => {
  const missing = command.arguments[given.length]
  if (missing !== undefined) throw new UsageError(`${missing.toUpperCase()} is missing.`)
  const extra = given[command.arguments.length]
  if (extra !== undefined) throw new UsageError(`“${extra}” is one word too many.`)
  return Object.fromEntries(command.arguments.map((name, index) => [name, given[index] as string]))
}

const wholeBody = (data: string | boolean | undefined): Record<string, unknown> => {
  if (typeof data !== 'string') return {}
  const flag = { name: 'data', kind: 'json', takesNull: false, choices: [] } as unknown as Flag
  const body = readFlag(flag, data)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new UsageError('--data takes a JSON object.')
}

const commonIn = (values: Values): Common => ({
  isJson: values.json === true,
  isCsv: values.csv === true,
  isWatching: values.watch === true,
  isHelp: values.help === true,
})

export const readInput = (command: Command, typed: readonly string[]): Input => {
  const flags = flagsOf(command)
  const { values, positionals } = parseTyped(typed, flags)
  const common = commonIn(values as Values)
  const hasBody = command.operation.row.request.body !== undefined
  if (common.isHelp) return { params: {}, query: {}, body: undefined, common }
  const params = paramsFrom(command, positionals)
  const query = valuesAt('query', flags, values as Values)
  const body = { ...wholeBody((values as Values).data), ...valuesAt('body', flags, values as Values) }
  const missing = flags.find(
    (flag) => flag.isRequired && !(flag.field in (flag.place === 'query' ? query : body)),
  )
  if (missing) throw new UsageError(`--${missing.name} is missing.`)
  if (common.isCsv && !command.operation.row.csv) throw new UsageError('This list has no CSV; try --json.')
  return { params, query, body: hasBody ? body : undefined, common }
}
