import { type Json, type JsonObject, memberPath, pathOf } from '../../../text/strict-json.ts'

/** What is wrong with a template, in one sentence; null when nothing is. */
export type TemplateProblem = string | null

export const firstOf = <Item>(
  items: Iterable<Item>,
  problemOf: (item: Item) => TemplateProblem,
): TemplateProblem => {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem !== null) return problem
  }
  return null
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list of objects, or nothing at all. */
export const listProblem = (path: string, value: Json | undefined): TemplateProblem => {
  if (value === undefined) return null
  if (!Array.isArray(value)) return `${path}: must be a list`
  const at = value.findIndex((item: Json) => !isObject(item))
  return at === -1 ? null : `${path}[${at}]: must be an object`
}

export const unknownNameProblem = (object: JsonObject, known: readonly string[]): TemplateProblem =>
  firstOf(Object.keys(object), (name) =>
    known.includes(name) ? null : `${memberPath('', name)}: is not part of a client's config, remove it`,
  )

/** What one value is called, what it is, and where, for whoever has something against it. */
type Look = (name: string, value: Json, path: () => string) => TemplateProblem

/** Looks at every value within, parents before children; paths are put together only where somebody asks. */
export const firstWithin = (whole: Json, look: Look): TemplateProblem => {
  const way: (string | number)[] = []
  const path = () => pathOf(way)
  const lookInto = (step: string | number, name: string, value: Json): TemplateProblem => {
    way.push(step)
    const problem = look(name, value, path) ?? within(name, value)
    way.pop()
    return problem
  }
  const within = (name: string, value: Json): TemplateProblem => {
    if (typeof value !== 'object' || value === null) return null
    if (!isObject(value)) return firstOf(value.entries(), ([at, item]) => lookInto(at, name, item))
    return firstOf(Object.keys(value), (key) => lookInto(key, key, value[key] as Json))
  }
  return within('', whole)
}

export const noFiles = 'files of the device must not be named, remove it'

/** Names by which parts of a config find each other. */
export const twiceProblem = (path: string, names: readonly string[]): TemplateProblem => {
  const seen = new Set<string>()
  return firstOf(names, (name) => {
    if (seen.has(name)) return `${path}: ${JSON.stringify(name)} stands there twice`
    seen.add(name)
    return null
  })
}
