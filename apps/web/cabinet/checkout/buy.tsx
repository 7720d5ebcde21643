import { Act } from '../../kit/act.tsx'
import { later } from '../../kit/later.tsx'
import { money } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { BuyBar } from './buy-bar.tsx'
import type { Chosen } from './paying.ts'
import { type Method, missing } from './prices.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const Short = later(() => import('./short.tsx').then((part) => part.Short))

const isInside = ({ key }: Method): boolean => key === 'balance' || key === 'referral'

/** Where the money goes from here, in a sentence. */
export const whatNext = ({ key }: Method): string => {
  if (key === 'referral') return say('fromEarnings')
  return say(key === 'balance' ? 'fromBalance' : 'nextProvider')
}

export const Buy = (props: Chosen) => {
  const { now, methods, purse, buy, obstacle, isRenewal = false } = props
  const { method, tariff } = now
  const payBy = (by: Method) => {
    const { id, days } = by.tariffs.find((one) => one.days === tariff.days) ?? tariff
    return buy({ payment_method_id: by.id, tariff_id: id, days })
  }
  if (obstacle === undefined && missing(method, tariff.price, purse) > 0)
    return <Short now={now} methods={methods} purse={purse} payBy={payBy} />
  const sum = money(tariff.price, method.currency)
  return (
    <BuyBar now={now} note={obstacle}>
      <Act kind="p" isSpending disabled={obstacle !== undefined} run={() => payBy(method)}>
        {isInside(method) ? say(isRenewal ? 'renewFor' : 'buyFor', { sum }) : say('payFor', { sum })}
      </Act>
    </BuyBar>
  )
}
