import { useId } from 'preact/hooks'
import { Field } from '../../../kit/form.tsx'
import { Ticks, tickedIn } from './ticks.tsx'

/** Fields of what an operator decides, as data; forms that change and forms that make are both written so. */

export interface FieldOf {
  /** As the operation calls it. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Lines: several of them, one a line. Several: any of the options. What is secret is never read back: left empty, it stays as it is. */
  readonly kind?: 'text' | 'long' | 'lines' | 'number' | 'check' | 'choice' | 'several' | 'time' | 'secret'
  /** Of a choice, and of several: values, what they are called, and what they mean. */
  readonly options?: readonly (readonly [value: string, title: string, text?: string])[]
  /** Nothing written means that there is none. */
  readonly isNullable?: boolean
  readonly isRequired?: boolean
  /** Of a choice whose values are numbers. */
  readonly isNumeric?: boolean
}

export type Value = string | number | boolean | null | undefined | readonly string[]
export type Values = Readonly<Record<string, unknown>>

const two = (value: number): string => String(value).padStart(2, '0')

/** As fields for times hold it, in the browser's zone. */
const localTime = (seconds: number): string => {
  const at = new Date(seconds * 1000)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

const shown = ({ kind }: FieldOf, value: unknown): string => {
  if (isAbsent(value)) return ''
  if (Array.isArray(value)) return value.join('\n')
  return kind === 'time' ? localTime(Number(value)) : String(value)
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const readText = (field: FieldOf, text: string): Value => {
  if (field.kind === 'lines') return linesOf(text)
  const isLeftOut = field.kind === 'number' || field.kind === 'time' || field.kind === 'secret'
  if (text === '' && (field.isNullable || isLeftOut)) return field.isNullable ? null : undefined
  if (field.kind === 'number' || field.isNumeric) return Number(text)
  return field.kind === 'time' ? Math.floor(new Date(text).getTime() / 1000) : text
}

const readField = (field: FieldOf, filled: Readonly<Record<string, string>>): Value => {
  if (field.kind === 'several') return tickedIn(filled, field.name)
  if (field.kind === 'check') return filled[field.name] === 'on'
  return readText(field, (filled[field.name] ?? '').trim())
}

/** What was written, as the operation takes it; what is left empty and may not be null is left out. */
export const readFields = (
  fields: readonly FieldOf[],
  filled: Readonly<Record<string, string>>,
): Record<string, Value> =>
  Object.fromEntries(
    fields
      .map((field): [string, Value] => [field.name, readField(field, filled)])
      .filter(([, value]) => value !== undefined),
  )

const CheckField = ({ field, value }: { readonly field: FieldOf; readonly value: unknown }) => {
  const id = useId()
  return (
    <div class="switch">
      <label for={id}>{field.label}</label>
      <input id={id} type="checkbox" name={field.name} defaultChecked={value === true} />
      {field.hint !== undefined && <p class="small">{field.hint}</p>}
    </div>
  )
}

const inputTypes = { number: 'number', time: 'datetime-local', secret: 'password' } as const

const Written = ({ field, value }: { readonly field: FieldOf; readonly value: unknown }) => (
  <Field name={field.name} label={field.label} hint={field.hint}>
    {(wiring) => {
      const given = { ...wiring, required: field.isRequired === true }
      if (field.kind === 'long' || field.kind === 'lines')
        return <textarea {...given} rows={4} defaultValue={shown(field, value)} />
      if (field.kind === 'choice')
        return (
          <select {...given} defaultValue={shown(field, value)}>
            {(field.isNullable || isAbsent(value)) && <option value="">—</option>}
            {field.options?.map(([one, title]) => (
              <option key={one} value={one} selected={one === shown(field, value)}>
                {title}
              </option>
            ))}
          </select>
        )
      const type = inputTypes[field.kind as keyof typeof inputTypes] ?? 'text'
      return (
        <input
          {...given}
          type={type}
          step={type === 'number' ? 'any' : undefined}
          autocomplete={field.kind === 'secret' ? 'new-password' : 'off'}
          defaultValue={shown(field, value)}
        />
      )
    }}
  </Field>
)

const SeveralField = ({ field, value }: { readonly field: FieldOf; readonly value: unknown }) => (
  <Ticks
    name={field.name}
    legend={field.label}
    {...(field.hint !== undefined && { hint: field.hint })}
    options={(field.options ?? []).map(([one, title, text]) => ({ value: one, title, text }))}
    ticked={Array.isArray(value) ? value : []}
  />
)

const One = ({ field, value }: { readonly field: FieldOf; readonly value: unknown }) => {
  if (field.kind === 'check') return <CheckField field={field} value={value} />
  if (field.kind === 'several') return <SeveralField field={field} value={value} />
  return <Written field={field} value={value} />
}

interface FieldsProps {
  readonly fields: readonly FieldOf[]
  readonly values?: Values
}

export const Fields = ({ fields, values = {} }: FieldsProps) => (
  <>
    {fields.map((field) => (
      <One key={field.name} field={field} value={values[field.name]} />
    ))}
  </>
)
