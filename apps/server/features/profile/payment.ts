import type { Payment } from '@sallyport/contract/customer/payment-shapes'
import type { profile } from '@sallyport/contract/customer/profile'
import { ApiError } from '@sallyport/contract/errors'
import { isProductClass } from '@sallyport/contract/product-types'
import type { OrderedProduct } from '@sallyport/contract/products'
import { paymentState } from '@sallyport/domain/lifecycle/payment-state'
import { shown } from '@sallyport/domain/money/money'
import type { Language } from '@sallyport/domain/text/language'
import type { Handlers } from '../../core/call.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import type { Products } from '../../core/sales/products.ts'
import { openPromocode } from '../../core/sales/promocodes.ts'
import { awaitPayment } from '../../core/settlement/awaited-payments.ts'
import { recordOf } from './history.ts'
import { findPayment, type PaymentReceipt, type PaymentRow } from './payment-queries.ts'

/** How one payment stands: what a customer who comes back from a provider is told, and what a receipt says. */

/** What came with this piece and is on the balance: all of what nothing was left to pay for, and what is beyond the price. */
const creditedOf = (order: PaymentRow, { verdict, value_rub, is_returned }: PaymentReceipt): number => {
  if (is_returned || verdict === 'suspense') return 0
  return verdict === 'extra' ? value_rub : Math.max(0, value_rub - order.value_rub)
}

/** With the price itself where what it is for could not be given. */
const creditedRub = (order: PaymentRow): number => {
  const isCredited = order.state === 'refunded' && order.refunded_to === 'balance' && !order.refund
  const beside = (order.receipts ?? []).reduce((sum, receipt) => sum + creditedOf(order, receipt), 0)
  return beside + (isCredited ? order.value_rub : 0)
}

const heldOf = ({ receipts }: PaymentRow): Payment['held'] => {
  const held = receipts?.findLast(({ verdict, is_returned }) => verdict === 'suspense' && !is_returned)
  return held ? { amount: shown(held.amount, held.currency), currency: held.currency } : null
}

/** The piece that paid it; of one that nothing paid, the last that came. */
const receiptOf = ({ receipts }: PaymentRow): Payment['receipt'] => {
  const receipt = receipts?.find(({ verdict }) => verdict === 'accepted') ?? receipts?.at(-1)
  return receipt ? { provider: receipt.provider, number: receipt.number } : null
}

const priceOf = ({ method, price_steps, currency, comment }: PaymentRow): Payment['price'] => {
  const { list, percent = 0 } = price_steps
  if (method === null || list === undefined) return null
  return { list: shown(list, currency), percent, comment: percent === 0 ? null : comment }
}

const refundedOf = ({ refund }: PaymentRow): Payment['refunded'] =>
  refund && { ...refund, amount: shown(refund.amount, refund.currency) }

const itemOf = ({ product, item }: PaymentRow): Payment['item'] =>
  item !== null && isProductClass(product) ? { type: product, id: item } : null

const keyOf = (vault: Vault, { code_hash, code_sealed, is_active }: PaymentRow): Payment['promocode'] =>
  code_hash && code_sealed
    ? { code: openPromocode(vault, { code_hash, code_sealed }), is_active: is_active === true }
    : null

const wordsOf = (order: PaymentRow, products: Products, language: Language) => {
  const product = products.get(order.product as OrderedProduct)
  const { days, is_renewal: isRenewal, value_rub: valueRub } = order
  return {
    title: product?.describe({ days, isRenewal, valueRub })[language] ?? null,
    product_type: product?.name ?? null,
    product_title: order.product_title?.[language] ?? null,
  }
}

export const paymentHandlers: Pick<Handlers<typeof profile>, 'getPayment'> = {
  getPayment: async ({ db, vault, products, kick, language, userId, params, now }) => {
    const order = await findPayment(db, { id: params.id, userId, now })
    if (!order) throw new ApiError('NOT_FOUND')
    const [credited, held] = [creditedRub(order), heldOf(order)]
    const { state: kept, expires_at: expiresAt } = order
    const known = { state: kept, expiresAt, creditedRub: credited, isHeld: held !== null }
    const state = paymentState({ ...known, isRefunded: order.refund !== null }, now)
    if (state === 'waiting') await awaitPayment({ db, kick }, params.id, now)
    return {
      ...recordOf(order),
      ...wordsOf(order, products, language),
      state,
      currency: order.currency,
      is_renewal: order.is_renewal,
      price: priceOf(order),
      promocode: keyOf(vault, order),
      item: itemOf(order),
      link: state === 'waiting' ? order.link : null,
      link_expires_at: expiresAt,
      paid_at: order.paid_at,
      credited,
      held,
      refunded: refundedOf(order),
      receipt: receiptOf(order),
    }
  },
}
