import type { Language } from '../../language.ts'

/** Amounts in words, the way each language counts. */

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

const counted = (count: number, language: Language, forms: Forms): string =>
  `${new Intl.NumberFormat(language).format(count)}\u00a0${forms[new Intl.PluralRules(language).select(count)] ?? forms.other}`

const days: Readonly<Record<Language, Forms>> = {
  ru: { one: 'день', few: 'дня', other: 'дней' },
  en: { one: 'day', other: 'days' },
}

const hours: Readonly<Record<Language, Forms>> = {
  ru: { one: 'час', few: 'часа', other: 'часов' },
  en: { one: 'hour', other: 'hours' },
}

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/** Whole days, and hours on the last one: nobody is told of more than is left, nor of nothing while something is. */
export const timeLeft = (seconds: number, language: Language): string =>
  seconds >= daySeconds
    ? counted(Math.floor(seconds / daySeconds), language, days[language])
    : counted(Math.max(1, Math.floor(seconds / hourSeconds)), language, hours[language])

export const dateOf = (seconds: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1000)

const byteUnits: Readonly<Record<Language, readonly string[]>> = {
  ru: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'],
  en: ['B', 'KB', 'MB', 'GB', 'TB'],
}

/** As apps count them, in powers of 1024; one decimal below ten. */
export const bytesOf = (bytes: number, language: Language): string => {
  const units = byteUnits[language]
  let power = 0
  while (bytes / 1024 ** power >= 1023.5 && power < units.length - 1) power++
  const value = bytes / 1024 ** power
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: power > 0 && value < 9.95 ? 1 : 0 })
  return `${number.format(value)}\u00a0${units[power]}`
}
