import { language } from './language.ts'

/** Money, time and sizes in the language chosen, never the browser's. */

const signs: Readonly<Record<string, string>> = { RUB: '₽', XTR: '⭐', USDT: 'USDT', TON: 'TON' }
const numbers = new Intl.NumberFormat(language)

export const number = (value: number): string => numbers.format(value)

export const signOf = (currency: string): string => signs[currency] ?? currency

export const money = (amount: number, currency = 'RUB'): string =>
  `${numbers.format(amount)}\u00a0${signOf(currency)}`

const dates = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })
const datesOfYears = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric' })
const times = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** Years are named where it is not this one. Seconds of Unix time, as everywhere in the API. */
export const date = (seconds: number): string => {
  const at = new Date(seconds * 1000)
  const format = at.getFullYear() === new Date().getFullYear() ? dates : datesOfYears
  return format.format(at).replaceAll(' ', '\u00a0')
}
export const dateTime = (seconds: number): string => times.format(seconds * 1000)
