import { readFileSync } from 'node:fs'

const source = new URL('../../apps/server/db/types.ts', import.meta.url)

/** `table.column` of every column that types.ts declares, read from its text, sorted. */
export const typedColumns = (): string[] => {
  const columns: string[] = []
  let table = ''
  for (const line of readFileSync(source, 'utf8').split('\n')) {
    table = /^ {2}(\w+): \{$/.exec(line)?.[1] ?? table
    const column = /^ {4}(\w+): /.exec(line)?.[1]
    if (column) columns.push(`${table}.${column}`)
  }
  return columns.sort()
}
