import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface Choosable<V extends string | number> {
  readonly value: V
  readonly title: ComponentChildren
  /** One sentence beneath. */
  readonly text?: ComponentChildren
  /** What stands at the right: a price, free places. */
  readonly side?: ComponentChildren
  readonly disabled?: boolean
}

interface ChoiceProps<V extends string | number> {
  readonly legend: string
  readonly options: readonly Choosable<V>[]
  readonly value: V | undefined
  readonly onChoose: (value: V) => void
}

/** One of several, as cards over native radio buttons. */
export const Choice = <V extends string | number>({ legend, options, value, onChoose }: ChoiceProps<V>) => {
  const name = useId()
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChoose(option.value)}
          />
          <span class="what">
            <b>{option.title}</b>
            {option.text !== undefined && <span class="small">{option.text}</span>}
          </span>
          {option.side !== undefined && <span class="side">{option.side}</span>}
        </label>
      ))}
    </fieldset>
  )
}

interface SwitchProps {
  readonly label: ComponentChildren
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly hint?: ComponentChildren
  readonly disabled?: boolean
}

/** On or off, with what it does beneath. */
export const Switch = ({ label, isOn, onChange, hint, disabled = false }: SwitchProps) => {
  const id = useId()
  return (
    <div class="switch">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="small">
          {hint}
        </p>
      )}
    </div>
  )
}
