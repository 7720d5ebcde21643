import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { sayIn } from '../../lib/language.ts'
import { shiftOf, useDrag } from './drag.ts'
import { moved } from './places.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Button = 'grip' | 'up' | 'down' | 'remove'

interface LineProps {
  readonly name: string
  readonly at: number
  readonly count: number
  readonly least: number
  readonly move: (by: number, from: Button) => void
  readonly remove: (() => void) | undefined
  readonly drag: (event: PointerEvent) => void
  readonly more: ComponentChildren
}

const arrows: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

const Grip = ({ name, move, drag }: Pick<LineProps, 'name' | 'move' | 'drag'>) => (
  <button
    type="button"
    class="icon grip"
    aria-label={say('grip', { name })}
    onPointerDown={drag}
    onKeyDown={(event) => {
      const by = arrows[event.key]
      if (by === undefined) return
      event.preventDefault()
      move(by, 'grip')
    }}
  >
    ⠿
  </button>
)

const Keys = ({ name, at, count, least, move, remove, more }: Omit<LineProps, 'drag'>) => (
  <div class="keys">
    {/* Those that cannot go further stay to be found by the keyboard. */}
    <button
      type="button"
      class="icon up"
      aria-label={say('up', { name })}
      aria-disabled={at === 0}
      onClick={() => move(-1, 'up')}
    >
      ↑
    </button>
    <button
      type="button"
      class="icon down"
      aria-label={say('down', { name })}
      aria-disabled={at === count - 1}
      onClick={() => move(1, 'down')}
    >
      ↓
    </button>
    {remove && (
      <button
        type="button"
        class="icon remove"
        aria-label={say('remove', { name })}
        disabled={count <= least}
        onClick={remove}
      >
        ✕
      </button>
    )}
    {more}
  </div>
)

interface OrderedProps<T> {
  readonly entries: readonly T[]
  readonly keyOf: (entry: T) => string | number
  readonly nameOf: (entry: T) => string
  readonly change: (entries: readonly T[]) => void
  /** What stands in a row. */
  readonly children: (entry: T) => ComponentChildren
  /** So many stay in any case. */
  readonly least?: number
  /** None can be taken out. */
  readonly isWhole?: boolean
  /** What else can be done with a row, after what moves it. */
  readonly more?: (entry: T) => ComponentChildren
}

type Moving<T> = Pick<OrderedProps<T>, 'entries' | 'nameOf' | 'change'>

/** What moves and takes out, and says so. Moving a row takes the focus from it, so that it is given back. */
const useMoves = <T,>(list: RefObject<HTMLElement | null>, { entries, nameOf, change }: Moving<T>) => {
  const said = useSignal('')
  const refocus = useRef<{ readonly at: number; readonly button: Button } | undefined>(undefined)
  const put = (from: number, place: number, button?: Button) => {
    const next = moved(entries, from, place)
    if (next === entries) return
    const entry = entries[from] as T
    said.value = say('movedTo', { name: nameOf(entry), n: next.indexOf(entry) + 1, all: next.length })
    if (button) refocus.current = { at: next.indexOf(entry), button }
    change(next)
  }
  const remove = (at: number) => {
    said.value = say('removed', { name: nameOf(entries[at] as T) })
    refocus.current = { at: Math.min(at, entries.length - 2), button: 'grip' }
    change(entries.filter((_, other) => other !== at))
  }
  useLayoutEffect(() => {
    const wanted = refocus.current
    refocus.current = undefined
    if (wanted) list.current?.children[wanted.at]?.querySelector<HTMLElement>(`.${wanted.button}`)?.focus()
  })
  return { said, put, remove }
}

/** Rows in their order, which is changed by dragging and by keys. */
export const Ordered = <T,>(props: OrderedProps<T>) => {
  const { entries, keyOf, nameOf, change, children, least = 1, isWhole = false, more } = props
  const list = useRef<HTMLOListElement>(null)
  const { said, put, remove } = useMoves(list, { entries, nameOf, change })
  const { dragged, start } = useDrag(list, put)
  const held = dragged.value
  return (
    <>
      <ol ref={list} class={held ? 'list order moving' : 'list order'}>
        {entries.map((entry, at) => {
          const shift = shiftOf(held, at)
          const moves = {
            name: nameOf(entry),
            move: (by: number, button: Button) => put(at, at + by, button),
          }
          return (
            <li
              key={keyOf(entry)}
              class={held?.from === at ? 'held' : undefined}
              style={{ transform: shift === 0 ? '' : `translateY(${shift}px)` }}
            >
              <Grip {...moves} drag={(event) => start(at, event)} />
              <div class="what">{children(entry)}</div>
              <Keys
                {...moves}
                at={at}
                count={entries.length}
                least={least}
                remove={isWhole ? undefined : () => remove(at)}
                more={more?.(entry)}
              />
            </li>
          )
        })}
      </ol>
      <p class="hidden" aria-live="assertive">
        {said.value}
      </p>
    </>
  )
}
