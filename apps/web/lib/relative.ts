import { language } from './language.ts'
import { now } from './page.ts'

/** Times told from now, and of the day. */

const hours = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })

export const hour = (seconds: number): string => hours.format(seconds * 1000)

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** 3 days ago, in 2 hours. */
export const ago = (seconds: number, at = now()): string => {
  const away = seconds - at
  for (const [unit, size] of steps) {
    if (Math.abs(away) >= size) return relative.format(Math.trunc(away / size), unit)
  }
  return language === 'ru' ? 'только что' : 'just now'
}
