/** What a provider lists, held against what we know of: is everything there that should be, and nothing else? */

/** A machine of ours at a provider. */
export interface ListedMachine {
  readonly ref: string
  /** The order that it says it was made for. */
  readonly order: number
  readonly createdAt: number
}

/** The machine that an order has, as we know it. */
export interface OrderedMachine {
  readonly cloudId: number | null
  readonly ref: string | null
  /** Asked for there, and not known to be made. */
  readonly isAsked: boolean
  /** Nothing should be left of it. */
  readonly isGone: boolean
  readonly orderedAt: number
}

/** `unknown` is for a person: the order may be lost with a backup, and the machine somebody's. */
export type Finding = 'right' | 'extra' | 'unknown'

/** Clocks of providers differ a little. */
const slackSeconds = 300

/** One from before its order is another's: numbers of orders come again after a backup is restored. */
export const isOlderThan = (orderedAt: number, createdAt: number): boolean =>
  createdAt < orderedAt - slackSeconds

/** What has just been made may not be written down yet. */
const youngSeconds = 600

export const judgeListed = (
  listed: ListedMachine,
  cloudId: number,
  known: OrderedMachine | undefined,
  now: number,
): Finding => {
  if (!known || isOlderThan(known.orderedAt, listed.createdAt)) return 'unknown'
  if (known.isGone) return 'extra'
  const isHere = known.cloudId === cloudId
  if (isHere && known.ref === listed.ref) return 'right'
  if (isHere && known.ref === null && known.isAsked) return 'right'
  return listed.createdAt > now - youngSeconds ? 'right' : 'extra'
}
