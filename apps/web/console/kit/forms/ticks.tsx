import type { ComponentChildren } from 'preact'
import { useProblems } from '../../../kit/form.tsx'
import { langOf } from '../../../kit/problem.tsx'

/** Any of several, in a form. */

export interface Tickable {
  readonly value: string | number
  readonly title: ComponentChildren
  /** Beneath, what helps to choose. */
  readonly text?: ComponentChildren
}

interface TicksProps {
  /** As the operation calls it. */
  readonly name: string
  readonly legend: string
  readonly hint?: string
  readonly options: readonly Tickable[]
  /** What is chosen already. */
  readonly ticked?: readonly (string | number)[]
}

/** More of them than these move in a place of their own. */
const manyOptions = 12

export const Ticks = ({ name, legend, hint, options, ticked = [] }: TicksProps) => {
  const problems = useProblems(name)
  return (
    <fieldset class="ticks">
      <legend>{legend}</legend>
      {hint !== undefined && <p class="small">{hint}</p>}
      {problems.map(({ problem }) => (
        <p key={problem} class="small bad" role="alert" lang={langOf(problem)}>
          {problem}
        </p>
      ))}
      <div class={options.length > manyOptions ? 'many' : undefined}>
        {options.map(({ value, title, text }) => (
          <label key={value}>
            <input type="checkbox" name={`${name}:${value}`} defaultChecked={ticked.includes(value)} />
            <span>
              {title}
              {text !== undefined && <span class="small">{text}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** What was chosen, in the order in which it was offered. */
export const tickedIn = (filled: Readonly<Record<string, string>>, name: string): string[] =>
  Object.keys(filled)
    .filter((one) => one.startsWith(`${name}:`))
    .map((one) => one.slice(name.length + 1))
