import { ApiError } from '@sallyport/contract/errors'
import { daysText, roublesText } from '@sallyport/domain/text/counted'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import { notify } from '../kernel/notifications.ts'
import { payInside, type Till } from '../sales/checkout.ts'
import { type Quote, quoteFromBalance } from '../sales/prices.ts'
import type { Words } from '../sales/products.ts'
import { type DueRenewal, findUntriedRenewals, lockDueRenewal } from './auto-renewal.ts'
import { namesOfTerms, subjectOf, type TermProduct, termProductOf } from './term-product.ts'
import { updateTerm, withEntries } from './terms.ts'

/** A day before the end, from the balance, at the customer's price that day, once for each period. */

/** What the customer is told of one period's end, once. */
interface RenewalOutcome {
  readonly term: DueRenewal
  readonly product: TermProduct
  readonly quoted: Quote | undefined
  readonly now: number
}

/** What it is and what it is called: where it begins a sentence, and of what. */
const calledOf = async (
  tx: Db,
  { term, product }: RenewalOutcome,
): Promise<{ subject: Words; of: string }> => {
  const { genitive } = product.words
  const name = (await product.namesOf(tx, [term])).get(term.id)?.short
  const of = name ? `${genitive.ru} ${name.ru}` : genitive.ru
  return { subject: subjectOf(product.words, name), of }
}

const causeOf = ({ term }: RenewalOutcome, outcome: 'failed' | 'done'): string =>
  `auto-renewal:${term.product}:${term.item_id}:${term.expires_at}:${outcome}`

const failed = async (tx: Db, told: RenewalOutcome): Promise<void> => {
  const { term, quoted, now } = told
  const { subject, of } = await calledOf(tx, told)
  const days = term.auto_renewal_days
  const why = quoted
    ? {
        ru: `на балансе меньше ${roublesText(quoted.price.charged, 'ru')}. Пополните баланс: попробуем снова через 6 часов.`,
        en: `the balance is below ${roublesText(quoted.price.charged, 'en')}. Top it up: we try again in 6 hours.`,
      }
    : {
        ru: `тарифа на ${daysText(days, 'ru')} больше нет. Продлите вручную.`,
        en: `there is no plan for ${daysText(days, 'en')} any more. Renew it yourself.`,
      }
  await notify(tx, {
    userId: term.user_id,
    cause: causeOf(told, 'failed'),
    ru: `Автопродление ${of} не удалось: ${why.ru}`,
    en: `${subject.en} was not renewed automatically: ${why.en}`,
    now,
  })
}

const done = async (tx: Db, told: RenewalOutcome, quoted: Quote): Promise<void> => {
  const { term, product, now } = told
  const { subject } = await calledOf(tx, told)
  const [days, charged] = [term.auto_renewal_days, quoted.price.charged]
  await notify(tx, {
    userId: term.user_id,
    cause: causeOf(told, 'done'),
    ru: `${subject.ru} ${product.words.renewed} на ${daysText(days, 'ru')}, с баланса списано ${roublesText(charged, 'ru')}.`,
    en: `${subject.en} was renewed for ${daysText(days, 'en')}, and ${roublesText(charged, 'en')} taken from the balance.`,
    now,
  })
}

export type RenewalTill = Omit<Till, 'now'> & {
  readonly db: Db
  readonly log: Log
  readonly stopping: AbortSignal
}

interface Attempt {
  told?: RenewalOutcome
  /** Due, and passed over: somebody has what leads to it. */
  passedId?: number
}

/** False when nothing is due. What it got to is left in `attempt`, for when it fails. */
const tryNext = (
  at: RenewalTill,
  attempt: Attempt,
  except: readonly number[],
  now: number,
): Promise<boolean> =>
  inTransaction(at.db, async (tx) => {
    const term = await lockDueRenewal(tx, namesOfTerms(at.products), now, except)
    if (!term) return false
    // Prolonging locks those too, and would wait for them with this one in its hands.
    if ((await withEntries(tx, [term])).length === 0) {
      attempt.passedId = term.id
      return true
    }
    const product = termProductOf(at.products, term.product)
    attempt.told = { term, product, quoted: undefined, now }
    const { user_id: userId, product_id: productId, item_id: itemId, expires_at: periodEnd } = term
    const sold = { product: term.product, productId, itemId }
    const quoted = await quoteFromBalance(tx, { ...at, userId, now }, sold, term.auto_renewal_days)
    attempt.told = { term, product, quoted, now }
    await updateTerm(tx, term.id, { renewal_tried_at: now })
    if (!quoted) {
      await failed(tx, attempt.told)
      return true
    }
    const what = { userId, product: term.product, productId, itemId, purchase: {}, periodEnd }
    await payInside(tx, { ...at, now }, { ...what, isRenewal: true, asKey: false }, quoted)
    await done(tx, attempt.told, quoted)
    return true
  })

/** The attempt was undone together with its note, so the note is made again. */
const noteShortage = (at: RenewalTill, told: RenewalOutcome): Promise<void> =>
  inTransaction(at.db, async (tx) => {
    await updateTerm(tx, told.term.id, { renewal_tried_at: told.now })
    await failed(tx, told)
  })

/** Returns the terms that failed or were passed over for no fault of the customer: the next round tries them again. */
export const renewAutomatically = async (at: RenewalTill, now: number): Promise<readonly number[]> => {
  const failures: number[] = []
  while (!at.stopping.aborted) {
    const attempt: Attempt = {}
    try {
      if (!(await tryNext(at, attempt, failures, now))) break
      if (attempt.passedId !== undefined) failures.push(attempt.passedId)
    } catch (error) {
      const { told } = attempt
      if (!told) throw error
      if (error instanceof ApiError && error.code === 'INSUFFICIENT_BALANCE') await noteShortage(at, told)
      else {
        failures.push(told.term.id)
        at.log.error({ err: error, termId: told.term.id }, 'an automatic renewal failed; it is tried again')
      }
    }
  }
  return [...failures, ...(await findUntriedRenewals(at.db, now))]
}
