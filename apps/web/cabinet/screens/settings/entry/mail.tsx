import { useSignal } from '@preact/signals'
import { Fold } from '../../../../kit/fold.tsx'
import { Field, Form } from '../../../../kit/form.tsx'
import { Told } from '../../../../kit/problem.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api, SallyportError } from '../../../../lib/api.ts'
import { now } from '../../../../lib/page.ts'
import { CodeForm } from '../../../code/code-form.tsx'
import { say } from './say.ts'

interface MailProps {
  readonly email: string | null
  readonly onChange: () => void
}

const explained = (error: unknown): unknown =>
  error instanceof SallyportError && error.statusCode === 409 ? new Told(say('emailTaken')) : error

/** Whoever can read the letter may have the address; the old one stops opening the account. */
export const Mail = ({ email, onChange }: MailProps) => {
  const sent = useSignal<{ readonly to: string; readonly at: number } | undefined>(undefined)
  const start = async (to: string) => {
    await api.startEmailSignIn({ body: { email: to } })
    sent.value = { to, at: now() }
  }
  const verify = async (code: string) => {
    if (!sent.value) return
    try {
      await api.verifyEmailSignIn({ body: { email: sent.value.to, code, link: true } })
    } catch (error) {
      throw explained(error)
    }
    sent.value = undefined
    tell(say('emailChanged'))
    onChange()
  }
  const { to = '', at = 0 } = sent.value ?? {}
  return (
    <section class="part">
      <h3>{say('email')}</h3>
      <p>{email ?? say('noEmail')}</p>
      <Fold title={say(email === null ? 'addEmail' : 'changeEmail')}>
        {sent.value ? (
          <CodeForm
            sentTo={to}
            sentAt={at}
            verify={verify}
            sendAgain={() => start(to)}
            submit={say('confirmEmail')}
          />
        ) : (
          <Form submit={say('sendCode')} send={({ email: given = '' }) => start(given.trim())}>
            <Field name="email" label={say('newEmail')}>
              {(wiring) => <input {...wiring} type="email" autocomplete="email" maxLength={254} required />}
            </Field>
          </Form>
        )}
      </Fold>
    </section>
  )
}
