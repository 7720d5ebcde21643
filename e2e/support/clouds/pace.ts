/** Time as a hurried service and its test have it: so many times as fast since a moment that both know. */

export const speed = 15

/** The longest pause between two runs of a job: a process that lives for seconds runs them all. */
export const longestPauseMs = 1000

/** What the service is told the moment by. */
export const sinceSetting = 'HURRIED_SINCE_MS'

export const hurriedMs = (sinceMs: number, nowMs: number): number => sinceMs + (nowMs - sinceMs) * speed
