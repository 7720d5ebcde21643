import { toRoubles } from '@sallyport/domain/money/exchange'
import { isKnownCurrency, shown } from '@sallyport/domain/money/money'
import { roublesText } from '@sallyport/domain/text/counted'
import { type Db, inTransaction } from '../../db/client.ts'
import type { PaymentFact } from '../../ports/payments.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { notify } from '../kernel/notifications.ts'
import { creditWallet } from '../ledger/credits.ts'
import { transfer } from '../ledger/ledger.ts'
import { type LockedOrder, lockOrder, setOrderState } from '../sales/orders.ts'
import { freshRates } from '../sales/rates.ts'
import { earnCommission } from './commissions.ts'
import { tellIfDeleted } from './deleted-accounts.ts'
import {
  cancelPayment,
  findPaymentBy,
  lookAfterEndSeconds,
  type PaymentRow,
  updatePayment,
} from './payments.ts'
import { insertReceipt, type NewReceipt } from './receipts.ts'

/** What follows from money that a provider confirmed. Each piece has one effect, whenever and however often told. */

type Received = Extract<PaymentFact, { kind: 'received' }>
type Canceled = Extract<PaymentFact, { kind: 'canceled' }>

interface Arrival {
  readonly provider: string
  readonly fact: Received
  readonly payment: PaymentRow
  readonly order: LockedOrder
  readonly now: number
}

/**
 * The price is worth what it was when the order was made. What is beyond it is worth that too, but not more than today:
 * nobody gains by paying an old link many times over after the rate fell.
 */
const worthOf = async (tx: Db, { order, payment, fact, now }: Arrival): Promise<number> => {
  if (fact.currency === 'RUB') return fact.amount
  const excess = fact.amount - payment.amount
  if (excess === 0) return order.valueRub
  const rate = (await freshRates(tx, now)).get(fact.currency)
  const asOrdered = Math.floor((order.valueRub * excess) / payment.amount)
  const today = rate === undefined ? asOrdered : toRoubles(excess, fact.currency, rate)
  return order.valueRub + Math.min(asOrdered, today)
}

const amountText = (amount: number, currency: string, language: 'ru' | 'en'): string =>
  currency === 'RUB' ? roublesText(amount, language) : `${shown(amount, currency)}\u00a0${currency}`

/** Wrong money fulfils nothing: it is put aside, and a person decides. */
const suspend = async (tx: Db, arrival: Arrival): Promise<void> => {
  const { provider, fact, payment, order, now } = arrival
  // Only the provider's own office gives such money back, and it knows who paid.
  const payer = order.isOfDeleted ? null : fact.payer
  const receipt: NewReceipt = { ...fact, payer, provider, payment, valueRub: 0, verdict: 'suspense', now }
  const id = await insertReceipt(tx, receipt)
  if (id === undefined) return
  const cause = `receipt:${id}:suspense`
  await transfer(tx, {
    cause,
    kind: 'suspense',
    from: { kind: 'provider', provider, currency: fact.currency },
    to: { kind: 'suspense', currency: fact.currency },
    amount: fact.amount,
    orderId: order.id,
    now,
  })
  const expected = `${shown(payment.amount, payment.currency)} ${payment.currency}`
  const details = { order_id: order.id, expected, amount: fact.amount, currency: fact.currency }
  await raiseAlert(tx, { kind: 'wrong_amount', subject: `receipt:${id}`, details, now })
  await notify(tx, {
    userId: order.userId,
    cause,
    ru: `Пришла оплата на другую сумму, чем в заказе № ${order.id}. Деньги не потеряны: поддержка свяжется с вами.`,
    en: `A payment for order ${order.id} came with another amount than ordered. It is not lost: support will contact you.`,
    now,
  })
}

