import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Act } from '../../../kit/act.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { words } from '../words.en.ts'
import { type Column, Table } from './table.tsx'

const say = sayIn(words)

/** A list that is read page by page. */

export interface Page<T> {
  readonly items: readonly T[]
  /** What the next page begins with; null at the end. */
  readonly next: string | null
}

/** Of lists that answer rows alone, newest first: the next page is before the last id. */
export const before =
  <T extends { readonly id: string | number }>(limit: number) =>
  (items: readonly T[]): Page<T> => ({
    items,
    next: items.length < limit ? null : String(items.at(-1)?.id),
  })

export const pageSize = 50

interface ListProps<T> {
  /** Another name is another list: the filter belongs to it. */
  readonly name: string
  readonly read: (cursor: string | undefined) => Promise<Page<T>>
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string | number
  /** Where there is none. */
  readonly empty: ComponentChildren
}

interface MoreProps<T> extends ListProps<T> {
  readonly first: Page<T>
}

const Pages = <T,>({ first, read, caption, columns, keyOf, empty }: MoreProps<T>) => {
  const later = useSignal<readonly Page<T>[]>([])
  const pages = [first, ...later.value]
  const rows = pages.flatMap(({ items }) => items)
  const next = pages.at(-1)?.next ?? null
  const more = async () => {
    const page = await read(next ?? undefined)
    later.value = [...later.value, page]
  }
  if (rows.length === 0 && next === null) return <>{empty}</>
  return (
    <>
      <Table caption={caption} columns={columns} rows={rows} keyOf={keyOf} />
      {next !== null && (
        <div>
          <Act run={more}>{say('more')}</Act>
        </div>
      )}
    </>
  )
}

/** The first page as a resource, so that a write elsewhere can read it anew. */
export const useList = <T,>({ name, read }: Pick<ListProps<T>, 'name' | 'read'>): Resource<Page<T>> =>
  useResource(name, () => read(undefined))

export const List = <T,>(props: ListProps<T>) => {
  const list = useList(props)
  return (
    <Shown of={list} lines={6}>
      {(first) => <Pages key={`${props.name} ${first.items.map(props.keyOf)}`} {...props} first={first} />}
    </Shown>
  )
}

export const Nothing = ({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) => <Empty title={title}>{children}</Empty>
