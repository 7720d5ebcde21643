import { type Place, pathIn } from '../../../kit/json/text.ts'

/** Where the service's problem with a YAML text stands, as far as that is seen without reading all of YAML. */

const indentOf = (line: string): number => line.length - line.trimStart().length

/** The lines beneath a name, up to the next one of its own depth; lists may stand as deep as their name. */
const endOf = (lines: readonly string[], at: number): number => {
  const own = indentOf(lines[at] ?? '')
  const next = lines.findIndex(
    (line, other) =>
      other > at && line.trim() !== '' && indentOf(line) <= own && !line.trimStart().startsWith('-'),
  )
  return next === -1 ? lines.length : next
}

const itemAt = (lines: readonly string[], from: number, wanted: number): number | undefined => {
  const end = endOf(lines, from)
  const inside = lines.map((line, at) => [line, at] as const).slice(from + 1, end)
  const depth = indentOf(inside.find(([line]) => line.trimStart().startsWith('-'))?.[0] ?? '')
  const items = inside.filter(([line]) => indentOf(line) === depth && line.trimStart().startsWith('-'))
  return items[wanted]?.[1]
}

/** At least the name that the path begins with; of a list the item, too. */
const lineOfPath = (text: string, path: string): number | undefined => {
  const [, name, index] = /^([^.[]+)(?:\[(\d+)\])?/.exec(path) ?? []
  if (name === undefined) return undefined
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`${name}:`))
  if (at === -1) return undefined
  return (index === undefined ? undefined : itemAt(lines, at, Number(index))) ?? at
}

export const placeInYaml = (text: string, problem: string): Place | undefined => {
  const [, line, column] = / at line (\d+), column (\d+)/.exec(problem) ?? []
  if (line !== undefined) return { line: Number(line), column: Number(column) }
  const at = lineOfPath(text, pathIn(problem))
  return at === undefined ? undefined : { line: at + 1, column: 1 }
}
