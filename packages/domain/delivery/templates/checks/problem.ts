import { type Json, type JsonObject, memberPath } from '../../../text/strict-json.ts'

/** What is wrong with a template, in one sentence; null when nothing is. */
export type Problem = string | null

export const firstOf = <Item>(items: Iterable<Item>, problemOf: (item: Item) => Problem): Problem => {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem !== null) return problem
  }
  return null
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list of objects, or nothing at all. */
export const listProblem = (path: string, value: Json | undefined): Problem => {
  if (value === undefined) return null
  if (!Array.isArray(value)) return `${path}: must be a list`
  const at = value.findIndex((item: Json) => !isObject(item))
  return at === -1 ? null : `${path}[${at}]: must be an object`
}

export const unknownNameProblem = (object: JsonObject, known: readonly string[]): Problem =>
  firstOf(Object.keys(object), (name) =>
    known.includes(name) ? null : `${memberPath('', name)}: is not part of a client's config, remove it`,
  )

type Placed = [path: string, name: string, value: Json]

const membersOf = ([path, name, value]: Placed): Placed[] => {
  if (Array.isArray(value)) return value.map((item: Json, at) => [`${path}[${at}]`, name, item])
  if (!isObject(value)) return []
  return Object.entries(value).map(([key, member]) => [memberPath(path, key), key, member])
}

/** Every value with its path and its name, parents before children. */
export function* valuesIn(whole: Json): Generator<Placed> {
  const waiting: Placed[] = [['', '', whole]]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    yield one
    const members = membersOf(one)
    while (members.length > 0) waiting.push(members.pop() as Placed)
  }
}

export const noFiles = 'files of the device must not be named, remove it'

/** Names by which parts of a config find each other. */
export const twiceProblem = (path: string, names: readonly string[]): Problem => {
  const seen = new Set<string>()
  return firstOf(names, (name) => {
    if (seen.has(name)) return `${path}: ${JSON.stringify(name)} stands there twice`
    seen.add(name)
    return null
  })
}
