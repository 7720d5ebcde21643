import { keep, kept } from '../../lib/kept.ts'
import { openPayment } from '../../lib/outside.ts'
import { to } from '../paths.ts'

/** Out to whoever takes the money, and back. */

interface Paying {
  readonly id: number
  /** Where a top-up was asked for: the purchase waits there. */
  readonly back?: string
}

interface Link {
  readonly link: string
  readonly payment_id: number
}

export type Route = (url: string, replace?: boolean) => void

/** Where the money of a top-up was wanted. */
export const backFrom = (id: number): string | undefined => {
  const paying = kept<Paying>('paying')
  return paying?.id === id ? paying.back : undefined
}

/** The page of the payment comes first into the history: the way back from the provider ends there, whichever it is. */
export const goToPay = ({ link, payment_id: id }: Link, route: Route, back?: string): void => {
  keep('paying', { id, ...(back !== undefined && { back }) })
  route(to('/payments/:id', { id }))
  setTimeout(() => void openPayment(link), 100)
}
