import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { later } from '../../kit/later.tsx'
import { Card } from '../../kit/look.tsx'
import { Empty, Loading } from '../../kit/shown.tsx'
import { api } from '../../lib/api.ts'
import { date } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { unsettled } from '../../lib/once.ts'
import { page } from '../../lib/page.ts'
import { useResource } from '../../lib/resource.ts'
import { useLocation } from '../../lib/router.ts'
import { Buy, whatNext } from './buy.tsx'
import { AutoRenewal, Lengths, Methods } from './choosing.tsx'
import { keepCode } from './given-code.ts'
import { goToPay, type Link } from './pay.ts'
import type { Chosen, Paying, Terms } from './paying.ts'
import { missing, type Purse, picked } from './prices.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const Code = later(() => import('./code.tsx').then((part) => part.Code))

interface CheckoutProps<A> extends Terms {
  /** Buys, once; the answer is what was bought, or where to pay for it. */
  readonly send: (paying: Paying) => Promise<A>
  readonly onDone: (answer: Exclude<A, Link>) => void
}

const useProfile = () => useResource('profile', () => api.getProfile(), { keep: true })

const purseOf = (
  profile: { readonly balance: number; readonly referral_balance: number } | undefined,
): Purse => (profile ? { balance: profile.balance, referral: profile.referral_balance } : {})

const hasLink = (answer: object): answer is Link => 'link' in answer

const NotSold = () => (
  <Empty title={say('noMethods')}>
    {page.supportUrl && (
      <a class="button" href={page.supportUrl} rel="noreferrer" target="_blank">
        {say('support')}
      </a>
    )}
  </Empty>
)

const Obstacle = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="notice" role="status">
    {children}
  </p>
)

const Pay = (props: Chosen) => {
  const { methods, wish, choose, untilOf, auto, now, purse } = props
  return (
    <>
      <Card>
        <Lengths {...now} onChoose={(days) => choose({ days })} />
      </Card>
      <Card>
        <Methods methods={methods} now={now} purse={purse} onChoose={(pay) => choose({ pay })} />
        <AutoRenewal methods={methods} wish={wish} choose={choose} auto={auto} now={now} />
      </Card>
      <Card>
        {untilOf && <p>{say('until', { date: date(untilOf(now.tariff.days)) })}</p>}
        {missing(now.method, now.tariff.price, purse) === 0 && <p class="small">{whatNext(now.method)}</p>}
        {!wish.isGift && (
          <button type="button" class="link" onClick={() => choose({ isCode: true })}>
            {say('haveCode')}
          </button>
        )}
      </Card>
      <Buy {...props} />
    </>
  )
}

const LostPurchases = later(() => import('../lost/card.tsx').then((part) => part.LostPurchases))

/** Whoever comes back to a purchase that was sent, with less money now, must not take it for one that failed. */
const Before = () => {
  const [isAny] = useState(() => unsettled().length > 0)
  return isAny && <LostPurchases after={0} />
}

/** The length, the way to pay, and the button with the sum on it; or an activation key instead of all that. */
export const Checkout = <A extends object>(props: CheckoutProps<A>) => {
  const { methods, wish, choose, send, onDone, obstacle } = props
  const profile = useProfile()
  const { route } = useLocation()
  if (profile.data.value === undefined && profile.error.value === undefined) return <Loading lines={4} />
  const purse = purseOf(profile.data.value)
  const now = picked(methods, wish, purse)
  const buy = async (paying: Paying): Promise<void> => {
    const answer = await send(paying)
    if (hasLink(answer)) return goToPay(answer, route)
    if ('promocode' in paying) keepCode(undefined)
    void profile.reload()
    onDone(answer as Exclude<A, Link>)
  }
  if (now && !wish.isCode)
    return (
      <>
        <Before />
        <Pay {...props} now={now} purse={purse} buy={buy} />
      </>
    )
  if (!wish.isCode) return <NotSold />
  return (
    <Card>
      {obstacle !== undefined && <Obstacle>{obstacle}</Obstacle>}
      <Code send={(promocode) => buy({ promocode })} isBlocked={obstacle !== undefined} />
      {now && (
        <button type="button" onClick={() => choose({ isCode: false })}>
          {say('payInstead')}
        </button>
      )}
    </Card>
  )
}
