import type { ProductClass } from '@sallyport/contract/products'
import type { Db } from '../../db/client.ts'
import type { GrantContext, PaidOrder, Product, Products, Words } from '../sales/products.ts'
import type { Term } from './terms.ts'

/** A product that is sold for a time. What all of them have in common is written over terms; the rest is registered here. */

export interface TermProduct {
  readonly name: ProductClass
  /** How long an ended item can still be renewed. */
  readonly graceSeconds: number
  readonly words: TermWords
  describe(order: { readonly days: number; readonly isRenewal: boolean; readonly valueRub: number }): Words
  /** Makes a new item and its term, and returns the item. */
  grant(tx: Db, at: GrantContext, order: PaidOrder): Promise<number>
  /** As the product of payments has it. */
  gift?: Product['gift']
  /**
   * More days were bought or given; what comes with them, such as fresh counters. The term is locked and has its new end. It may have
   * ended a moment ago, before the round that switches it off.
   */
  prolonged?(tx: Db, at: GrantContext, term: Term, hadEnded: boolean): Promise<void>
  /** These have ended. They are locked, and marked so already. */
  switchOff(tx: Db, at: GrantContext, terms: readonly Term[]): Promise<void>
  /** It had ended and was renewed. Throws when there is no room for it. */
  bringBack(tx: Db, at: GrantContext, term: Term): Promise<void>
  /** They go for good, with all that is their own; some of them may still be on. */
  destroy(tx: Db, at: GrantContext, terms: readonly Term[]): Promise<void>
  /**
   * A customer who has one comes into another of the same, and can have one only: the first goes on for both, and what
   * the second still had is added to it. Both are locked. Not said where a customer can have several.
   */
  merge?(tx: Db, at: GrantContext, into: Term, from: Term): Promise<void>
  /** What customers call these, by the term. */
  namesOf(tx: Db, terms: readonly Pick<Term, 'id' | 'item_id'>[]): Promise<ReadonlyMap<number, TermName>>
}

/** As it stands in a sentence behind what it is: a title is in quotes, a number or a name of the network is not. */
export interface TermName {
  /** The customer's own title, or where it is. */
  readonly short: Words
  /** The customer's own title, or where and what it is. */
  readonly long: Words
}

export const inQuotes = (ru: string, en: string): Words => ({ ru: `«${ru}»`, en: `“${en}”` })

/** How sentences speak of the product. */
export interface TermWords {
  /** At the beginning of a sentence: Подключение, The connection. */
  readonly subject: Words
  /** Of whom: подключения, connection. */
  readonly genitive: Words
  /** Оплачено. */
  readonly paid: string
  /** Оно. */
  readonly pronoun: string
  /** Его. */
  readonly object: string
  /** Продлено. */
  readonly renewed: string
}

/** As payments see it: renewals and refunds of days are the same for all. */
export interface SoldForATime extends Product {
  readonly term: TermProduct
}

const isSoldForATime = (product: Product): product is SoldForATime => 'term' in product

export const termProductsOf = (products: Products): TermProduct[] =>
  [...products.values()].filter(isSoldForATime).map((product) => product.term)

export const termProductOf = (products: Products, name: ProductClass): TermProduct => {
  const product = termProductsOf(products).find((term) => term.name === name)
  if (!product) throw new Error(`Nothing that is sold for a time is called ${name}`)
  return product
}

/** What jobs look for: one of another release is left to that release. */
export const namesOfTerms = (products: Products): ProductClass[] =>
  termProductsOf(products).map((product) => product.name)

/** What it is and what it is called, as it begins a sentence. */
export const subjectOf = ({ subject }: TermWords, name: Words | undefined): Words =>
  name ? { ru: `${subject.ru} ${name.ru}`, en: `${subject.en} ${name.en}` } : subject
