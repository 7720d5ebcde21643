/** Numbers with what they count, the way each language does: its plural, its thousands, and no line break between the two. */

import { type Language, ofEachLanguage } from './language.ts'

const numbers = ofEachLanguage((language) => new Intl.NumberFormat(language))
const plurals = ofEachLanguage((language) => new Intl.PluralRules(language))

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

export const counted = (count: number, language: Language, forms: Forms): string =>
  `${numbers[language].format(count)}\u00a0${forms[plurals[language].select(count)] ?? forms.other}`

const days: Readonly<Record<Language, Forms>> = {
  ru: { one: 'день', few: 'дня', other: 'дней' },
  en: { one: 'day', other: 'days' },
}

/** 30 дней: also "на 30 дней", "ещё 30 дней". */
export const daysText = (count: number, language: Language): string =>
  counted(count, language, days[language])

/** Of the Russian genitive: в течение 1 дня, 3 дней, 21 дня. */
const ofDays: Forms = { one: 'дня', other: 'дней' }

export const withinDaysText = (count: number, language: Language): string =>
  language === 'ru' ? `в течение ${counted(count, 'ru', ofDays)}` : `within ${daysText(count, 'en')}`

/** How long something lasts: действует 1 минуту, 10 минут. */
const minutes: Readonly<Record<Language, Forms>> = {
  ru: { one: 'минуту', few: 'минуты', other: 'минут' },
  en: { one: 'minute', other: 'minutes' },
}

export const minutesText = (count: number, language: Language): string =>
  counted(count, language, minutes[language])

export const roublesText = (amount: number, language: Language): string =>
  `${numbers[language].format(amount)}\u00a0${language === 'ru' ? '₽' : 'RUB'}`
