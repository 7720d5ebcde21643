import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Card } from '../../../kit/look.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { Loading } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { entryProblem, isSignedIn } from '../../../lib/session.ts'
import { type Enter, useEnter } from '../../code/enter.ts'
import { keepReferral, withReferral } from '../../code/referral.ts'
import { to } from '../../paths.ts'
import { type Arrival, takeArrival } from './arrival.ts'
import { arrivalFailure, explained } from './failures.ts'
import { Mail } from './mail.tsx'
import { OtherWays } from './other-ways.tsx'
import { say } from './say.ts'
import { usePasskeyOffer, Ways } from './ways.tsx'
import { Welcome } from './welcome.tsx'

/** Stands in place of whatever was asked for while nobody is signed in; the address stays, and so does what they came for. */

const finish = (arrival: Exclude<Arrival, { kind: 'failed' }>) =>
  arrival.kind === 'code'
    ? api.signInWithCode({ body: { code: arrival.code } })
    : withReferral((referral) => api.signInWithTelegram({ body: { ...arrival.widget, ...referral } }))

/** Undefined where nobody comes back from anywhere. */
const useArrival = (onEnter: Enter) => {
  const arrival = useMemo(takeArrival, [])
  const isBusy = useSignal(arrival !== undefined && arrival.kind !== 'failed')
  const problem = useSignal<unknown>(arrival?.kind === 'failed' ? arrivalFailure(arrival.word) : undefined)
  useEffect(() => {
    if (!arrival || arrival.kind === 'failed') return
    finish(arrival)
      .then(onEnter, (error) => {
        problem.value = explained(error, arrival.kind === 'code' ? 'expired' : 'refusedThere')
      })
      .finally(() => {
        isBusy.value = false
      })
  }, [])
  return { isBusy: isBusy.value, problem: problem.value }
}

/** Leads to a way that does not hang on the one that is silent. */
const Slow = ({ way }: { readonly way: string }) => {
  const next = way === say('mailWay') ? 'device' : 'mail'
  const go = () => {
    const field = document.querySelector<HTMLInputElement>(`[data-way=${next}]`)
    const fold = field?.closest('details')
    if (fold) fold.open = true
    field?.focus()
  }
  return (
    <div class="notice slow" role="alert">
      <p>{say('slow', { way })}</p>
      <button type="button" onClick={go}>
        {say(next === 'mail' ? 'nextMail' : 'nextDevice')}
      </button>
    </div>
  )
}

const Head = () => (
  <>
    <h1>{say('title')}</h1>
    {page.welcome?.split(/\n{2,}/).map((text) => (
      <p key={text} class="lines">
        {text}
      </p>
    ))}
    {isSignedIn.value && (
      <p class="notice">
        {say('already')} <a href={to('/')}>{say('toCabinet')}</a>
      </p>
    )}
  </>
)

export default function SignIn() {
  const onEnter = useEnter()
  const arrival = useArrival(onEnter)
  const slow = useSignal<string | undefined>(undefined)
  const methods = useResource('sign-in-methods', () => api.listSignInMethods())
  useEffect(() => keepReferral(location.search), [])
  usePasskeyOffer(methods.data.value?.passkey === true && !arrival.isBusy, onEnter)
  if (arrival.isBusy)
    return (
      <>
        <h1>{say('entering')}</h1>
        <Loading />
      </>
    )
  const onSlow = (way: string) => {
    slow.value = way
  }
  const problem = arrival.problem ?? (entryProblem.value && explained(entryProblem.value, 'telegramFailed'))
  return (
    <div class="sign-in">
      <Head />
      {problem !== undefined && <Problem error={problem} />}
      {slow.value !== undefined && <Slow way={slow.value} />}
      <Card>
        <p>{say('welcome')}</p>
        <Mail onEnter={onEnter} onSlow={() => onSlow(say('mailWay'))} />
        {methods.data.value && <Ways methods={methods.data.value} onEnter={onEnter} onSlow={onSlow} />}
        {methods.error.value !== undefined && (
          <p class="small">
            {say('waysFailed')}{' '}
            <button type="button" class="link" onClick={() => void methods.reload()}>
              {say('retry')}
            </button>
          </p>
        )}
        <OtherWays onEnter={onEnter} />
      </Card>
      <Welcome />
    </div>
  )
}
