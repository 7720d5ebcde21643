import { to } from '../../paths.ts'
import type { Paid } from './pace.ts'

/** Where what was paid for is, and what to do with it there. */
export interface NextStep {
  readonly href: string
  readonly does: 'connect' | 'send' | 'finish' | 'seeBalance' | 'seeItem' | 'seeHome'
}

const pageOf = ({ type, id }: NonNullable<Paid['item']>): string => {
  if (type === 'paid_options') return to('/options/:id', { id })
  return type === 'cloud_servers' ? to('/clouds/:id', { id }) : to('/configs/:id', { id })
}

type Asked = Pick<Paid, 'product_type' | 'as_key' | 'is_renewal' | 'item'>

/** `back` is the purchase that a top-up was made for. */
export const nextStepOf = ({ product_type, as_key, is_renewal, item }: Asked, back?: string): NextStep => {
  if (product_type === 'balance')
    return back === undefined ? { href: to('/balance'), does: 'seeBalance' } : { href: back, does: 'finish' }
  if (as_key) return { href: to('/keys'), does: 'send' }
  if (item && (is_renewal || item.type === 'cloud_servers')) return { href: pageOf(item), does: 'seeItem' }
  // What was prolonged is gone meanwhile.
  if (is_renewal) return { href: to('/'), does: 'seeHome' }
  return { href: to('/connect'), does: 'connect' }
}
