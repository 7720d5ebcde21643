/** How long something lasts that is bought and renewed: each order adds its days to the end, or to the moment it came. */

export const secondsInDay = 86_400

/** The day a moment belongs to, YYYY-MM-DD, in UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

export interface Granting {
  /** Unix seconds. */
  readonly at: number
  readonly days: number
}

/** The end after these grants, in the order they were made; 0 when there are none. */
export const endOf = (grants: readonly Granting[]): number =>
  grants.reduce((end, { at, days }) => Math.max(at, end) + days * secondsInDay, 0)
