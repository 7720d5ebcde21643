import { type ContractOperation, operationsOf, tablesFor } from '@sallyport/contract/tables'
import { commandWords, nouns } from './words.ts'

/** The operator's tables as commands: a new row is a new command. */

export interface Command {
  /** As they are typed: server drain start. */
  readonly words: readonly string[]
  /** Names of what the path asks for, in its order. */
  readonly arguments: readonly string[]
  readonly operation: ContractOperation
}

interface Shaped {
  readonly type?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

const isParameter = (segment: string): boolean => segment.startsWith(':')
const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean)

const isList = ({ row }: ContractOperation): boolean => {
  const schema = Object.values(row.response)[0] as Shaped
  return row.method === 'GET' && (schema.type === 'array' || 'items' in (schema.properties ?? {}))
}

const makesOne = ({ row }: ContractOperation): boolean =>
  row.method === 'POST' && row.path.endsWith('s') && row.response[201] !== undefined

/** Addresses at which there are many of something: they are listed or made there, or one of them is named after. */
const collectionsIn = (operations: readonly ContractOperation[]): ReadonlySet<string> => {
  const listed = operations.filter((one) => isList(one) || makesOne(one)).map(({ row }) => row.path)
  const named = operations.flatMap(({ row }) =>
    [...row.path.matchAll(/\/:/g)].map(({ index }) => row.path.slice(0, index)),
  )
  return new Set([...listed, ...named])
}

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.endsWith('s') ? word.slice(0, -1) : word

const verbs = {
  one: { GET: 'show', POST: 'create', PATCH: 'change', PUT: 'set', DELETE: 'delete' },
  many: { GET: 'list', POST: 'create', PATCH: 'change', PUT: 'set', DELETE: 'delete' },
  /** Of which there is one: a drain, settings. */
  only: { GET: 'show', POST: 'start', PATCH: 'change', PUT: 'set', DELETE: 'stop' },
} as const

const wordsOf = (
  { name, row }: ContractOperation,
  collections: ReadonlySet<string>,
  methodsAt: ReadonlyMap<string, readonly ContractOperation[]>,
): readonly string[] => {
  if (commandWords[name]) return commandWords[name]
  const segments = segmentsOf(row.path)
  const addressOf = (index: number) => `/${segments.slice(0, index + 1).join('/')}`
  const things = segments.flatMap((segment, index) => {
    if (isParameter(segment)) return []
    return [nouns[segment] ?? (collections.has(addressOf(index)) ? singular(segment) : segment)]
  })
  if (isParameter(segments.at(-1) as string)) return [...things, verbs.one[row.method]]
  if (collections.has(row.path)) return [...things, verbs.many[row.method]]
  const isAlone = methodsAt.get(row.path)?.length === 1
  return isAlone ? things : [...things, verbs.only[row.method]]
}

/** All that an operator's token can call. */
export const commandsOf = (operations: readonly ContractOperation[]): readonly Command[] => {
  const called = operations.filter(({ row }) => row.auth === 'operator')
  const collections = collectionsIn(called)
  const methodsAt = Map.groupBy(called, ({ row }) => row.path)
  return called.map((operation) => ({
    words: wordsOf(operation, collections, methodsAt),
    arguments: segmentsOf(operation.row.path)
      .filter(isParameter)
      .map((segment) => segment.slice(1)),
    operation,
  }))
}

export const commands: readonly Command[] = commandsOf([...operationsOf(tablesFor('operator'))])

/** The command with the most words of those that were typed, and what was typed after it. */
export const findCommand = (typed: readonly string[]): { command: Command; rest: string[] } | undefined => {
  const fitting = commands
    .filter(({ words }) => words.every((word, index) => typed[index] === word))
    .toSorted((one, other) => other.words.length - one.words.length)
  const command = fitting[0]
  return command && { command, rest: typed.slice(command.words.length) }
}

/** Commands that begin with these words. */
export const commandsUnder = (typed: readonly string[]): readonly Command[] =>
  commands.filter(({ words }) => typed.every((word, index) => words[index] === word))
