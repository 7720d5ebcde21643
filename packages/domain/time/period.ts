/**
 * How long something lasts that is bought and renewed: each order adds its days to the end, or to the moment it came, and so does whoever
 * gives days. Days that are taken shorten it, at most to that moment.
 */

export const secondsInDay = 86_400

/** The day a moment belongs to, YYYY-MM-DD, in UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

export interface Granting {
  /** Unix seconds. */
  readonly at: number
  /** Below zero they were taken. */
  readonly days: number
  /** When the item it was for went into this one, with what was left of it. */
  readonly mergedAt?: number | null
}

interface Addition {
  readonly at: number
  readonly seconds: number
}

/** An item that went into another ran beside it until then, and left what it still had. */
const leftBy = (at: number, grants: readonly Granting[]): Addition => ({
  at,
  seconds: Math.max(0, endOf(grants.map((grant) => ({ ...grant, mergedAt: null }))) - at),
})

/** What is taken is taken from what is left then. */
const endAfter = (end: number, { at, seconds }: Addition): number =>
  seconds > 0 ? Math.max(at, end) + seconds : Math.max(Math.min(at, end), end + seconds)

/** The end after these grants, in the order they were made; 0 when there are none. */
export const endOf = (grants: readonly Granting[]): number => {
  const merged = Map.groupBy(grants, (grant) => grant.mergedAt ?? null)
  const own = (merged.get(null) ?? []).map(({ at, days }) => ({ at, seconds: days * secondsInDay }))
  const others = [...merged].flatMap(([at, group]) => (at === null ? [] : [leftBy(at, group)]))
  return [...own, ...others]
    .filter(({ seconds }) => seconds !== 0)
    .toSorted((a, b) => a.at - b.at)
    .reduce(endAfter, 0)
}
