import { Fold } from '../../../../kit/fold.tsx'
import { Field, type Filled, Form } from '../../../../kit/form.tsx'
import { Told } from '../../../../kit/problem.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { date } from '../../../../lib/format.ts'
import { isInTelegram } from '../../../../lib/outside.ts'
import { useResource } from '../../../../lib/resource.ts'
import { Remove } from './remove.tsx'
import { say } from './say.ts'

type Passkey = Awaited<ReturnType<typeof api.listPasskeys>>[number]

interface PasskeysProps {
  readonly keys: readonly Passkey[]
  readonly isLast: boolean
  readonly onChange: (keys: Passkey[]) => void
}

const timesOf = ({ created_at, last_used_at }: Passkey): string =>
  [
    say('created', { date: date(created_at) }),
    last_used_at === null ? '' : say('used', { date: date(last_used_at) }),
  ]
    .filter(Boolean)
    .join(' · ')

/** The browser says no by an error with a name. */
const explained = (error: unknown): unknown =>
  error instanceof Error && /^(NotAllowed|Abort|InvalidState|Security)/.test(error.name)
    ? new Told(say('passkeyCancelled'))
    : error

const AddPasskey = ({ onAdded }: { readonly onAdded: (key: Passkey) => void }) => {
  const add = async ({ title = '' }: Filled) => {
    try {
      const { createPasskey } = await import('./passkey-creation.ts')
      onAdded(await createPasskey(title.trim() || undefined))
    } catch (error) {
      throw explained(error)
    }
    tell(say('passkeyAdded'))
  }
  return (
    <Fold title={say('addPasskey')}>
      <Form submit={say('addPasskey')} send={add}>
        <Field name="title" label={say('passkeyTitle')}>
          {(wiring) => <input {...wiring} maxLength={64} autocomplete="off" />}
        </Field>
      </Form>
    </Fold>
  )
}

/** Windows of Telegram have none, and cannot make one. */
export const Passkeys = ({ keys, isLast, onChange }: PasskeysProps) => {
  const remove = async ({ id }: Passkey) => {
    await api.deletePasskey({ params: { id } })
    onChange(keys.filter((one) => one.id !== id))
    tell(say('removed'))
  }
  const methods = useResource('sign-in-methods', () => api.listSignInMethods()).data.value
  const canAdd = methods?.passkey && !isInTelegram() && typeof PublicKeyCredential === 'function'
  if (keys.length === 0 && methods?.passkey === false) return null
  return (
    <section class="part">
      <h3>{say('passkeys')}</h3>
      <p class="small">{say('passkeysText')}</p>
      {keys.length === 0 && <p>{say('noPasskeys')}</p>}
      <ul class="list">
        {keys.map((key) => (
          <li key={key.id}>
            <div>
              <b>{key.title}</b>
              <p class="small">{timesOf(key)}</p>
              {isLast && <p class="small">{say('lastWay')}</p>}
            </div>
            <Remove
              text={say('remove')}
              title={say('removePasskey', { title: key.title })}
              isLast={isLast}
              run={() => remove(key)}
            >
              <p>{say('removePasskeyText')}</p>
            </Remove>
          </li>
        ))}
      </ul>
      {canAdd && <AddPasskey onAdded={(key) => onChange([...keys, key])} />}
      {isInTelegram() && <p class="small">{say('passkeysInTelegram')}</p>}
    </section>
  )
}
