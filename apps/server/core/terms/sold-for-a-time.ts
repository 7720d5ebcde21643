import { prolong } from './extend-term.ts'
import { takeDaysBack } from './revocation.ts'
import type { SoldForATime, TermProduct } from './term-product.ts'

/** A product of terms, as payments see it. */
export const soldForATime = (term: TermProduct): SoldForATime => ({
  term,
  name: term.name,
  describe: term.describe,
  grant: (tx, at, order) => (order.isRenewal ? prolong(tx, at, term, order) : term.grant(tx, at, order)),
  ...(term.gift && { gift: term.gift }),
  revoke: (tx, at, order) => takeDaysBack(tx, at, term, order),
})
