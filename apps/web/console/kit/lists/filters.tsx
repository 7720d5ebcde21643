import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { sayIn } from '../../../lib/language.ts'
import { route, useLocation } from '../../../lib/router.ts'
import { asking } from '../../paths.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

/** Filters are the address: shared with it, and back leads to the ones before. */

const useFilter = (name: string) => {
  const { path, query } = useLocation()
  const set = (value: string) => route(asking(path, { ...query, [name]: value || undefined }), true)
  return { value: query[name] ?? '', set }
}

interface FilterProps {
  readonly name: string
  readonly label: string
}

interface ChosenProps extends FilterProps {
  readonly options: readonly (readonly [value: string, title: string])[]
  /** What it means to have chosen none. */
  readonly unset?: string
}

export const ChosenFilter = ({ name, label, options, unset = say('any') }: ChosenProps) => {
  const { value, set } = useFilter(name)
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{unset}</option>
        {options.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

interface WrittenProps extends FilterProps {
  readonly type?: 'text' | 'number' | 'date'
  readonly hint?: string
}

export const WrittenFilter = ({ name, label, type = 'text', hint }: WrittenProps) => {
  const { value, set } = useFilter(name)
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        key={value}
        id={id}
        {...({ type } as { readonly type: 'text' })}
        defaultValue={value}
        placeholder={hint}
        autocomplete="off"
        onChange={(event) => set(event.currentTarget.value.trim())}
      />
    </div>
  )
}

export const Filters = ({ children }: { readonly children: ComponentChildren }) => {
  const { path, query } = useLocation()
  return (
    <div class="filters">
      {children}
      {Object.keys(query).length > 0 && (
        <button type="button" class="link" onClick={() => route(path, true)}>
          {say('clear')}
        </button>
      )}
    </div>
  )
}
