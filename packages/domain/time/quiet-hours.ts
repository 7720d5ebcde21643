/** When a customer may be reminded of something: between two hours of their own day. */

export interface AllowedHours {
  /** 0-23, inclusive. */
  readonly startHour: number
  /** 0-23, exclusive; before the start when the hours go over midnight, equal to it for the whole day. */
  readonly endHour: number
  /** Minutes east of Greenwich. */
  readonly offsetMinutes: number
}

const secondsInDay = 86_400
const secondsInHour = 3600

/** How long before an end its reminder comes, whatever the hour. */
const lastCallSeconds = secondsInHour

const withinDay = (seconds: number): number => ((seconds % secondsInDay) + secondsInDay) % secondsInDay

/** The first moment from now on that lies within the customer's hours. */
export const nextAllowed = (now: number, hours: AllowedHours): number => {
  const openSeconds = withinDay((hours.endHour - hours.startHour) * secondsInHour) || secondsInDay
  const sinceStart = withinDay(now + hours.offsetMinutes * 60 - hours.startHour * secondsInHour)
  return sinceStart < openSeconds ? now : now + secondsInDay - sinceStart
}

/**
 * When a reminder of an end is shown: in the customer's hours, but an hour before the end at the latest, because
 * one that comes in the night is of more use than one that comes too late.
 */
export const reminderTime = (now: number, endsAt: number, hours: AllowedHours): number =>
  Math.max(now, Math.min(nextAllowed(now, hours), endsAt - lastCallSeconds))
