import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Problem } from './problem.tsx'

interface ActProps {
  readonly run: () => Promise<unknown>
  readonly children: ComponentChildren
  /** p: the main one on its screen; danger: what cannot be undone; link: among text. */
  readonly kind?: 'p' | 'danger' | 'link'
  readonly disabled?: boolean
  /** For a button whose text alone does not say what it does. */
  readonly label?: string
  readonly isSpending?: boolean
}

/** A button that works for a while: it says so, cannot be pressed twice, and tells beneath what went wrong. */
export const Act = ({ run, children, kind, disabled = false, label, isSpending = false }: ActProps) => {
  const isBusy = useSignal(false)
  const error = useSignal<unknown>(undefined)
  const press = async () => {
    if (isBusy.value) return
    isBusy.value = true
    error.value = undefined
    try {
      await run()
    } catch (reason) {
      error.value = reason
    }
    isBusy.value = false
  }
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-label={label}
        aria-busy={isBusy.value}
        disabled={disabled}
        onClick={press}
      >
        {children}
      </button>
      {error.value !== undefined && (
        <Problem error={error.value} isSpending={isSpending} onRetry={isSpending ? press : undefined} />
      )}
    </>
  )
}
