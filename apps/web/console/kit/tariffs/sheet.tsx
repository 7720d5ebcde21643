import type { Signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { money } from '../../../lib/format.ts'
import { SaleProblem } from '../catalogue/sale.tsx'
import { type Column, Table } from '../lists/table.tsx'
import { type Method, methodTitle } from './methods.ts'
import { type Cell, noCell, numberIn, type SheetRow } from './prices.ts'
import { say } from './say.ts'

/** Lengths by methods, to be written in. */

const lengthOf = ({ days }: SheetRow): string => say('days', { n: numberIn(days) || 0 })

interface CellProps {
  readonly row: SheetRow
  readonly method: Method
  readonly hasOld: boolean
  readonly write: (cell: Cell) => void
}

const PriceCell = ({ row, method, hasOld, write }: CellProps) => {
  const cell = row.cells[method.id] ?? noCell
  const place = say('place', { days: lengthOf(row), method: methodTitle(method) })
  return (
    <>
      <input
        aria-label={say('price', { place })}
        inputMode="decimal"
        autocomplete="off"
        value={cell.price}
        onInput={(event) => write({ ...cell, price: event.currentTarget.value })}
      />
      {hasOld && (
        <input
          class="old"
          aria-label={say('old', { place })}
          placeholder={say('oldShort')}
          inputMode="decimal"
          autocomplete="off"
          value={cell.old}
          onInput={(event) => write({ ...cell, old: event.currentTarget.value })}
        />
      )}
    </>
  )
}

interface LengthProps {
  readonly row: SheetRow
  readonly problem: string | null
  readonly write: (days: string) => void
}

/** Whoever adds a length writes it next. */
const NewLength = ({ row, write }: Omit<LengthProps, 'problem'>) => {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  return (
    <input
      ref={input}
      aria-label={say('daysOf')}
      placeholder={say('daysShort')}
      inputMode="numeric"
      autocomplete="off"
      value={row.days}
      onInput={(event) => write(event.currentTarget.value)}
    />
  )
}

const Length = ({ row, problem, write }: LengthProps) =>
  row.isNew ? (
    <NewLength row={row} write={write} />
  ) : (
    <>
      <b class="nowrap">{lengthOf(row)}</b>
      {problem !== null && <SaleProblem of={problem} />}
    </>
  )

interface SheetProps {
  readonly caption: string
  readonly rows: Signal<readonly SheetRow[]>
  readonly methods: readonly Method[]
  readonly hasOld: boolean
  /** What keeps a length from being sold. */
  readonly problemOf: (days: number) => string | null
}

export const Sheet = ({ caption, rows, methods, hasOld, problemOf }: SheetProps) => {
  const change = (key: number, changed: Partial<SheetRow>) => {
    rows.value = rows.value.map((row) => (row.key === key ? { ...row, ...changed } : row))
  }
  const columns: readonly Column<SheetRow>[] = [
    {
      title: say('length'),
      cell: (row) => (
        <Length
          row={row}
          problem={row.isNew ? null : problemOf(numberIn(row.days))}
          write={(days) => change(row.key, { days })}
        />
      ),
    },
    ...methods.map((method) => ({
      title: methodTitle(method),
      cell: (row: SheetRow) => (
        <PriceCell
          row={row}
          method={method}
          hasOld={hasOld}
          write={(cell) => change(row.key, { cells: { ...row.cells, [method.id]: cell } })}
        />
      ),
    })),
    {
      title: say('does'),
      isAlone: true,
      cell: (row) => (
        <button
          type="button"
          class="icon"
          aria-label={say('remove', { days: lengthOf(row) })}
          onClick={() => (rows.value = rows.value.filter(({ key }) => key !== row.key))}
        >
          ✕
        </button>
      ),
    },
  ]
  return (
    <div class="prices">
      <Table caption={caption} columns={columns} rows={rows.value} keyOf={({ key }) => key} />
    </div>
  )
}

interface ListedProps {
  readonly caption: string
  readonly rows: readonly SheetRow[]
  readonly methods: readonly Method[]
}

/** For those who may look only. */
export const Listed = ({ caption, rows, methods }: ListedProps) => (
  <Table
    caption={caption}
    rows={rows}
    keyOf={({ key }) => key}
    columns={[
      { title: say('length'), cell: lengthOf },
      ...methods.map((method) => ({
        title: methodTitle(method),
        isNumber: true,
        cell: ({ cells }: SheetRow) => {
          const { price, old } = cells[method.id] ?? noCell
          if (price === '') return '–'
          return (
            <>
              {money(Number(price), method.currency)} {old !== '' && <s class="small">{old}</s>}
            </>
          )
        },
      })),
    ]}
  />
)
