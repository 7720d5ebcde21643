import { useId } from 'preact/hooks'
import { useProblems } from '../../../kit/form.tsx'
import { langOf } from '../../../kit/problem.tsx'

/** Any number of what there is, each with what it means. */

interface SeveralField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly options?: readonly (readonly [value: string, title: string, text?: string])[]
}

const nameOf = (field: SeveralField, value: string): string => `${field.name}:${value}`

/** In the order of what there is. */
export const readSeveral = (
  field: SeveralField,
  filled: Readonly<Record<string, string>>,
): readonly string[] =>
  (field.options ?? []).map(([value]) => value).filter((value) => filled[nameOf(field, value)] === 'on')

interface SeveralProps {
  readonly field: SeveralField
  readonly value: unknown
}

export const Several = ({ field, value }: SeveralProps) => {
  const id = useId()
  const problems = useProblems(field.name).map(({ problem }) => problem)
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const isTold = field.hint !== undefined || problems.length > 0
  return (
    <fieldset class="several" aria-describedby={isTold ? `${id}-told` : undefined}>
      <legend>{field.label}</legend>
      {isTold && (
        <div id={`${id}-told`} class="small">
          {field.hint !== undefined && <p>{field.hint}</p>}
          {problems.map((problem) => (
            <p key={problem} class="bad" lang={langOf(problem)}>
              {problem}
            </p>
          ))}
        </div>
      )}
      {field.options?.map(([one, title, text]) => (
        <label key={one}>
          <input type="checkbox" name={nameOf(field, one)} defaultChecked={chosen.includes(one)} />
          <span>
            {title}
            {text !== undefined && <span class="small">{text}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
