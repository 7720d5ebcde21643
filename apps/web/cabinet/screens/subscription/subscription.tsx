import { useMemo } from 'preact/hooks'
import { Badge, Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api, SallyportError } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { useResource } from '../../../lib/resource.ts'
import { isSignedIn } from '../../../lib/session.ts'
import { to } from '../../paths.ts'
import { Support } from '../../support/support.tsx'
import { ByMail } from './by-mail.tsx'
import { takeKey } from './key.ts'
import { say } from './say.ts'

/** Where the buttons of the subscription's page lead: what the key may see, and how to sign in to change it. */

type State = Awaited<ReturnType<typeof api.showSubscriptionState>>

const tones = { active: 'good', expired: 'bad', limited: 'warn', disabled: 'bad', empty: 'dim' } as const

const textOf = ({ status, expires_at: at, support_url: support }: State): string | undefined => {
  if (status === 'limited') return say('limitedText')
  if (status === 'disabled') return support === null ? undefined : say('disabledAsk')
  if (status === 'empty') return say('emptyText')
  return at === null ? undefined : say(status === 'active' ? 'until' : 'ended', { at: date(at) })
}

const Item = ({ title, expires_at, paused }: State['items'][number]) => (
  <li>
    <span>{title}</span>
    <span class="small side">
      {date(expires_at)}
      {paused !== null && (
        <>
          <br />
          {say('paused')}
        </>
      )}
    </span>
  </li>
)

const Act = ({ state, subscriptionKey }: { readonly state: State; readonly subscriptionKey: string }) => {
  const isEmpty = state.status === 'empty'
  const leadTo = isEmpty ? to('/shop') : to('/')
  const text = say(isEmpty ? 'choose' : 'renew')
  if (!isSignedIn.value) return <ByMail subscriptionKey={subscriptionKey} text={text} leadTo={leadTo} />
  return (
    <a class="button p" href={leadTo}>
      {text}
    </a>
  )
}

const Found = ({ state, subscriptionKey }: { readonly state: State; readonly subscriptionKey: string }) => (
  <Card title={state.title}>
    <p>
      <Badge tone={tones[state.status]}>{say(state.status)}</Badge>
    </p>
    <p>{textOf(state)}</p>
    {state.items.length > 0 && (
      <ul class="list">
        {state.items.map((item, at) => (
          <Item key={at} {...item} />
        ))}
      </ul>
    )}
    <Act state={state} subscriptionKey={subscriptionKey} />
    <Support url={state.support_url} />
  </Card>
)

const Missing = ({ text }: { readonly text: string }) => (
  <Empty title={text}>
    <a class="button p" href={isSignedIn.value ? to('/') : to('/sign-in')}>
      {say('signIn')}
    </a>
  </Empty>
)

const ByKey = ({ subscriptionKey }: { readonly subscriptionKey: string }) => {
  const state = useResource('subscription-state', () =>
    api.showSubscriptionState({ body: { subscription_key: subscriptionKey } }),
  )
  const { value: error } = state.error
  if (error instanceof SallyportError && error.is('NOT_FOUND')) return <Missing text={say('gone')} />
  return <Shown of={state}>{(found) => <Found state={found} subscriptionKey={subscriptionKey} />}</Shown>
}

export default function Subscription() {
  const key = useMemo(takeKey, [])
  return (
    <>
      <h1>{say('title')}</h1>
      {key === undefined ? <Missing text={say('noKey')} /> : <ByKey subscriptionKey={key} />}
    </>
  )
}
