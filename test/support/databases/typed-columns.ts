import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../apps/server/db/', import.meta.url)
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(^|-)types\.ts$/.test(name))
  .map((name) => new URL(name, folder))

/** `table.column` of every column that the types declare, read from their text, sorted. */
export const typedColumns = (): string[] => {
  const columns: string[] = []
  let table = ''
  const lines = sources.flatMap((source) => readFileSync(source, 'utf8').split('\n'))
  for (const line of lines) {
    table = /^ {2}(\w+): \{$/.exec(line)?.[1] ?? table
    const column = /^ {4}(\w+): /.exec(line)?.[1]
    if (column) columns.push(`${table}.${column}`)
  }
  return columns.sort()
}
