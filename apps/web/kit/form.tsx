import { type Signal, signal, useSignal } from '@preact/signals'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useMemo } from 'preact/hooks'
import { SallyportError } from '../lib/send.ts'
import { langOf, Problem } from './problem.tsx'

/** A native form. The service validates, and what it says stands beside its field. */

export type Filled = Readonly<Record<string, string>>

type Refused = SallyportError['details'][number]

interface State {
  readonly error: Signal<unknown>
  /** Fields that say for themselves what is wrong with them. */
  readonly names: Set<string>
}

const Context = createContext<State>({ error: signal(undefined), names: new Set() })

const isWithin = (path: string, name: string): boolean =>
  path === name || (path.startsWith(name) && /^[.[]/.test(path.slice(name.length)))

interface FormProps {
  /** Gets what was filled in, by the names of fields. */
  readonly send: (filled: Filled) => Promise<unknown>
  readonly submit: string
  readonly children: ComponentChildren
  readonly kind?: 'p' | 'danger'
  readonly disabled?: boolean
  readonly isSpending?: boolean
}

/** What the service said of a field, and of what is inside it. */
export const useProblems = (name: string): readonly Refused[] => {
  const { error, names } = useContext(Context)
  names.add(name)
  const reason = error.value
  return reason instanceof SallyportError ? reason.details.filter(({ path }) => isWithin(path, name)) : []
}

export const Form = ({
  send,
  submit,
  children,
  kind = 'p',
  disabled = false,
  isSpending = false,
}: FormProps) => {
  const error = useSignal<unknown>(undefined)
  const isBusy = useSignal(false)
  const state = useMemo(() => ({ error, names: new Set<string>() }), [error])
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const filled = Object.fromEntries(
      [...new FormData(event.currentTarget as HTMLFormElement)].map(([name, value]) => [name, String(value)]),
    )
    isBusy.value = true
    error.value = undefined
    try {
      await send(filled)
    } catch (reason) {
      error.value = reason
    }
    isBusy.value = false
  }
  return (
    <form onSubmit={onSubmit}>
      <Context.Provider value={state}>{children}</Context.Provider>
      {error.value !== undefined && (
        <Problem
          error={error.value}
          isSpending={isSpending}
          isMarked={(path) => [...state.names].some((name) => isWithin(path, name))}
        />
      )}
      <button type="submit" class={kind} aria-busy={isBusy.value} disabled={disabled}>
        {submit}
      </button>
    </form>
  )
}

interface Wiring {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** The input itself, which takes what ties it to its label, hint and problem. */
  readonly children: (wiring: Wiring) => ComponentChildren
}

export const Field = ({ name, label, hint, children }: FieldProps) => {
  const id = useId()
  const problems = useProblems(name).map(({ problem }) => problem)
  const isTold = hint !== undefined || problems.length > 0
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        'aria-describedby': isTold ? `${id}-told` : undefined,
        'aria-invalid': problems.length > 0,
      })}
      {isTold && (
        <div id={`${id}-told`} class="small">
          {problems.map((problem) => (
            <p key={problem} class="bad" lang={langOf(problem)}>
              {problem}
            </p>
          ))}
          {hint !== undefined && <p>{hint}</p>}
        </div>
      )}
    </div>
  )
}
