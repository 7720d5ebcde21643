/** Hours, days and months of a time zone. Counted here and not by the database, so that every database agrees. */

export type Step = 'hour' | 'day' | 'month'

const hourSeconds = 3600
const daySeconds = 86_400

const quarterSeconds = 900

/** When the quarter of an hour began: the offsets of all time zones are made of them. */
export const quarterOf = (seconds: number): number => seconds - (seconds % quarterSeconds)

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than everything else here. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  return format
}

export const isTimeZone = (name: string): boolean => {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** What a clock on the wall shows, as if it were UTC. */
const wallTimeOf = (seconds: number, zone: string): number => {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) / 1000
}

/** As people write it: 2027-01-16 11:00 Europe/Moscow. */
export const writtenTime = (seconds: number, zone: string): string => {
  const text = new Date(wallTimeOf(seconds, zone) * 1000).toISOString()
  return `${text.slice(0, 16).replace('T', ' ')} ${zone}`
}

const offsetAt = (seconds: number, zone: string): number => wallTimeOf(seconds, zone) - seconds

/** The first moment of a local day. Where clocks are changed at midnight it may come twice, or not at all. */
const midnightOf = (wallMidnight: number, zone: string): number => {
  const offsets = [wallMidnight - daySeconds, wallMidnight + daySeconds].map((at) => offsetAt(at, zone))
  const moments = offsets.map((offset) => wallMidnight - offset)
  const real = moments.filter((at) => wallTimeOf(at, zone) === wallMidnight)
  return real.length > 0 ? Math.min(...real) : (moments[0] as number)
}

/** The first of the day, or of the month, that a wall time belongs to; `later` counts on from there. */
const wallStart = (wallTime: number, step: 'day' | 'month', later: number): number => {
  const date = new Date(wallTime * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  return (step === 'day' ? Date.UTC(year, month, day + later) : Date.UTC(year, month + later, 1)) / 1000
}

const startAfter = (seconds: number, zone: string, step: Step, later: number): number => {
  const wallTime = wallTimeOf(seconds, zone)
  if (step !== 'hour') return midnightOf(wallStart(wallTime, step, later), zone)
  const into = ((wallTime % hourSeconds) + hourSeconds) % hourSeconds
  return seconds - into + later * hourSeconds
}

/** When the hour, day or month of a moment began. */
export const startOf = (seconds: number, zone: string, step: Step): number =>
  startAfter(seconds, zone, step, 0)

/** When the one after it begins. */
export const nextStart = (seconds: number, zone: string, step: Step): number =>
  startAfter(seconds, zone, step, 1)

const weekSeconds = 7 * daySeconds

/**
 * The beginnings of all that have a part between two moments; the second is not included. Where a week begins and ends with the
 * same offset, no clock was changed in it, and they are as far from each other as usual: asking for each would take long.
 */
export const startsBetween = (from: number, to: number, zone: string, step: Step): number[] => {
  const starts: number[] = []
  const length = step === 'hour' ? hourSeconds : daySeconds
  // A day whose midnight is skipped begins later than the others.
  const isUsualFrom = (at: number): boolean =>
    step !== 'month' &&
    wallTimeOf(at, zone) % length === 0 &&
    offsetAt(at, zone) === offsetAt(at + weekSeconds, zone)
  let at = startOf(from, zone, step)
  let usualUntil = at
  while (at < to) {
    starts.push(at)
    if (at >= usualUntil && isUsualFrom(at)) usualUntil = at + weekSeconds
    at = at < usualUntil ? at + length : nextStart(at, zone, step)
  }
  return starts
}
