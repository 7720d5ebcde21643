import { money, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { to } from '../../paths.ts'
import type { Overview } from './overview.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Beside the same number of days before. */
const Grown = ({ now, then }: { readonly now: number; readonly then: number }) => {
  if (then === 0) return <span class="small">{say('nothingBefore')}</span>
  const percent = Math.round(((now - then) / then) * 100)
  const sign = percent > 0 ? '↑' : '↓'
  return (
    <span class="small">
      {percent === 0 ? say('same') : say(percent > 0 ? 'more' : 'less', { sign, n: `${Math.abs(percent)}` })}
    </span>
  )
}

const spans = ['today', 'last_7_days', 'last_30_days'] as const

export const Sales = ({ overview: { sales, customers, ...ends } }: { readonly overview: Overview }) => (
  <section>
    <h2>{say('sales')}</h2>
    <div class="figures">
      {spans.map((span) => {
        const { before, money_in, orders } = sales[span]
        return (
          <div key={span} class="figure">
            <span>{say(span)}</span>
            <b>{money(money_in)}</b>
            <span class="small">{say('orders', { n: orders })}</span>
            <Grown now={money_in} then={before.money_in} />
          </div>
        )
      })}
      <a class="figure" href={`${to('/console/customers')}?view=active`}>
        <span>{say('active')}</span>
        <b>{number(customers.active)}</b>
        <span class="small">{say('new', { n: customers.new_today, month: number(customers.new) })}</span>
      </a>
      <a class="figure" href={`${to('/console/customers')}?view=ending`}>
        <span>{say('ending')}</span>
        <b>{number(ends.terms_ending)}</b>
        <span class="small">{say('unrenewed', { n: number(ends.terms_ending_unrenewed) })}</span>
      </a>
      <a class="figure" href={`${to('/console/customers')}?view=ended`}>
        <span>{say('ended')}</span>
        <b>{number(customers.ended)}</b>
        <span class="small">{say('inMonth')}</span>
      </a>
    </div>
  </section>
)
