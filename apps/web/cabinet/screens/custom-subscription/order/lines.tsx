import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Badge } from '../../../../kit/look.tsx'
import { protocolName } from '../../../owned/protocol-names.ts'
import { to } from '../../../paths.ts'
import { itemKey, moved } from '../../../subscription-items/items.ts'
import { say } from '../say.ts'
import { shiftOf, useDrag } from './drag.ts'
import type { Entry } from './entry.ts'

const kinds = {
  user_config: 'kindConfig',
  cloud_server_config: 'kindCloud',
  paid_option: 'kindOption',
  paid_option_index: 'kindOptionPart',
  paid_option_config: 'kindOptionPart',
} as const

const nameOf = ({ resolved_title }: Entry): string => resolved_title ?? say('goneName')

/** Where it is renewed. */
const homeOf = ({ item_type, item_reference_id: id }: Entry): string | undefined => {
  if (item_type === 'user_config') return to('/configs/:id', { id })
  return item_type === 'paid_option' || item_type === 'paid_option_index'
    ? to('/options/:id', { id })
    : undefined
}

const Invalid = ({ entry }: { readonly entry: Entry }) => {
  const home = homeOf(entry)
  if (entry.resolved_title === null)
    return (
      <>
        <Badge tone="bad">{say('gone')}</Badge>
        <p class="small">{say('goneText')}</p>
      </>
    )
  return (
    <>
      <Badge tone="warn">{say('ended')}</Badge>
      <p class="small">
        {say('endedText')} {home && <a href={home}>{say('toRenew')}</a>}
      </p>
    </>
  )
}

type Button = 'grip' | 'up' | 'down' | 'remove'

interface LineProps {
  readonly entry: Entry
  readonly at: number
  readonly count: number
  readonly move: (by: number, from: Button) => void
  readonly remove: () => void
  readonly drag: (event: PointerEvent) => void
}

const arrows: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

const Grip = ({ entry, move, drag }: Pick<LineProps, 'entry' | 'move' | 'drag'>) => (
  <button
    type="button"
    class="icon grip"
    aria-label={say('grip', { name: nameOf(entry) })}
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

const Keys = ({ entry, at, count, move, remove }: Omit<LineProps, 'drag'>) => {
  const name = nameOf(entry)
  return (
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
      <button
        type="button"
        class="icon remove"
        aria-label={say('remove', { name })}
        disabled={count === 1}
        onClick={remove}
      >
        ✕
      </button>
    </div>
  )
}

const Line = (props: LineProps) => {
  const { entry, move, drag } = props
  const about = [
    say(kinds[entry.item_type]),
    entry.server_config ? protocolName(entry.server_config.protocol) : '',
  ]
  return (
    <>
      <Grip entry={entry} move={move} drag={drag} />
      <div class="what">
        <b>{nameOf(entry)}</b>
        <p class="small">{about.filter(Boolean).join(' · ')}</p>
        {!entry.is_valid && <Invalid entry={entry} />}
      </div>
      <Keys {...props} />
    </>
  )
}

interface LinesProps {
  readonly entries: readonly Entry[]
  readonly change: (entries: readonly Entry[]) => void
}

/** What moves and takes out, and says so. Moving a row takes the focus from it, so that it is given back. */
const useMoves = (list: RefObject<HTMLElement | null>, { entries, change }: LinesProps) => {
  const said = useSignal('')
  const refocus = useRef<{ readonly at: number; readonly button: Button } | undefined>(undefined)
  const put = (from: number, place: number, button?: Button) => {
    const next = moved(entries, from, place)
    if (next === entries) return
    const entry = entries[from] as Entry
    said.value = say('movedTo', { name: nameOf(entry), n: next.indexOf(entry) + 1, all: next.length })
    if (button) refocus.current = { at: next.indexOf(entry), button }
    change(next)
  }
  const remove = (at: number) => {
    said.value = say('removed', { name: nameOf(entries[at] as Entry) })
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

/** The items in their order. */
export const Lines = (props: LinesProps) => {
  const { entries } = props
  const list = useRef<HTMLOListElement>(null)
  const { said, put, remove } = useMoves(list, props)
  const { dragged, start } = useDrag(list, put)
  const held = dragged.value
  return (
    <>
      <ol ref={list} class={held ? 'list order moving' : 'list order'}>
        {entries.map((entry, at) => {
          const shift = shiftOf(held, at)
          return (
            <li
              key={itemKey(entry)}
              class={held?.from === at ? 'held' : undefined}
              style={{ transform: shift === 0 ? '' : `translateY(${shift}px)` }}
            >
              <Line
                entry={entry}
                at={at}
                count={entries.length}
                move={(by, button) => put(at, at + by, button)}
                remove={() => remove(at)}
                drag={(event) => start(at, event)}
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
