import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { words } from '../words.en.ts'
import { type FieldOf, Fields, readFields, type Value, type Values } from './fields.tsx'
import { tellUndoable } from './undo.tsx'
import { isSame, rowIn, type Versioned } from './versions.ts'

const say = sayIn(words)

/** Changing something that others may be changing as well: what is sent is what was changed, with the version that was seen. */

export type Changes = Readonly<Record<string, Value>>

/** Of several the order says nothing. */
const comparable = ({ kind }: FieldOf, value: unknown): unknown =>
  kind === 'several' && Array.isArray(value) ? value.toSorted() : value

const isSameIn = (fields: readonly FieldOf[], name: string, a: unknown, b: unknown): boolean => {
  const field = fields.find((one) => one.name === name)
  return field ? isSame(comparable(field, a), comparable(field, b)) : isSame(a, b)
}

const changesOf = (fields: readonly FieldOf[], row: Values, written: Changes): Changes =>
  Object.fromEntries(
    Object.entries(written).filter(([name, value]) => !isSameIn(fields, name, row[name], value)),
  )

const told = ({ kind, options }: FieldOf, value: unknown): string => {
  if (value === null || value === undefined || value === '') return say('nothing')
  if (kind === 'secret') return '••••••'
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (Array.isArray(value) && value.length === 0) return say('nothing')
  if (kind === 'time') return dateTime(Number(value))
  const titleOf = (one: unknown): string =>
    options?.find(([known]) => known === String(one))?.[1] ?? String(one)
  return Array.isArray(value) ? value.map(titleOf).join(', ') : titleOf(value)
}

/** What was there before, where all of it can be known: nobody is shown a secret. */
const beforeOf = (fields: readonly FieldOf[], row: Values, changes: Changes): Changes | undefined => {
  const names = Object.keys(changes)
  const isKnown = (name: string) => {
    const field = fields.find((one) => one.name === name)
    return row[name] !== undefined && field?.kind !== 'secret' && (row[name] !== null || field?.isNullable)
  }
  return names.every(isKnown)
    ? Object.fromEntries(names.map((name) => [name, row[name] as Value]))
    : undefined
}

export interface Collision {
  readonly row: Values & Versioned
  readonly mine: Changes
}

interface CompareProps {
  readonly fields: readonly FieldOf[]
  readonly collision: Collision
  readonly send: (changes: Changes, version: number) => Promise<void>
}

/** Both beside each other, and a choice for each field. */
export const Compare = ({ fields, collision: { row, mine }, send }: CompareProps) => {
  const changed = fields.filter(({ name }) => name in mine)
  const save = (filled: Readonly<Record<string, string>>) => {
    const kept = Object.entries(mine).filter(([name]) => filled[name] !== 'theirs')
    return send(Object.fromEntries(kept), row.version)
  }
  return (
    <div class="notice" role="alert">
      <h3>{say('changedTitle')}</h3>
      <p>{say('changedText')}</p>
      <Form send={save} submit={say('saveAnyway')}>
        <div class="scroll">
          <table class="compare">
            <thead>
              <tr>
                <th scope="col">{say('field')}</th>
                <th scope="col">{say('theirs')}</th>
                <th scope="col">{say('mine')}</th>
              </tr>
            </thead>
            <tbody>
              {changed.map((field) => (
                <tr key={field.name}>
                  <th scope="row">{field.label}</th>
                  {(['theirs', 'mine'] as const).map((whose) => (
                    <td key={whose}>
                      <label class="row">
                        <input
                          type="radio"
                          name={field.name}
                          value={whose}
                          defaultChecked={whose === 'mine'}
                        />
                        {told(field, whose === 'mine' ? mine[field.name] : row[field.name])}
                      </label>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Form>
    </div>
  )
}

interface EditProps<R extends Versioned> {
  readonly row: R
  readonly fields: readonly FieldOf[]
  /** Sends what was changed and the version that was seen; answers the row as it is then. */
  readonly send: (body: Changes & Versioned) => Promise<R>
  readonly onSaved: (row: R) => void
  /** The row as its fields are filled in, where that is not as it is kept; `send` gets what was filled in. */
  readonly view?: (row: R) => Values
  readonly submit?: string
  readonly children?: ComponentChildren
}

const asItIs = (row: Versioned): Values => row as unknown as Values

/** What others changed beside these fields is no collision. */
const isAsSeen = (fields: readonly FieldOf[], row: Values, seen: Values): boolean =>
  fields.every(({ name }) => isSameIn(fields, name, row[name], seen[name]))

/** A row that is read anew meanwhile takes nothing away from what is being written. */
export const Edit = <R extends Versioned>({
  row: newest,
  fields,
  send,
  onSaved,
  view = asItIs,
  submit,
  children,
}: EditProps<R>) => {
  const collision = useSignal<(Collision & { readonly now: R }) | undefined>(undefined)
  const seen = useSignal(newest)
  const row = isAsSeen(fields, view(newest), view(seen.value)) ? newest : seen.value
  const saveAs = (saved: R) => {
    seen.value = saved
    onSaved(saved)
  }
  const sendChanges = async (changes: Changes, version: number): Promise<void> => {
    if (Object.keys(changes).length === 0) {
      if (collision.value) saveAs(collision.value.now)
      collision.value = undefined
      return void tell(say('unchanged'))
    }
    try {
      const saved = await send({ ...changes, version })
      const before = beforeOf(fields, view(collision.value?.now ?? row), changes)
      collision.value = undefined
      saveAs(saved)
      if (!before) return void tell(say('saved'))
      tellUndoable(say('saved'), async () => saveAs(await send({ ...before, version: saved.version })))
    } catch (error) {
      const now = rowIn(error) as unknown as R | undefined
      if (!now) throw error
      collision.value = { row: { ...view(now), version: now.version }, mine: changes, now }
    }
  }
  const sendFilled = (filled: Readonly<Record<string, string>>) =>
    sendChanges(changesOf(fields, view(row), readFields(fields, filled)), row.version)
  if (collision.value) return <Compare fields={fields} collision={collision.value} send={sendChanges} />
  return (
    <Form key={seen.value.version} send={sendFilled} submit={submit ?? say('save')}>
      <Fields fields={fields} values={view(row)} />
      {children}
    </Form>
  )
}
