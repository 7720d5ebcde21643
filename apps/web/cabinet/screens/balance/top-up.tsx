import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { Card } from '../../../kit/look.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { Loading } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useLocation } from '../../../lib/router.ts'
import { goToPay, leaveToPay, leftPurchase } from '../../checkout/pay.ts'
import { Some } from '../../checkout/some.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const quickSums = [300, 500, 1000, 3000]
const usualSum = 500
const shownAtFirst = 3
const [least, most] = [1, 15_000]
/** A sum that is being typed is not asked about. */
const typingMs = 400

type Ways = Awaited<ReturnType<typeof api.calculateTopup>>

/** What each way asks for the sum. */
const useWays = (amount: number) => {
  const ways = useSignal<Ways | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const isFit = Number.isInteger(amount) && amount >= least && amount <= most
  useEffect(() => {
    if (!isFit) return
    const aborted = new AbortController()
    const timer = setTimeout(() => {
      api.calculateTopup({ query: { amount }, signal: aborted.signal }).then(
        (found) => {
          ways.value = found
          error.value = undefined
        },
        (reason) => {
          if (!aborted.signal.aborted) error.value = reason
        },
      )
    }, typingMs)
    return () => {
      clearTimeout(timer)
      aborted.abort()
    }
  }, [amount, isFit])
  return { ways: isFit ? ways.value : undefined, error: error.value, isFit }
}

/** `?sum=` is what is missing for a purchase or a renewal, as far as one top-up takes it. */
const askedSum = (): number | undefined => {
  const sum = Number(new URLSearchParams(location.search).get('sum'))
  return sum > 0 ? Math.min(most, Math.max(least, Math.ceil(sum))) : undefined
}

interface SumProps {
  readonly amount: Signal<number>
  readonly isFit: boolean
}

const Sum = ({ amount, isFit }: SumProps) => (
  <>
    <div class="field">
      <label for="sum">{say('sum')}</label>
      <input
        id="sum"
        type="number"
        inputMode="numeric"
        min={least}
        max={most}
        value={Number.isNaN(amount.value) ? '' : amount.value}
        aria-describedby="sum-hint"
        aria-invalid={!isFit}
        onInput={(event) => {
          amount.value = event.currentTarget.valueAsNumber
        }}
      />
      <p id="sum-hint" class="small">
        {say('sumHint')}
      </p>
    </div>
    <fieldset class="sums" aria-label={say('quick')}>
      {quickSums.map((sum) => (
        <button
          key={sum}
          type="button"
          aria-pressed={sum === amount.value}
          onClick={() => {
            amount.value = sum
          }}
        >
          {money(sum)}
        </button>
      ))}
    </fieldset>
  </>
)

export const TopUp = () => {
  const amount = useSignal(askedSum() ?? usualSum)
  const method = useSignal<number | undefined>(undefined)
  const { route } = useLocation()
  const { ways, error, isFit } = useWays(amount.value)
  const chosen = ways?.find(({ id }) => id === method.value) ?? ways?.[0]
  const pay = async () => {
    if (!chosen) return
    const body = { amount: amount.value, payment_method_id: chosen.id }
    const link = await once('topUpBalance', body, (idempotencyKey) =>
      api.topUpBalance({ body, idempotencyKey }),
    )
    const back = leftPurchase(Number(new URLSearchParams(location.search).get('sum')))
    if (back === undefined) leaveToPay(link, route)
    else goToPay(link, route, back)
  }
  return (
    <Card title={say('topUp')}>
      <Sum amount={amount} isFit={isFit} />
      {error !== undefined && <Problem error={error} />}
      {isFit && !ways && error === undefined && <Loading lines={2} />}
      {ways && (
        <Some
          legend={say('method')}
          value={chosen?.id}
          onChoose={(id) => {
            method.value = id
          }}
          options={ways.map(({ id, display_name, price, currency }) => ({
            value: id,
            title: display_name,
            side: money(price, currency),
          }))}
          isFirst={(_, at) => at < shownAtFirst}
          more={say('moreWays')}
        />
      )}
      <Act kind="p" run={pay} disabled={!chosen} isSpending>
        {chosen ? say('pay', { price: money(chosen.price, chosen.currency) }) : say('choose')}
      </Act>
    </Card>
  )
}
