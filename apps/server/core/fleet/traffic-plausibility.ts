/** How much of what a node tells can be true. */

/**
 * 100 Gbit/s: few nodes have a tenth of it. A customer's byte comes in and goes out by the same line, so that both directions
 * together are no more than the line carries in one.
 */
export const lineBytesPerSecond = 12_500_000_000

/** What was not used of the time before is good for so much more, for readings that came late. */
export const keptBytes = 3600 * lineBytesPerSecond

/**
 * A run that was not heard of before takes a row that is kept for a month, so each costs some of the time too: 125 a second in the
 * long run. A restart of an engine with everybody on it is far less than what is kept.
 */
export const newRunBytes = 100_000_000

/** Nobody is believed for longer than counters are kept. */
export const mostSeconds = 30 * 86_400
export const mostAllowance = (mostSeconds + 3600) * lineBytesPerSecond

/** A report with so many counters has more to tell, and what it leaves of the time is for the next. */
export const countersPerReport = 5000

/** Clocks of machines differ a little. */
export const clockSkewSeconds = 300

/** More is not exact in JSON; what is shown stops there. */
export const mostShown = Number.MAX_SAFE_INTEGER

/** Of a column of meters, whatever stands in them; for SQL that is written as text. */
export const shownSum = (column: string): string => `least(coalesce(sum(${column}), 0), ${mostShown})::bigint`

const reasons = ['unknown', 'backwards', 'impossible', 'future'] as const
export type RefusalReason = (typeof reasons)[number]

/** Counters that this instance has refused since it started, for whoever watches it. */
export class RefusedCounters {
  readonly #counts = new Map<RefusalReason, number>(reasons.map((reason) => [reason, 0]))

  add(reason: RefusalReason, count: number): void {
    this.#counts.set(reason, this.of(reason) + count)
  }

  of(reason: RefusalReason): number {
    return this.#counts.get(reason) ?? 0
  }

  entries(): Iterable<[RefusalReason, number]> {
    return this.#counts.entries()
  }
}
