const width = 140

const brackets = (value: object): readonly [string, string] =>
  Array.isArray(value) ? ['[', ']'] : ['{', '}']

const partsOf = (value: object, indent: number): string[] =>
  Array.isArray(value)
    ? value.map((item) => print(item, indent))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${print(item, indent)}`)

/** JSON that reads well in a diff: what fits on a line is on one. */
export const print = (value: unknown, indent = 0): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const [open, close] = brackets(value)
  const flat = JSON.stringify(value)
  if (flat.length <= 2) return flat
  const short = partsOf(value, 0)
  const line = Array.isArray(value) ? `[${short.join(', ')}]` : `{ ${short.join(', ')} }`
  if (flat.length + indent <= width && !line.includes('\n') && line.length + indent <= width) return line
  const inner = indent + 2
  const pad = ' '.repeat(inner)
  return `${open}\n${partsOf(value, inner)
    .map((part) => pad + part)
    .join(',\n')}\n${' '.repeat(indent)}${close}`
}
