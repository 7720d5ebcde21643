/** The only source of time for rules: Unix seconds. Tests inject their own. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Math.floor(Date.now() / 1000) }
