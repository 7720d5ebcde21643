import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Confirm } from '../../../kit/dialog.tsx'

interface AskedProps {
  readonly text: string
  /** For a button whose text alone does not say what it is about. */
  readonly label?: string
  readonly title: string
  readonly yes: string
  readonly run: () => Promise<unknown>
  readonly disabled?: boolean
  readonly children: ComponentChildren
}

/** A button that asks before it does anything. */
export const Asked = ({ text, label, title, yes, run, disabled = false, children }: AskedProps) => {
  const isOpen = useSignal(false)
  return (
    <div class="act">
      <button
        type="button"
        class="danger"
        aria-label={label}
        disabled={disabled}
        onClick={() => {
          isOpen.value = true
        }}
      >
        {text}
      </button>
      <Confirm isOpen={isOpen} title={title} yes={yes} run={run}>
        {children}
      </Confirm>
    </div>
  )
}
