import { keep, kept } from '../../lib/kept.ts'
import { openPayment } from '../../lib/outside.ts'
import { to } from '../paths.ts'

/** Out to whoever takes the money, and back. */

interface Paying {
  readonly id: number
  /** Where it was asked for: a purchase that is tried again, or one that a top-up was made for. */
  readonly back: string
}

interface Link {
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

export const goToPay = (link: Link, route: Route): void => {
  keep('paying', { id: link.payment_id, back: location.pathname + location.search })
  leaveToPay(link, route)
}
