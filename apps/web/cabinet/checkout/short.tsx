import { useSignal } from '@preact/signals'
import { Act } from '../../kit/act.tsx'
import { Choice } from '../../kit/choice.tsx'
import { Shown } from '../../kit/shown.tsx'
import { api } from '../../lib/api.ts'
import { money } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { once } from '../../lib/once.ts'
import { useResource } from '../../lib/resource.ts'
import { useLocation } from '../../lib/router.ts'
import { goToPay } from './pay.ts'
import { type Method, missing, type Picked, type Purse } from './prices.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** The most that one top-up takes, in roubles, as the API has it. */
const mostTopUp = 15_000

const TopUp = ({ amount }: { readonly amount: number }) => {
  const { route } = useLocation()
  const chosen = useSignal<number | undefined>(undefined)
  const ways = useResource(`topup/${amount}`, () => api.calculateTopup({ query: { amount } }))
  return (
    <Shown of={ways} lines={2}>
      {(options) => {
        const way = options.find(({ id }) => id === chosen.value) ?? options[0]
        if (!way) return null
        const topUp = async () => {
          const body = { amount, payment_method_id: way.id }
          const link = await once('topUpBalance', body, (idempotencyKey) =>
            api.topUpBalance({ body, idempotencyKey }),
          )
          goToPay(link, route)
        }
        return (
          <>
            <Choice
              legend={say('topUpHow')}
              value={way.id}
              onChoose={(id) => {
                chosen.value = id
              }}
              options={options.map(({ id, display_name, price, currency }) => ({
                value: id,
                title: display_name,
                side: money(price, currency),
              }))}
            />
            <Act kind="p" isSpending run={topUp}>
              {say('topUp', { sum: money(amount) })}
            </Act>
          </>
        )
      }}
    </Shown>
  )
}

interface ShortProps {
  readonly now: Picked
  readonly methods: readonly Method[]
  readonly purse: Purse
  readonly payBy: (method: Method) => Promise<void>
}

/** There is not enough: add exactly what is missing, or leave the balance alone and pay for this at once. */
export const Short = ({ now: { method, tariff }, methods, purse, payBy }: ShortProps) => {
  const amount = missing(method, tariff.price, purse)
  const direct = methods.find(
    ({ key }) => purse[key] === undefined && key !== 'balance' && key !== 'referral',
  )
  const price = direct?.tariffs.find(({ days }) => days === tariff.days)?.price
  return (
    <>
      <p class="notice" role="status">
        {say('shortTitle', { sum: money(amount, method.currency) })}
      </p>
      {method.key === 'balance' && amount <= mostTopUp && <TopUp amount={amount} />}
      {method.key === 'balance' && amount > mostTopUp && <p>{say('tooMuch', { most: money(mostTopUp) })}</p>}
      {direct && price !== undefined && (
        <Act isSpending run={() => payBy(direct)}>
          {say('directly', { sum: money(price, direct.currency), method: direct.display_name })}
        </Act>
      )}
    </>
  )
}
