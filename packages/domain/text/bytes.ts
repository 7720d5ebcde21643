import { type Language, ofEachLanguage } from './language.ts'

/** Amounts of traffic in words: the same wherever a customer reads them. */

const units: Readonly<Record<Language, readonly string[]>> = {
  ru: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'],
  en: ['B', 'KB', 'MB', 'GB', 'TB'],
}

const whole = ofEachLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }))
const tenths = ofEachLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }))

/** As it is sold, in powers of 1000; one decimal below a hundred. */
export const bytesOf = (bytes: number, language: Language): string => {
  const names = units[language]
  let power = 0
  while (bytes / 1000 ** power >= 999.5 && power < names.length - 1) power++
  const value = bytes / 1000 ** power
  const numbers = power > 0 && value < 99.95 ? tenths : whole
  return `${numbers[language].format(value)}\u00a0${names[power]}`
}
