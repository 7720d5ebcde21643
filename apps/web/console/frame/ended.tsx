import { useSignal, useSignalEffect } from '@preact/signals'
import { Dialog } from '../../kit/dialog.tsx'
import { sayIn } from '../../lib/language.ts'
import { hasEnded } from '../api.ts'
import { readMe } from './me.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** The session is over: what is written on the page stays. */
export const EndedDialog = () => {
  const isOpen = useSignal(false)
  useSignalEffect(() => {
    isOpen.value = hasEnded.value
  })
  return (
    <Dialog isOpen={isOpen} title={say('endedTitle')}>
      <p>{say('endedText')}</p>
      <div class="acts">
        <a class="button p" href="/console/sign-in" target="_blank" rel="noreferrer">
          {say('signIn')}
        </a>
        <button type="button" onClick={() => void readMe().reload()}>
          {say('goOn')}
        </button>
      </div>
    </Dialog>
  )
}
