import { isProductClass, type PricingRuleType, pricingRules } from '@sallyport/contract/product-types'
import { products } from '@sallyport/contract/products'
import { language, sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is sold, by the names that the contract has for it. */

export const productTitle = (name: string): string => {
  if (name === 'balance') return say('topUp')
  return isProductClass(name) ? products[name].titles.one[language] : name
}

export const productOptions = (): (readonly [string, string])[] =>
  Object.entries(products).map(([name, { titles }]) => [name, titles.one[language]])

export const ruleTitle = (type: string): string =>
  pricingRules[type as PricingRuleType]?.title[language] ?? type

export const ruleOptions = (): (readonly [string, string])[] =>
  Object.entries(pricingRules).map(([type, { title }]) => [type, title[language]])
