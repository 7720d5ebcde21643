/** Hours, days and months of a time zone. Counted here and not by the database, so that every database agrees. */

export type Step = 'hour' | 'day' | 'month'

const hourSeconds = 3600
const daySeconds = 86_400

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

/** The beginnings of all that have a part between two moments; the second is not included. */
export const startsBetween = (from: number, to: number, zone: string, step: Step): number[] => {
  const starts: number[] = []
  for (let at = startOf(from, zone, step); at < to; at = nextStart(at, zone, step)) starts.push(at)
  return starts
}
