import { useSignal } from '@preact/signals'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { now } from '../../../lib/page.ts'
import { api } from '../../api.ts'
import type { Letter } from './broadcast.ts'
import { LetterForm } from './letter-form.tsx'
import { type Meant, Preview } from './preview.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

interface Previewed {
  readonly letter: Letter
  readonly meant: Meant
}

const ask = async (letter: Letter): Promise<Previewed> => {
  const answer = await api.createBroadcast({ body: { ...letter, confirm: false } })
  if (!('sample' in answer)) throw new Error('a preview was sent')
  return { letter, meant: answer }
}

const sendOut = async (letter: Letter): Promise<void> => {
  const made = await once('createBroadcast', letter, (idempotencyKey) =>
    api.createBroadcast({ body: { ...letter, confirm: true }, idempotencyKey }),
  )
  const isLater = letter.send_at !== undefined && letter.send_at > now()
  tell(isLater ? say('planned', { at: dateTime(letter.send_at) }) : say('sentNow', { n: made.total }))
}

interface ComposeProps {
  /** Whom it is for, where the address says so. */
  readonly begun: Partial<Letter>
  readonly onSent: () => Promise<void>
}

/** First the text, then for whom it is and a last look; what was written is kept on the way back. */
export const Compose = ({ begun, onSent }: ComposeProps) => {
  const draft = useSignal<Partial<Letter>>(begun)
  const previewed = useSignal<Previewed | undefined>(undefined)
  const look = async (letter: Letter) => {
    draft.value = letter
    previewed.value = await ask(letter)
  }
  const send = async () => {
    if (!previewed.value) return
    await sendOut(previewed.value.letter)
    await onSent()
  }
  return (
    <Card title={say('letter')}>
      {previewed.value ? (
        <Preview {...previewed.value} send={send} onBack={() => (previewed.value = undefined)} />
      ) : (
        <>
          <p class="small">{say('letterText')}</p>
          <LetterForm begun={draft.value} send={look} />
        </>
      )}
    </Card>
  )
}
