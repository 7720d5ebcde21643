import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import type { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Person } from '../../kit/person.tsx'
import { asking, to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Transfer = Awaited<ReturnType<typeof api.listTransfers>>[number]

const isKnown = (name: string): name is Extract<keyof typeof words, `kind_${string}`> =>
  Object.hasOwn(words, name)

/** What moved it, in words; of a kind that has none by its name. */
const kindOf = (kind: string): string => {
  const name = `kind_${kind}`
  return isKnown(name) ? say(name) : kind
}

/** By its account, which leads to all that moved there, and whose it is. */
export const Account = ({ name }: { readonly name: string }) => {
  const owner = /^user:(\d+):/.exec(name)?.[1]
  return (
    <>
      <a href={asking('/console/ledger', { account: name })}>{name}</a>
      {owner !== undefined && (
        <span class="small">
          <Person id={Number(owner)} />
        </span>
      )}
    </>
  )
}

/** The event behind it, and the way there. */
export const Cause = ({ row: { kind, cause, order_id } }: { readonly row: Transfer }) => {
  const isWithdrawal = cause.startsWith('withdrawal:') && may('listWithdrawals')
  return (
    <>
      {kindOf(kind)}
      <span class="small">{cause}</span>
      {order_id !== null && may('showOrder') && (
        <a href={to('/console/orders/:id', { id: order_id })}>{say('toOrder', { id: `${order_id}` })}</a>
      )}
      {isWithdrawal && <a href={to('/console/withdrawals')}>{say('toWithdrawals')}</a>}
    </>
  )
}

interface SumProps {
  readonly row: Transfer
  /** The account that is looked at: what came to it, and what left. */
  readonly account: string | undefined
}

export const Sum = ({ row, account }: SumProps) => {
  const { from, to: into, amount, currency } = row
  const sign = account === into ? '+' : account === from ? '−' : ''
  return (
    <>
      {sign}
      {money(amount, currency)}
    </>
  )
}
