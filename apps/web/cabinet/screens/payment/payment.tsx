import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { api, SallyportError } from '../../../lib/api.ts'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { openPayment } from '../../../lib/outside.ts'
import { now, page } from '../../../lib/page.ts'
import { usePolling } from '../../../lib/polling.ts'
import { hour } from '../../../lib/relative.ts'
import { useResource } from '../../../lib/resource.ts'
import { backFrom } from '../../checkout/pay.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { nextStepOf } from './next-step.ts'
import { isSettled, type Paid, paceAfter } from './pace.ts'
import { Receipt } from './receipt.tsx'
import { Renewed } from './renewed.tsx'
import { titleOf } from './title.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = {
  waiting: 'warn',
  processing: 'warn',
  paid: 'good',
  credited: 'good',
  expired: 'bad',
  cancelled: 'bad',
  refunded: 'dim',
} as const

const Support = () =>
  page.supportUrl === null ? null : (
    <a class="button" href={page.supportUrl} rel="noreferrer" target="_blank">
      {say('support')}
    </a>
  )

const ToShop = () => (
  <a class="button p" href={to('/shop')}>
    {say('toShop')}
  </a>
)

/** With everything chosen as it was. */
const Again = ({ id }: { readonly id: number }) => {
  const back = backFrom(id)
  if (back === undefined) return <ToShop />
  return (
    <a class="button p" href={back}>
      {say('again')}
    </a>
  )
}

/** Not by a link in the page: the router would take one to our own address for a screen. */
const Waiting = ({ link, link_expires_at: until }: Paid) => (
  <>
    <p>{say('waitingText')}</p>
    {link === null ? (
      <p class="small">{say('noLink')}</p>
    ) : (
      <Act kind="p" run={() => openPayment(link)}>
        {say('open')}
      </Act>
    )}
    {until !== null && <p class="small">{say('linkUntil', { at: hour(until) })}</p>}
    <p class="small">{say('keepOpen')}</p>
  </>
)

const Done = ({ paid }: { readonly paid: Paid }) => {
  const { href, does } = nextStepOf(paid, backFrom(paid.id))
  return (
    <>
      {paid.is_renewal && paid.item ? (
        <Renewed paid={paid} item={paid.item} />
      ) : (
        <p>{say(does === 'connect' ? 'paidConnect' : 'paidText')}</p>
      )}
      <a class="button p" href={href}>
        {say(does)}
      </a>
    </>
  )
}

const Refunded = ({ refunded }: Paid) =>
  refunded && (
    <p>
      {say(refunded.to === 'balance' ? 'refundedToBalance' : 'refundedToSource', {
        sum: money(refunded.amount, refunded.currency),
      })}
    </p>
  )

/** What each state means, and what to do next. */
const Told = ({ paid }: { readonly paid: Paid }): ComponentChildren => {
  switch (paid.state) {
    case 'waiting':
      return <Waiting {...paid} />
    case 'processing':
      return paid.held ? null : <p>{say('processingText')}</p>
    case 'paid':
      return <Done paid={paid} />
    case 'credited':
      return (
        <>
          <p>{say('creditedText', { sum: money(paid.credited) })}</p>
          <ToShop />
        </>
      )
    case 'refunded':
      return (
        <>
          <Refunded {...paid} />
          <Support />
        </>
      )
    default:
      return (
        <>
          <p>{say(paid.state === 'expired' ? 'expiredText' : 'cancelledText')}</p>
          <Again id={paid.id} />
          <Support />
        </>
      )
  }
}

const View = ({ paid }: { readonly paid: Paid }) => (
  <>
    <div role="status">
      <Card title={titleOf(paid)} side={<Badge tone={tones[paid.state]}>{say(paid.state)}</Badge>}>
        {!isSettled(paid) && paid.amount !== null && (
          <p>{say('sum', { sum: money(Number(paid.amount), paid.currency) })}</p>
        )}
        <Told paid={paid} />
      </Card>
    </div>
    {paid.held && (
      <div class="notice">
        <p>{say('held', { sum: money(paid.held.amount, paid.held.currency), id: String(paid.id) })}</p>
        <Support />
      </div>
    )}
    {isSettled(paid) && paid.paid_at !== null && <Receipt paid={paid} />}
  </>
)

/** Somebody else's, or none at all: asking again changes nothing. */
const isRefused = (error: unknown): boolean => error instanceof SallyportError && error.statusCode === 404

export default function Payment({ params }: ScreenProps) {
  const id = Number(params.id)
  const payment = useResource(`payment/${id}`, () => api.getPayment({ params: { id } }))
  const [since] = useState(now)
  const paid = payment.data.value
  const isDone = paid ? isSettled(paid) : isRefused(payment.error.value)
  usePolling(payment.reload, paceAfter(now() - since), isDone)
  // Whoever comes back from the provider's page, or gets the network back, is answered at once.
  useEffect(() => {
    const ask = () => {
      if (!isDone && document.visibilityState === 'visible') void payment.reload()
    }
    addEventListener('online', ask)
    addEventListener('pageshow', ask)
    document.addEventListener('visibilitychange', ask)
    return () => {
      removeEventListener('online', ask)
      removeEventListener('pageshow', ask)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [payment, isDone])
  return (
    <>
      <h1>{say('payment')}</h1>
      <Shown of={payment}>{(data) => <View paid={data} />}</Shown>
    </>
  )
}
