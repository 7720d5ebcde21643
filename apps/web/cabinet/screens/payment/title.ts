import { sayIn } from '../../../lib/language.ts'
import { lengthOf } from '../../checkout/price.tsx'
import type { Paid } from './pace.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Titled = Pick<Paid, 'title' | 'product_type' | 'product_title' | 'is_renewal' | 'as_key' | 'days'>

const plainTitle = ({ title, product_type: type, product_title, is_renewal, days }: Titled): string => {
  if (type === 'balance') return say('topUp')
  if (type === null) return title ?? say('payment')
  const length = lengthOf(days)
  if (type === 'configs') return say(is_renewal ? 'renewal' : 'newConfig', { length })
  if (type === 'cloud_servers')
    return is_renewal ? say('renewalOf', { name: say('cloud'), length }) : say('newCloud', { length })
  const name = product_title ?? say('option')
  return say(is_renewal ? 'renewalOf' : 'newOption', { name, length })
}

/** What was paid for, as the shop calls it. */
export const titleOf = (paid: Titled): string =>
  paid.as_key ? say('asGift', { what: plainTitle(paid) }) : plainTitle(paid)
