import { language } from './language.ts'
import { now } from './page.ts'

/** Money, time and sizes in the language chosen, never the browser's. */

const signs: Readonly<Record<string, string>> = { RUB: '₽', XTR: '⭐', USDT: 'USDT', TON: 'TON' }
const numbers = new Intl.NumberFormat(language)

export const number = (value: number): string => numbers.format(value)

export const money = (amount: number, currency = 'RUB'): string =>
  `${numbers.format(amount)}\u00a0${signs[currency] ?? currency}`

const dates = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })
const datesOfYears = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric' })
const times = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const hours = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })

/** Years are named where it is not this one. Seconds of Unix time, as everywhere in the API. */
export const date = (seconds: number): string => {
  const at = new Date(seconds * 1000)
  return (at.getFullYear() === new Date().getFullYear() ? dates : datesOfYears).format(at)
}
export const dateTime = (seconds: number): string => times.format(seconds * 1000)
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
  return relative.format(0, 'minute')
}

const sizes = language === 'ru' ? ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'] : ['B', 'KB', 'MB', 'GB', 'TB']

export const bytes = (count: number): string => {
  let value = count
  let at = 0
  while (value >= 1024 && at < sizes.length - 1) {
    value /= 1024
    at++
  }
  const digits = value < 10 && at > 0 ? 1 : 0
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)}\u00a0${sizes[at]}`
}
