import { counted, daysText, type Forms } from '../../../text/counted.ts'
import { type Language, ofEachLanguage } from '../../../text/language.ts'

/** Amounts in words, the way each language counts. */

const hours: Readonly<Record<Language, Forms>> = {
  ru: { one: 'час', few: 'часа', other: 'часов' },
  en: { one: 'hour', other: 'hours' },
}

/** After "up to". */
const devices: Readonly<Record<Language, Forms>> = {
  ru: { one: 'устройства', other: 'устройств' },
  en: { one: 'device', other: 'devices' },
}

export const devicesOf = (count: number, language: Language): string =>
  counted(count, language, devices[language])

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/** Whole days, and hours on the last one: nobody is told of more than is left, nor of nothing while something is. */
export const timeLeft = (seconds: number, language: Language): string =>
  seconds >= daySeconds
    ? daysText(Math.floor(seconds / daySeconds), language)
    : counted(Math.max(1, Math.floor(seconds / hourSeconds)), language, hours[language])

/** From when on `timeLeft` says something else. */
export const timeLeftUntil = (expiresAt: number, now: number): number => {
  const left = expiresAt - now
  const unit = left >= daySeconds ? daySeconds : hourSeconds
  const said = Math.floor(left / unit)
  // Less than an hour is an hour, to the end and after it.
  if (unit === hourSeconds && said <= 1) return Number.POSITIVE_INFINITY
  return expiresAt - said * unit + 1
}

const dates = ofEachLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
)

export const dateOf = (seconds: number, language: Language): string => dates[language].format(seconds * 1000)
