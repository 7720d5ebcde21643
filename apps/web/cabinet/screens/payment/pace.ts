import type { Client } from '@sallyport/contract/client/core'

export type Paid = Awaited<ReturnType<Client['getPayment']>>

/** Nothing more will come of it by waiting. */
export const isSettled = ({ state }: Pick<Paid, 'state'>): boolean =>
  state !== 'waiting' && state !== 'processing'

/** Seconds between questions: people look at it for the first minute, and leave it open for the rest of the hour. */
export const paceAfter = (seconds: number): number => {
  if (seconds < 60) return 2
  return seconds < 300 ? 5 : 15
}
