import { keep, keepInTab, kept, keptInTab } from '../../lib/kept.ts'
import { openPayment } from '../../lib/outside.ts'
import { to } from '../paths.ts'

/** Out to whoever takes the money, and back. */

interface Paying {
  readonly id: number
  /** Where it was asked for: a purchase that is tried again, or one that a top-up was made for. */
  readonly back: string
}

export interface Link {
  readonly link: string
  readonly payment_id: number
}

export type Route = (url: string, replace?: boolean) => void

/** What was being bought, where this browser began it. */
export const backFrom = (id: number): string | undefined => {
  const paying = kept<Paying>('paying')
  return paying?.id === id ? paying.back : undefined
}

/** The page of the payment comes first into the history: the way back from the provider ends there, whichever it is. */
export const leaveToPay = ({ link, payment_id: id }: Link, route: Route): void => {
  route(to('/payments/:id', { id }))
  setTimeout(() => void openPayment(link), 100)
}

/** Where one comes back to is where one is, unless another place is named. */
export const goToPay = (link: Link, route: Route, back = location.pathname + location.search): void => {
  keep('paying', { id: link.payment_id, back })
  leaveToPay(link, route)
}

interface LeftPurchase {
  readonly sum: number
  readonly back: string
}

/** The balance's page with the sum filled in. */
export const topUpAddress = (sum: number): string => `${to('/balance')}?sum=${Math.ceil(sum)}`

/** The purchase that lacks the sum, to come back to once it is there. */
export const leavePurchase = (sum: number): void =>
  keepInTab('purchase', { sum: Math.ceil(sum), back: location.pathname + location.search })

export const leftPurchase = (sum: number): string | undefined => {
  const left = keptInTab<LeftPurchase>('purchase')
  return left?.sum === sum ? left.back : undefined
}
