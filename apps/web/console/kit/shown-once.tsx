import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { Copyable } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export interface Secret {
  readonly text: string
  /** What it is good for, and until when. */
  readonly about: string
}

/** What the service tells once and never again. */
export const ShownOnce = ({
  of,
  title,
}: {
  readonly of: Signal<Secret | undefined>
  readonly title: string
}) => {
  const isOpen = useSignal(false)
  useSignalEffect(() => {
    if (of.value) isOpen.value = true
  })
  useSignalEffect(() => {
    if (!isOpen.value) of.value = undefined
  })
  return (
    <Dialog isOpen={isOpen} title={title}>
      {of.value && (
        <>
          <p>{of.value.about}</p>
          <Copyable text={of.value.text} />
          <p class="small">{say('shownOnce')}</p>
        </>
      )}
    </Dialog>
  )
}
