import { useSignal } from '@preact/signals'
import { Field, Form } from '../../../kit/form.tsx'
import { Problem, Told } from '../../../kit/problem.tsx'
import { Loading } from '../../../kit/shown.tsx'
import { api, SallyportError } from '../../../lib/api.ts'
import { withReferral } from '../../../lib/entry/referral.ts'
import { watched } from '../../../lib/entry/slow.ts'
import { keepInTab, keptInTab } from '../../../lib/kept.ts'
import { now } from '../../../lib/page.ts'
import { usePart } from '../../../lib/part.ts'
import type { Enter } from '../../code/enter.ts'
import { say } from './say.ts'

interface Sent {
  readonly email: string
  readonly at: number
  readonly expiresAt: number
}

/** On phones the page is often thrown away while somebody looks into the mailbox. */
const name = 'mail'

const living = (sent: Sent | undefined): Sent | undefined =>
  sent && sent.expiresAt > now() ? sent : undefined

/** Comes while the address is typed. */
const loadCodeForm = () => import('../../code/code-form.tsx')

const explained = (error: unknown): unknown =>
  error instanceof SallyportError && error.statusCode === 400 ? new Told(say('badEmail')) : error

interface MailProps {
  readonly onEnter: Enter
  readonly onSlow: () => void
}

const Address = ({ send }: { readonly send: (email: string) => Promise<void> }) => (
  <>
    <p>{say('welcome')}</p>
    <Form submit={say('sendCode')} send={({ email = '' }) => send(email.trim())}>
      <Field name="email" label={say('email')} hint={say('emailHint')}>
        {(wiring) => (
          <input
            {...wiring}
            data-way="mail"
            type="email"
            autocomplete="username webauthn"
            autocapitalize="none"
            spellcheck={false}
            maxLength={254}
            required
          />
        )}
      </Field>
    </Form>
  </>
)

/** One field for the address, then one for the code. */
export const Mail = ({ onEnter, onSlow }: MailProps) => {
  const sent = useSignal(living(keptInTab<Sent>(name)))
  const part = usePart(loadCodeForm)
  const set = (next: Sent | undefined) => {
    keepInTab(name, next)
    sent.value = next
  }
  const mail = async (email: string) => {
    const asked = withReferral((referral) => api.startEmailSignIn({ body: { email, ...referral } }))
    try {
      const { expires_at: expiresAt } = await watched(asked, onSlow)
      set({ email, at: now(), expiresAt })
    } catch (error) {
      throw explained(error)
    }
  }
  const verify = async (email: string, code: string) => {
    const asked = api.verifyEmailSignIn({ body: { email, code } })
    const answer = await watched(asked, onSlow)
    keepInTab(name, undefined)
    onEnter(answer)
  }
  if (!sent.value) return <Address send={mail} />
  const { email, at } = sent.value
  if (part.error !== undefined) return <Problem error={part.error} onRetry={part.again} />
  if (!part.module) return <Loading />
  return (
    <part.module.CodeForm
      sentTo={email}
      sentAt={at}
      verify={(code) => verify(email, code)}
      sendAgain={() => mail(email)}
      onAnother={() => set(undefined)}
    />
  )
}
