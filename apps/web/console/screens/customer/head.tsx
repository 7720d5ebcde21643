import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Confirm, Confirmed, Dialog } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { Badge } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** A message that the customer reads in the cabinet, and in the apps that show it. */
export const Message = ({ id }: { readonly id: number }) => {
  const isOpen = useSignal(false)
  const send = async ({ content = '' }: Readonly<Record<string, string>>) => {
    const body = { content }
    await once('createNotification', { id, body }, (idempotencyKey) =>
      api.createNotification({ params: { id }, body, idempotencyKey }),
    )
    isOpen.value = false
    tell(say('messageSent'))
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('message')}
      </button>
      <Dialog isOpen={isOpen} title={say('message')}>
        <Form send={send} submit={say('send')}>
          <Field name="content" label={say('text')} hint={say('messageHint')}>
            {(wiring) => <textarea {...wiring} rows={4} required />}
          </Field>
        </Form>
      </Dialog>
    </>
  )
}

const Block = ({ user, of }: UserProps) => {
  const isAsking = useSignal(false)
  const set = async (is_blocked: boolean) => {
    await api.blockUser({ params: { id: user.id }, body: { is_blocked, version: user.version } })
    tell(say(is_blocked ? 'closed' : 'opened'))
    await of.reload()
  }
  if (user.is_blocked) return <Act run={() => set(false)}>{say('unblock')}</Act>
  return (
    <>
      <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
        {say('block')}
      </button>
      <Confirm isOpen={isAsking} title={say('blockTitle')} yes={say('block')} run={() => set(true)}>
        <p>{say('blockText', { n: user.terms.filter(({ state }) => state === 'active').length })}</p>
      </Confirm>
    </>
  )
}

export const Head = ({ user, of }: UserProps) => {
  const { id, email, telegram_id, is_blocked, deleted_at, last_seen_at } = user
  const name = email ?? (telegram_id === null ? say('numbered', { id: `${id}` }) : `Telegram ${telegram_id}`)
  const signOut = async () => {
    await api.signUserOut({ params: { id } })
    tell(say('signedOut'))
    await of.reload()
  }
  return (
    <div class="head">
      <div>
        <h1>{name}</h1>
        <p class="small">
          {say('number', { id: `${id}` })} ·{' '}
          {last_seen_at === null ? say('neverSeen') : say('seen', { at: dateTime(last_seen_at) })}{' '}
          {is_blocked && <Badge tone="bad">{say('isBlocked')}</Badge>}
          {deleted_at !== null && <Badge tone="dim">{say('isDeleted')}</Badge>}
        </p>
      </div>
      <div class="acts">
        {may('createNotification') && <Message id={id} />}
        {may('signUserOut') && (
          <Confirmed title={say('signOutTitle')} yes={say('signOut')} run={signOut}>
            <p>{say('signOutText', { n: user.sessions.length })}</p>
          </Confirmed>
        )}
        {may('blockUser') && <Block user={user} of={of} />}
      </div>
    </div>
  )
}
