import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Act } from './act.tsx'
import { say } from './parts/say.ts'

interface DialogProps {
  readonly isOpen: Signal<boolean>
  readonly title: string
  readonly children: ComponentChildren
}

/** The browser's own: it holds the focus, gives it back, and closes by Escape or a press outside. */
export const Dialog = ({ isOpen, title, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useSignalEffect(() => {
    if (isOpen.value && !dialog.current?.open) dialog.current?.showModal()
    if (!isOpen.value && dialog.current?.open) dialog.current.close()
  })
  const close = () => {
    isOpen.value = false
  }
  const closeOutside = (event: Event) => {
    if (event.target === dialog.current) close()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog ref={dialog} aria-labelledby={id} onClose={close} onClick={closeOutside}>
      <div class="sheet">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon" aria-label={say('close')} onClick={close}>
            ✕
          </button>
        </header>
        {isOpen.value && children}
      </div>
    </dialog>
  )
}

interface ConfirmProps extends DialogProps {
  readonly yes: string
  readonly run: () => Promise<unknown>
  readonly isDanger?: boolean
}

/** Asks before what cannot be undone; the text says what will be lost. */
export const Confirm = ({ isOpen, title, children, yes, run, isDanger = true }: ConfirmProps) => (
  <Dialog isOpen={isOpen} title={title}>
    {children}
    <div class="acts">
      <Act
        kind={isDanger ? 'danger' : 'p'}
        run={async () => {
          await run()
          isOpen.value = false
        }}
      >
        {yes}
      </Act>
      <button
        type="button"
        onClick={() => {
          isOpen.value = false
        }}
      >
        {say('cancel')}
      </button>
    </div>
  </Dialog>
)

type ConfirmedProps = Pick<ConfirmProps, 'title' | 'yes' | 'run' | 'children'>

/** A button for what cannot be undone, which asks first. */
export const Confirmed = ({ yes, ...asked }: ConfirmedProps) => {
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  return (
    <>
      <button type="button" class="danger" onClick={open}>
        {yes}
      </button>
      <Confirm isOpen={isOpen} yes={yes} {...asked} />
    </>
  )
}
