import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Problem, Told } from '../../../kit/problem.tsx'
import { api } from '../../../lib/api.ts'
import { now } from '../../../lib/page.ts'
import { CodeForm } from '../../code/code-form.tsx'
import { useEnter } from '../../code/enter.ts'
import { to } from '../../paths.ts'
import { forgetKey } from './key.ts'
import { say } from './say.ts'

type Asked = Awaited<ReturnType<typeof api.startSubscriptionSignIn>>

interface ByMailProps {
  readonly subscriptionKey: string
  readonly text: string
  readonly leadTo: string
}

/** Signs in to the account that the key names, by a code to its own address. */
export const ByMail = ({ subscriptionKey, text, leadTo }: ByMailProps) => {
  const enter = useEnter(leadTo)
  const asked = useSignal<(Asked & { readonly at: number }) | undefined>(undefined)
  const body = { subscription_key: subscriptionKey }
  const ask = async () => {
    asked.value = { ...(await api.startSubscriptionSignIn({ body })), at: now() }
  }
  const verify = async (code: string) => {
    const answer = await api.verifySubscriptionSignIn({ body: { ...body, code } })
    forgetKey()
    enter(answer)
  }
  const other = <a href={to('/sign-in')}>{say('other')}</a>
  if (asked.value === undefined)
    return (
      <>
        <p class="small">{say('safe')}</p>
        <Act kind="p" run={ask}>
          {text}
        </Act>
        {other}
      </>
    )
  const { email_hint: hint, expires_at: expiresAt, at } = asked.value
  if (hint === null || expiresAt === null)
    return (
      <>
        <Problem error={new Told(say('noLetter'))} />
        <a class="button p" href={to('/sign-in')}>
          {say('signIn')}
        </a>
      </>
    )
  return (
    <>
      <CodeForm sentTo={say('sent', { hint })} sentAt={at} verify={verify} sendAgain={ask} />
      {other}
    </>
  )
}
