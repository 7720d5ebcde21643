import type { ComponentChildren } from 'preact'
import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { date, money } from '../../../lib/format.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import type { Paid } from './pace.ts'
import { titleOf } from './title.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const moments = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' })

const methods = ['sbp', 'card', 'ton', 'usdt', 'stars', 'balance', 'promocode', 'referral', 'gift'] as const

const methodOf = (key: string): string => {
  const known = methods.find((one) => one === key.toLowerCase())
  return known ? say(known) : key
}

type Row = readonly [string, ComponentChildren]

const rowsOf = (paid: Paid): readonly Row[] => {
  const { price, currency, amount, refunded, receipt } = paid
  const isReduced = price !== null && price.percent !== 0
  return [
    [say('number'), paid.id],
    [say('service'), page.name],
    [say('what'), titleOf(paid)],
    [say('when'), moments.format((paid.paid_at ?? paid.created_at) * 1000)],
    [say('how'), methodOf(paid.method)],
    ...(isReduced ? [[say('list'), money(price.list, currency)] satisfies Row] : []),
    ...(isReduced
      ? [[say('personal'), `${price.percent > 0 ? '+' : ''}${price.percent} %`] satisfies Row]
      : []),
    [say('total'), <b key="total">{amount === null ? say('byCode') : money(Number(amount), currency)}</b>],
    ...(paid.credited > 0 ? [[say('toBalance'), money(paid.credited)] satisfies Row] : []),
    ...(refunded
      ? [
          [
            say('returned'),
            `${money(refunded.amount, refunded.currency)}, ${date(refunded.at)}`,
          ] satisfies Row,
        ]
      : []),
    ...(receipt ? [[say('atProvider'), `${receipt.provider} ${receipt.number}`] satisfies Row] : []),
  ]
}

/** What was paid for, line by line; it can be printed. */
export const Receipt = ({ paid }: { readonly paid: Paid }) => (
  <Card title={say('receipt')}>
    <Facts rows={rowsOf(paid)} />
    <button type="button" onClick={() => window.print()}>
      {say('print')}
    </button>
  </Card>
)
