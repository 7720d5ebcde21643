import { useSignal } from '@preact/signals'
import { Choice } from '../../kit/choice.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Field, Form } from '../../kit/form.tsx'
import { later } from '../../kit/later.tsx'
import { Told } from '../../kit/problem.tsx'
import { sayIn } from '../../lib/language.ts'
import { once } from '../../lib/once.ts'
import { api } from '../api.ts'
import type { TokenOwner } from './owner.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
/** The list of all operations comes when somebody makes a token. */
const Operations = later(() => import('./operations.tsx').then((part) => part.Operations))

const usualDays = 90

interface NewTokenProps {
  readonly owner: TokenOwner
  readonly onMade: (token: string) => Promise<void>
}

export const NewToken = ({ owner, onMade }: NewTokenProps) => {
  const isOpen = useSignal(false)
  const rights = useSignal<'some' | 'all'>('some')
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const open = () => {
    rights.value = 'some'
    chosen.value = new Set()
    isOpen.value = true
  }
  const send = async ({ title = '', days = '' }: Readonly<Record<string, string>>) => {
    const operations = [...chosen.value]
    if (rights.value === 'some' && operations.length === 0) throw new Told(say('chooseSome'))
    const body = {
      title: title.trim(),
      ...(days && { expires_in_days: Number(days) }),
      ...(rights.value === 'some' && { operations }),
    }
    const { id } = owner
    const { token } = await once('createOperatorToken', { id, body }, (idempotencyKey) =>
      api.createOperatorToken({ params: { id }, body, idempotencyKey }),
    )
    isOpen.value = false
    await onMade(token)
  }
  return (
    <>
      <button type="button" onClick={open}>
        {say('add')}
      </button>
      <Dialog isOpen={isOpen} title={say('addTitle')}>
        <Form send={send} submit={say('make')}>
          <Field name="title" label={say('title')} hint={say('titleHint')}>
            {(wiring) => <input {...wiring} maxLength={100} required autocomplete="off" />}
          </Field>
          <Field name="days" label={say('days')} hint={say('daysHint')}>
            {(wiring) => <input {...wiring} type="number" min={1} max={3650} defaultValue={`${usualDays}`} />}
          </Field>
          <Choice
            legend={say('may')}
            options={[
              { value: 'some', title: say('some'), text: say('someText') },
              { value: 'all', title: say('all'), text: say('allText') },
            ]}
            value={rights.value}
            onChoose={(value) => (rights.value = value)}
          />
          {rights.value === 'some' && <Operations role={owner.role} chosen={chosen} />}
        </Form>
      </Dialog>
    </>
  )
}
