import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Act } from '../../kit/act.tsx'
import { Card } from '../../kit/look.tsx'
import { Shown } from '../../kit/shown.tsx'
import { api } from '../../lib/api.ts'
import { money } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { once } from '../../lib/once.ts'
import { useResource } from '../../lib/resource.ts'
import { useLocation } from '../../lib/router.ts'
import { BuyBar } from './buy-bar.tsx'
import { goToPay, leavePurchase, topUpAddress } from './pay.ts'
import { type Method, missing, type Picked, type Purse } from './prices.ts'
import { Some } from './some.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** The most that one top-up takes, in roubles, as the API has it. */
const mostTopUp = 15_000
const shownAtFirst = 3

const Note = ({ text }: { readonly text: string }) => (
  <p class="notice" role="status">
    {text}
  </p>
)

interface TopUpProps {
  readonly now: Picked
  readonly amount: number
  readonly note: string
  readonly children: ComponentChildren
}

/** Here and now, by exactly what is missing. */
const TopUp = ({ now, amount, note, children }: TopUpProps) => {
  const { route } = useLocation()
  const chosen = useSignal<number | undefined>(undefined)
  const ways = useResource(`topup/${amount}`, () => api.calculateTopup({ query: { amount } }))
  const way = ways.data.value?.find(({ id }) => id === chosen.value) ?? ways.data.value?.[0]
  const topUp = async () => {
    const body = { amount, payment_method_id: way?.id ?? 0 }
    const link = await once('topUpBalance', body, (idempotencyKey) =>
      api.topUpBalance({ body, idempotencyKey }),
    )
    goToPay(link, route)
  }
  return (
    <>
      <Card>
        <Note text={note} />
        <Shown of={ways} lines={2}>
          {(options) => (
            <Some
              legend={say('topUpHow')}
              value={way?.id}
              onChoose={(id) => {
                chosen.value = id
              }}
              options={options.map(({ id, display_name, price, currency }) => ({
                value: id,
                title: display_name,
                side: money(price, currency),
              }))}
              isFirst={(_, at) => at < shownAtFirst}
              more={say('moreWays')}
            />
          )}
        </Shown>
        {children}
      </Card>
      <BuyBar now={now}>
        <Act kind="p" isSpending disabled={!way} run={topUp}>
          {say('topUp', { sum: money(amount) })}
        </Act>
      </BuyBar>
    </>
  )
}

/** On the balance's own page; the purchase is come back to. */
const TopUpLink = ({ sum }: { readonly sum: number }) => (
  <a class="button" href={topUpAddress(sum)} onClick={() => leavePurchase(sum)}>
    {say('topUpBalance')}
  </a>
)

interface ShortProps {
  readonly now: Picked
  readonly methods: readonly Method[]
  readonly purse: Purse
  readonly payBy: (method: Method) => Promise<void>
}

/** There is not enough: add exactly what is missing, or leave it alone and pay for this at once. */
export const Short = ({ now, methods, purse, payBy }: ShortProps) => {
  const { method, tariff } = now
  const amount = missing(method, tariff.price, purse)
  const isBalance = method.key === 'balance'
  const canTopUp = isBalance && amount <= mostTopUp
  const note = say(isBalance ? 'shortTitle' : 'shortEarnings', { sum: money(amount, method.currency) })
  const priceBy = (by: Method | undefined) => by?.tariffs.find(({ days }) => days === tariff.days)?.price
  const direct = methods.find(
    ({ key }) => purse[key] === undefined && key !== 'balance' && key !== 'referral',
  )
  const price = priceBy(direct)
  const directly = direct && price !== undefined && (
    <Act isSpending {...(!canTopUp && { kind: 'p' })} run={() => payBy(direct)}>
      {say('directly', { sum: money(price, direct.currency), method: direct.display_name })}
    </Act>
  )
  if (canTopUp)
    return (
      <TopUp now={now} amount={amount} note={note}>
        {directly}
      </TopUp>
    )
  const balance = methods.find(({ key }) => key === 'balance')
  const lacks = balance ? missing(balance, priceBy(balance) ?? 0, purse) : 0
  return (
    <>
      <Card>
        <Note text={note} />
        {isBalance && <p>{say('tooMuch', { most: money(mostTopUp) })}</p>}
        {lacks > 0 && <TopUpLink sum={lacks} />}
      </Card>
      {directly && <BuyBar now={now}>{directly}</BuyBar>}
    </>
  )
}
