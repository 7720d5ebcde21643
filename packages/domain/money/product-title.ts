import type { Words } from '@sallyport/contract/shapes'
import { daysText } from '../text/counted.ts'
import type { Language } from '../text/language.ts'

/** What is known of the one product that a rule is on. */
export interface OneProduct {
  /** Of what has a title of its own. */
  readonly title: Words | null
  /** Of a length of configurations, which are told apart by it. */
  readonly days: number | null
}

/**
 * What a personal price applies to, in the words customers see: one product by its own title, and what is gone or is of many
 * by the title of its rule.
 */
export const productTitle = (ofRule: Words, language: Language, one: OneProduct): string => {
  if (one.title) return one.title[language]
  const title = ofRule[language]
  if (one.days === null) return title
  const length = daysText(one.days, language)
  return language === 'ru' ? `${title} на ${length}` : `${title} for ${length}`
}
