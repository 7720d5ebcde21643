import type { Operation } from '@sallyport/contract/operation'
import type { TSchema } from 'typebox'
import type { Call, Handler } from '../core/call.ts'
import type { Answer } from './answer.ts'

/**
 * A list as a table for table programs: all of the filter, page by page from the same handler, so that neither the
 * service nor the database holds more than a page.
 */

const mostRows = 500
const byteOrderMark = '\uFEFF'

type Row = Readonly<Record<string, unknown>>
interface Page {
  readonly rows: readonly Row[]
  /** What to ask with for the next one; null when there is none. */
  readonly next: Row | null
}

interface Described {
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
}

/** Lists are arrays, or have their rows in `items` or `rows`. */
const rowSchemaOf = (schema: Described): Described =>
  (schema.items ??
    rowSchemaOf((schema.properties?.items ?? schema.properties?.rows) as Described)) as Described

/** A text that a table program would take for a formula begins with an apostrophe. */
const defused = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return quoted(defused(value))
  return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value)
}

/** Names and values in the order of the row's schema; what it does not declare is not shown. */
const writer = (names: readonly string[]) => ({
  head: `${byteOrderMark}${names.join(',')}\r\n`,
  lines: (rows: readonly Row[]) =>
    rows.map((row) => `${names.map((name) => cellOf(row[name])).join(',')}\r\n`).join(''),
})

const pageOf = (given: unknown, isPaged: boolean): Page => {
  if (Array.isArray(given)) {
    const last = given.at(-1) as Row | undefined
    return { rows: given, next: isPaged && given.length >= mostRows ? { before: last?.id } : null }
  }
  const { items, rows, next_cursor: cursor } = given as Record<string, Row[] & string>
  if (rows) return { rows, next: null }
  return { rows: items ?? [], next: cursor ? { cursor } : null }
}

/** Asks the handler for one page after another. */
export const csvAnswerer = (name: string, row: Operation, handler: Handler<Operation>) => {
  const { properties = {} } = rowSchemaOf(row.response[200] as Described)
  const { head, lines } = writer(Object.keys(properties))
  const isPaged = 'limit' in ((row.request.query as Described | undefined)?.properties ?? {})
  return async (call: Call<Operation>): Promise<Answer> => {
    const ask = async (next: Row): Promise<Page> => {
      const query = { ...(call.query as Row | undefined), ...(isPaged && { limit: mostRows }), ...next }
      return pageOf(await handler({ ...call, query } as Call<Operation>), isPaged)
    }
    // What is wrong with the request is said before the table begins.
    const first = await ask({})
    const table = async function* (): AsyncGenerator<string> {
      let rows = first.rows.length
      try {
        yield head + lines(first.rows)
        for (let page = first; page.next; ) {
          page = await ask(page.next)
          rows += page.rows.length
          yield lines(page.rows)
        }
      } finally {
        // Reading is not audited, but whole lists that leave the service are no everyday reading.
        const { operatorId } = call as { readonly operatorId?: number }
        call.log.info({ operatorId, operation: name, rows }, 'a list was taken as a table')
      }
    }
    return { status: 200, text: '', csv: table() }
  }
}
