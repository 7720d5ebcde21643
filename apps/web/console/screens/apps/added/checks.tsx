import { useId } from 'preact/hooks'
import { useProblems } from '../../../../kit/form.tsx'
import { langOf } from '../../../../kit/problem.tsx'
import { boxOf } from './read.ts'

interface ChecksProps {
  readonly name: string
  readonly legend: string
  readonly hint?: string
  readonly options: readonly (readonly [value: string, title: string])[]
  readonly chosen: readonly string[]
}

/** Some of several, as boxes. */
export const Checks = ({ name, legend, hint, options, chosen }: ChecksProps) => {
  const id = useId()
  const problems = useProblems(name)
  return (
    <fieldset class="field" aria-describedby={`${id}-told`}>
      <legend>{legend}</legend>
      <div class="checks">
        {options.map(([value, title]) => (
          <label key={value}>
            <input type="checkbox" name={boxOf(name, value)} defaultChecked={chosen.includes(value)} />
            {title}
          </label>
        ))}
      </div>
      <div id={`${id}-told`} class="small">
        {problems.map(({ problem }) => (
          <p key={problem} class="bad" lang={langOf(problem)}>
            {problem}
          </p>
        ))}
        {hint !== undefined && <p>{hint}</p>}
      </div>
    </fieldset>
  )
}