/** The order is paid; anything beyond its price goes to the balance. */
const acceptPayment = async (tx: Db, arrival: Arrival): Promise<void> => {
  const { provider, fact, payment, order, now } = arrival
  const valueRub = await worthOf(tx, arrival)
  const id = await insertReceipt(tx, { ...fact, provider, payment, valueRub, verdict: 'accepted', now })
  if (id === undefined) return
  const from = { kind: 'provider', provider, currency: fact.currency } as const
  await transfer(tx, {
    cause: `receipt:${id}:in`,
    kind: 'payment',
    from,
    to: { kind: 'clearing', currency: fact.currency },
    amount: payment.amount,
    orderId: order.id,
    now,
  })
  await setOrderState(tx, order, 'paid', { paid_at: now, next_try_at: now })
  // Some links can be paid twice, and the second event may be lost: one more look when nobody can pay any more.
  await updatePayment(tx, payment.id, {
    state: 'succeeded',
    next_check_at: payment.expires_at + lookAfterEndSeconds,
  })
  const excess = fact.amount - payment.amount
  const excessRub = fact.currency === 'RUB' ? excess : valueRub - order.valueRub
  if (excess > 0) {
    const credit = { userId: order.userId, currency: fact.currency, orderId: order.id, now }
    await creditWallet(tx, {
      ...credit,
      from: { provider },
      amount: excess,
      valueRub: Math.max(0, excessRub),
      cause: `receipt:${id}:excess`,
    })
  }
  // After the balance, as everybody takes the two.
  await earnCommission(tx, { userId: order.userId, receiptId: id, orderId: order.id, valueRub, now })
  const extra = excess > 0 && excessRub > 0 ? excessRub : 0
  await notify(tx, {
    userId: order.userId,
    cause: `receipt:${id}`,
    ru: `Оплата получена: ${amountText(fact.amount, fact.currency, 'ru')}.${extra ? ` Лишнее, ${roublesText(extra, 'ru')}, зачислено на баланс.` : ''}`,
    en: `Payment received: ${amountText(fact.amount, fact.currency, 'en')}.${extra ? ` The excess, ${roublesText(extra, 'en')}, is on your balance.` : ''}`,
    now,
  })
}

/** The order was paid before: this piece belongs to the customer's balance. */
const creditExtra = async (tx: Db, arrival: Arrival): Promise<void> => {
  const { provider, fact, payment, order, now } = arrival
  const valueRub = await worthOf(tx, arrival)
  const id = await insertReceipt(tx, { ...fact, provider, payment, valueRub, verdict: 'extra', now })
  if (id === undefined) return
  const { userId } = order
  await creditWallet(tx, {
    userId,
    from: { provider },
    currency: fact.currency,
    amount: fact.amount,
    valueRub,
    cause: `receipt:${id}:extra`,
    orderId: order.id,
    now,
  })
  await earnCommission(tx, { userId, receiptId: id, orderId: order.id, valueRub, now })
  await tellIfDeleted(tx, order, { subject: `receipt:${id}`, valueRub, now })
  await notify(tx, {
    userId,
    cause: `receipt:${id}`,
    ru: `Заказ № ${order.id} был оплачен раньше; ещё одна оплата, ${roublesText(valueRub, 'ru')}, зачислена на баланс.`,
    en: `Order ${order.id} was paid before; the second payment, ${roublesText(valueRub, 'en')}, is on your balance.`,
    now,
  })
}

const isPayable = (state: LockedOrder['state']): boolean =>
  state === 'created' || state === 'cancelled' || state === 'expired'

export const settleReceived = (db: Db, provider: string, fact: Received, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const payment = await findPaymentBy(tx, provider, fact)
    if (!payment || !isKnownCurrency(fact.currency)) {
      const details = { amount: fact.amount, currency: fact.currency, payment_id: fact.paymentId }
      const kind = payment ? 'wrong_amount' : 'unknown_payment'
      return raiseAlert(tx, { kind, subject: `${provider}:${fact.receiptId}`, details, now })
    }
    const order = await lockOrder(tx, payment.order_id)
    if (!order) throw new Error(`Payment ${payment.id} has no order`)
    const arrival = { provider, fact, payment, order, now }
    if (fact.currency !== payment.currency || fact.amount < payment.amount) return suspend(tx, arrival)
    return isPayable(order.state) ? acceptPayment(tx, arrival) : creditExtra(tx, arrival)
  })

export const settleCanceled = (db: Db, provider: string, fact: Canceled, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const payment = await findPaymentBy(tx, provider, fact)
    if (!payment) return
    const order = await lockOrder(tx, payment.order_id)
    if (order?.state === 'created') await setOrderState(tx, order, 'cancelled')
    await cancelPayment(tx, payment, 'canceled', now)
  })
