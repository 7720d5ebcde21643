import type { Signal } from '@preact/signals'
import { Badge } from '../../kit/look.tsx'
import { date } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { protocolName } from '../owned/protocol-names.ts'
import { type Group, type Pickable, toggled } from './items.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const isWhole = ({ item }: Pickable): boolean => item.item_type === 'paid_option'

const legendOf = ({ kind, title = '' }: Group): string =>
  kind === 'option' ? say('option', { title }) : say(kind)

const aboutOf = (one: Pickable): string =>
  [
    isWhole(one) ? say('wholeText') : '',
    one.protocol === undefined ? '' : protocolName(one.protocol),
    one.expires_at === undefined ? '' : say('until', { date: date(one.expires_at) }),
  ]
    .filter(Boolean)
    .join(' · ')

interface OneProps {
  readonly one: Pickable
  readonly picked: Signal<readonly Pickable[]>
  readonly isFull: boolean
  readonly present: ReadonlySet<string>
}

const One = ({ one, picked, isFull, present }: OneProps) => {
  const isPicked = picked.value.some(({ key }) => key === one.key)
  const isInWhole =
    one.whole !== undefined && (present.has(one.whole) || picked.value.some(({ key }) => key === one.whole))
  const about = isInWhole ? say('inWhole') : aboutOf(one)
  return (
    <label>
      <input
        type="checkbox"
        checked={isPicked}
        disabled={isFull && !isPicked}
        onChange={() => {
          picked.value = toggled(picked.value, one)
        }}
      />
      <span class="what">
        <b>{isWhole(one) ? say('whole', { title: one.title }) : one.title}</b>
        {about !== '' && <span class="small">{about}</span>}
        {one.isOnline === false && <Badge tone="warn">{say('away')}</Badge>}
      </span>
    </label>
  )
}

interface PickerProps {
  readonly groups: readonly Group[]
  readonly picked: Signal<readonly Pickable[]>
  /** How many may be picked. */
  readonly most: number
  /** The keys of what is there already. */
  readonly present?: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()

/** Several of everything that works now, by kind. */
export const Picker = ({ groups, picked, most, present = nothing }: PickerProps) => {
  const count = picked.value.length
  return (
    <>
      {groups.map((group) => (
        <fieldset key={group.kind + group.title} class="choice">
          <legend>{legendOf(group)}</legend>
          {group.items.map((one) => (
            <One key={one.key} one={one} picked={picked} isFull={count >= most} present={present} />
          ))}
        </fieldset>
      ))}
      <p class="small" role="status">
        {count >= most ? say('full', { most }) : say('picked', { n: count, most })}
      </p>
    </>
  )
}
