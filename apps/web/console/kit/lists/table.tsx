import type { ComponentChildren } from 'preact'
import { route, useLocation } from '../../../lib/router.ts'
import { asking } from '../../paths.ts'

/** Rows on a desk, cards on a phone. */

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
  readonly isNumber?: boolean
  /** On a phone it needs no title. */
  readonly isAlone?: boolean
  /** What the list calls this order, from the smallest and from the largest. */
  readonly sort?: readonly [up: string, down: string]
}

interface TableProps<T> {
  /** What the rows are, for those who do not see. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string | number
}

const ariaSort = (sorted: string | undefined, [up, down]: readonly [string, string]) => {
  if (sorted === up) return 'ascending'
  return sorted === down ? 'descending' : undefined
}

/** The order stands in the address, so that it is shared with it. */
const SortedHead = <T,>({ title, sort, isNumber }: Column<T>) => {
  const { path, query } = useLocation()
  if (!sort) return <th class={isNumber ? 'number' : undefined}>{title}</th>
  const state = ariaSort(query.sort, sort)
  const turn = () => route(asking(path, { ...query, sort: query.sort === sort[1] ? sort[0] : sort[1] }), true)
  return (
    <th class={isNumber ? 'number' : undefined} aria-sort={state}>
      <button type="button" class="link" onClick={turn}>
        {title} <span aria-hidden="true">{state ? (state === 'ascending' ? '↑' : '↓') : '↕'}</span>
      </button>
    </th>
  )
}

const classOf = <T,>({ isNumber, isAlone }: Column<T>): string | undefined =>
  [isNumber && 'number', isAlone && 'alone'].filter(Boolean).join(' ') || undefined

export const Table = <T,>({ caption, columns, rows, keyOf }: TableProps<T>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than its place is moved by keys.
  // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark, of which there are enough.
  <div class="table" role="group" aria-label={caption} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <SortedHead key={column.title} {...column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} class={classOf(column)} data-title={column.title}>
                <div>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
