/** Free places, and the order in which they are asked for. */

export interface Server {
  readonly id: number
  readonly available_slots: number
}

/** Undefined while it is being asked, null where no answer came. */
export type Servers = readonly Server[] | null | undefined

/** The service takes five questions in five seconds, of which the customer's own presses need some. */
const paceMs = 1500
const againMs = 10_000

/** Undefined while it is not known; the purchase then goes ahead, and the service says. */
export const placesOf = (servers: Servers): number | undefined =>
  servers?.reduce((sum, { available_slots: slots }) => sum + slots, 0)

export interface Asked {
  /** What to ask next. */
  readonly queue: readonly number[]
  readonly waitMs: number
}

/** After an answer the next one is asked; what failed is asked again where it is the chosen one, or the service said when. */
export const afterAnswer = (
  [asked, ...others]: readonly number[],
  chosen: number | undefined,
  failure?: { readonly retryAfterSeconds: number | undefined },
): Asked => {
  const again = asked === undefined ? [] : [asked]
  if (!failure) return { queue: others, waitMs: paceMs }
  const { retryAfterSeconds: seconds } = failure
  if (seconds !== undefined) return { queue: [...again, ...others], waitMs: seconds * 1000 }
  // No network, perhaps: the others are not worth a try each.
  return { queue: asked === chosen ? again : [], waitMs: againMs }
}
