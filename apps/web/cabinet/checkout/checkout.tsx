import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Act } from '../../kit/act.tsx'
import { Choice, Switch } from '../../kit/choice.tsx'
import { later } from '../../kit/later.tsx'
import { Badge, Card } from '../../kit/look.tsx'
import { Empty, Loading } from '../../kit/shown.tsx'
import { api } from '../../lib/api.ts'
import { date, money } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { unsettled } from '../../lib/once.ts'
import { page } from '../../lib/page.ts'
import { useResource } from '../../lib/resource.ts'
import { useLocation } from '../../lib/router.ts'
import type { Wish } from './choices.ts'
import { Code } from './code.tsx'
import { keepCode } from './given-code.ts'
import { goToPay } from './pay.ts'
import { lengthOf, Price } from './price.tsx'
import {
  bestDays,
  type Method,
  missing,
  type Picked,
  type Purse,
  perMonth,
  picked,
  type Tariff,
} from './prices.ts'
import { Short } from './short.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Either a key, or money in some way for some length. */
export type Paying =
  | { readonly promocode: string }
  | { readonly payment_method_id: number; readonly tariff_id: number; readonly days: number }

/** As most purchases take it. */
export const paymentOf = (paying: Paying) =>
  'promocode' in paying
    ? paying
    : { payment_method_id: paying.payment_method_id, tariff_id: paying.tariff_id }

export interface Link {
  readonly link: string
  readonly payment_id: number
}

interface Terms {
  readonly methods: readonly Method[]
  readonly wish: Wish
  readonly choose: (change: Partial<Wish>) => void
  /** When it will end after so many days. */
  readonly untilOf?: (days: number) => number
  /** Why it cannot be bought as it is chosen now. */
  readonly obstacle?: string | undefined
  /** Renews by itself already, or never will. */
  readonly auto?: 'on' | 'none' | undefined
  readonly isRenewal?: boolean
}

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

const Lengths = ({ method, tariff, onChoose }: Picked & { readonly onChoose: (days: number) => void }) => {
  const best = bestDays(method.tariffs)
  const textOf = (one: Tariff) =>
    say('daysAndMonthly', {
      days: say('days', { n: one.days }),
      price: money(perMonth(one, method.currency), method.currency),
    })
  return (
    <Choice
      legend={say('howLong')}
      value={tariff.days}
      onChoose={onChoose}
      options={method.tariffs.map((one) => ({
        value: one.days,
        title: (
          <>
            {lengthOf(one.days)} {one.days === best && <Badge tone="good">{say('best')}</Badge>}
          </>
        ),
        text: textOf(one),
        side: <Price tariff={one} currency={method.currency} />,
      }))}
    />
  )
}

/** Each in its own currency. */
const Methods = ({
  methods,
  now,
  purse,
  onChoose,
}: {
  readonly methods: readonly Method[]
  readonly now: Picked
  readonly purse: Purse
  readonly onChoose: (key: string) => void
}) => {
  const options = methods.flatMap((method) => {
    const tariff = method.tariffs.find(({ days }) => days === now.tariff.days)
    if (!tariff) return []
    const has = purse[method.key]
    const lacks = missing(method, tariff.price, purse)
    const sum = money(has ?? 0, method.currency)
    const text =
      lacks > 0 ? say('wanting', { sum, missing: money(lacks, method.currency) }) : say('youHave', { sum })
    return {
      value: method.key,
      title: method.display_name,
      side: <Price tariff={tariff} currency={method.currency} />,
      ...(has !== undefined && { text }),
    }
  })
  return <Choice legend={say('howToPay')} value={now.method.key} onChoose={onChoose} options={options} />
}

type AutoProps = Pick<Terms, 'methods' | 'wish' | 'choose' | 'auto'> & {
  readonly now: Picked
}

const AutoRenewal = ({ methods, now, wish, choose, auto }: AutoProps) => {
  if (auto === 'on') return <p class="small">{say('autoIsOn')}</p>
  if (auto === 'none' || wish.isGift) return null
  const renewal = methods
    .find(({ key }) => key === 'balance')
    ?.tariffs.find(({ days }) => days === now.tariff.days)
  return (
    <Switch
      label={say('auto')}
      hint={renewal ? say('autoHint', { sum: money(renewal.price) }) : say('autoHintPlain')}
      isOn={wish.isAuto}
      onChange={(isAuto) => choose({ isAuto })}
    />
  )
}

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

interface PayProps extends Terms {
  readonly now: Picked
  readonly purse: Purse
  readonly buy: (paying: Paying) => Promise<void>
}

const isInside = ({ key }: Method): boolean => key === 'balance' || key === 'referral'

const BuyButton = ({
  now: { method, tariff },
  methods,
  purse,
  buy,
  obstacle,
  isRenewal = false,
}: PayProps) => {
  const payBy = (by: Method) => {
    const { id, days } = by.tariffs.find((one) => one.days === tariff.days) ?? tariff
    return buy({ payment_method_id: by.id, tariff_id: id, days })
  }
  if (obstacle === undefined && missing(method, tariff.price, purse) > 0)
    return <Short now={{ method, tariff }} methods={methods} purse={purse} payBy={payBy} />
  const sum = money(tariff.price, method.currency)
  return (
    <>
      <Act kind="p" isSpending disabled={obstacle !== undefined} run={() => payBy(method)}>
        {isInside(method) ? say(isRenewal ? 'renewFor' : 'buyFor', { sum }) : say('payFor', { sum })}
      </Act>
      <p class="small">{isInside(method) ? say('fromBalance') : say('nextProvider')}</p>
    </>
  )
}

const Pay = (props: PayProps) => {
  const { methods, wish, choose, untilOf, obstacle, auto, now, purse } = props
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
        {obstacle !== undefined && <Obstacle>{obstacle}</Obstacle>}
        <BuyButton {...props} />
        {!wish.isGift && (
          <button type="button" class="link" onClick={() => choose({ isCode: true })}>
            {say('haveCode')}
          </button>
        )}
      </Card>
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
