import { latestTime } from '@sallyport/contract/shapes'
import type { TSchema } from 'typebox'

/** Answers as people read them: lists as tables, one thing as lines of names and values. */

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly maximum?: number
}

type Row = Readonly<Record<string, unknown>>

const longestCell = 40
const mostListed = 20
const gap = '  '

const valueSchema = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf?.find(({ type }) => type !== 'null') ?? schema

const isTime = (schema: Schema | undefined): boolean => valueSchema(schema)?.maximum === latestTime

/** By the clock of whoever reads. */
const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** No escape sequence of somebody's text reaches the terminal. */
const harmless = (text: string): string => text.replaceAll('\n', ' ').replaceAll(/\p{Cc}/gu, '')

/** A long one is counted. */
const listText = (values: readonly unknown[]): string =>
  values.length > mostListed
    ? `${values.slice(0, mostListed).join(', ')} … (${values.length} in all: --json)`
    : values.join(', ')

export const cellText = (value: unknown, schema: Schema | undefined): string => {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number' && isTime(schema)) return timeText(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every(isScalar)) return harmless(listText(value))
  return harmless(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Wide letters take two places. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (/\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\uffe6]/u.test(letter) ? 2 : 1),
    0,
  )

const shortened = (text: string): string =>
  [...text].length > longestCell ? `${[...text].slice(0, longestCell - 1).join('')}…` : text

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** Columns from the left, as many as there is room for. */
const fitting = (widths: readonly number[], room: number): number => {
  let taken = -gap.length
  const count = widths.findIndex((width) => {
    taken += gap.length + width
    return taken > room
  })
  return count === -1 ? widths.length : Math.max(1, count)
}

/** What fits between two columns. */
const isCell = (value: unknown): boolean => isScalar(value) || (Array.isArray(value) && value.every(isScalar))

export const tableText = (rows: readonly Row[], schema: Schema | undefined, room: number): string => {
  if (rows.length === 0) return 'Nothing.'
  const properties = schema?.properties ?? {}
  const known = Object.keys(properties)
  // What is the same nothing in every row would only push the rest out of sight.
  const isEmpty = (name: string) =>
    rows.every((row) => row[name] === null || row[name] === undefined || row[name] === '')
  const names = (known.length > 0 ? known : Object.keys(rows[0] as Row)).filter(
    (name) => rows.every((row) => isCell(row[name])) && !isEmpty(name),
  )
  const cells = rows.map((row) => names.map((name) => shortened(cellText(row[name], properties[name]))))
  const widths = names.map((name, n) =>
    Math.max(widthOf(name), ...cells.map((line) => widthOf(line[n] as string))),
  )
  const shown = fitting(widths, room)
  const line = (texts: readonly string[]) =>
    texts
      .slice(0, shown)
      .map((text, n) => padded(text, widths[n] as number))
      .join(gap)
      .trimEnd()
  const left = (known.length || names.length) - shown
  const note = left > 0 ? [`(${left} more ${left === 1 ? 'field' : 'fields'}: --json)`] : []
  return [line(names), ...cells.map(line), ...note].join('\n')
}

const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => !isScalar(one) && !Array.isArray(one))

const indented = (text: string): string => text.replaceAll(/^/gm, '  ')

const thingText = (thing: Row, schema: Schema | undefined, room: number): string => {
  const entries = Object.entries(thing)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries
    .map(([name, value]) => {
      const inner = valueSchema(schema?.properties?.[name])
      if (isRows(value)) return `${name}:\n${indented(tableText(value, inner?.items, room - 2))}`
      if (!isScalar(value) && !Array.isArray(value) && Object.keys(value as Row).length > 0) {
        return `${name}:\n${indented(thingText(value as Row, inner, room - 2))}`
      }
      return `${padded(name, width)}${gap}${cellText(value, inner)}`
    })
    .join('\n')
}

const listIn = (data: Row): { rows: readonly Row[]; name: 'items' | 'rows' } | undefined => {
  const name = (['items', 'rows'] as const).find((one) => Array.isArray(data[one]))
  return name && { rows: data[name] as readonly Row[], name }
}

/** `room` is the width of the terminal. */
export const answerText = (data: unknown, response: TSchema, room: number): string => {
  const schema = response as Schema
  if (Array.isArray(data)) {
    return data.every(isScalar)
      ? data.map((one) => cellText(one, schema.items)).join('\n') || 'Nothing.'
      : tableText(data as Row[], schema.items, room)
  }
  if (data === true) return 'Done.'
  if (isScalar(data)) return cellText(data, schema)
  const list = listIn(data as Row)
  if (!list) return thingText(data as Row, schema, room)
  const { [list.name]: _rows, ...others } = data as Row
  const table = tableText(list.rows, schema.properties?.[list.name]?.items, room)
  const { next_cursor: cursor, ...rest } = others
  const more = typeof cursor === 'string' ? [`More: --cursor ${cursor}`] : []
  const about = Object.keys(rest).length > 0 ? [thingText(rest, schema, room)] : []
  return [table, ...about, ...more].join('\n\n')
}
