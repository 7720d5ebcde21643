import { type Db, inTransaction } from '../../db/client.ts'
import { ProviderRefusal } from '../../ports/payments.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import type { Job } from '../kernel/jobs.ts'
import { expireOrders, type LockedOrder, lockOrder } from '../sales/orders.ts'
import { readPayment, type Settler, settleFact } from './inbox.ts'
import {
  findPayment,
  lookAfterEndSeconds,
  type PaymentRow,
  takePaymentsToCheck,
  updatePayment,
} from './payments.ts'
import { ProviderRound } from './provider-round.ts'
import { findReceiptById, type ReceiptRow } from './receipts.ts'
import { findRequested, type RefundRow, takeDueRefunds, updateRefund } from './refund-rows.ts'
import { completeRefund, failRefund } from './refunds.ts'

/** Webhooks get lost: what stays pending is read from the provider, ever more rarely. */

const batchSize = 50

/** From the payment's creation, and from the end of its link; then no more. */
const looksFromCreation = [300, 900, 1800]
const looksFromEnd = [lookAfterEndSeconds, 3600, 86_400, 3 * 86_400]
const givenUpSeconds = 30 * 86_400
const afterFailureSeconds = 600

/** What succeeded needs the look at the end of its link only. */
const nextCheck = (payment: PaymentRow, now: number): number | null => {
  const fromEnd = looksFromEnd.map((seconds) => payment.expires_at + seconds)
  const times = {
    creating: [],
    pending: [...looksFromCreation.map((seconds) => payment.created_at + seconds), ...fromEnd],
    succeeded: fromEnd.slice(0, 1),
    canceled: [],
  }[payment.state]
  return times.find((time) => time > now) ?? null
}

/** Asks its provider, and believes what it says. Whoever took the payment calls it, and nobody else meanwhile. */
export const check = async (at: Settler, payment: PaymentRow, now: number): Promise<void> => {
  const provider = at.providers.get(payment.provider)
  if (!provider) throw new Error(`${payment.provider} is not configured any more`)
  for (const fact of await readPayment(provider, payment)) await settleFact(at, provider, fact, now)
  const after = await findPayment(at.db, payment.id)
  await updatePayment(at.db, payment.id, {
    checks: payment.checks + 1,
    asked_at: now,
    leased_until: null,
    next_check_at: after ? nextCheck(after, now) : null,
  })
}

const lookAgain = async (at: Settler, payment: PaymentRow, error: Error, now: number): Promise<void> => {
  at.log.warn({ err: error, paymentId: payment.id }, 'a payment could not be read; it is tried again')
  // The last look is not over before it was answered: whoever paid late must not lose to a bad hour of the provider.
  const isOver = now >= payment.expires_at + givenUpSeconds
  const next = isOver ? null : now + afterFailureSeconds
  await updatePayment(at.db, payment.id, { leased_until: null, next_check_at: next })
}

export const reconcilePayments = async (at: Settler, now: number): Promise<void> => {
  await inTransaction(at.db, (tx) => expireOrders(tx, now))
  const round = new ProviderRound(at)
  while (!at.stopping.aborted) {
    const payments = await takePaymentsToCheck(at.db, now, batchSize)
    await round.forEach(
      payments,
      (payment) => check(at, payment, now),
      (payment, error) => lookAgain(at, payment, error, now),
    )
    if (payments.length < batchSize) return
  }
}

const waitSeconds = (attempts: number): number => Math.min(3600, 30 * 2 ** attempts)

interface Pursued {
  readonly provider: string
  readonly refund: RefundRow
  readonly receipt: ReceiptRow
}

/** In one transaction with the order, unless it was settled meanwhile. */
const settle = (
  at: Settler,
  { refund }: Pursued,
  work: (tx: Db, order: LockedOrder, current: RefundRow) => Promise<void>,
): Promise<void> =>
  inTransaction(at.db, async (tx) => {
    const order = await lockOrder(tx, refund.order_id)
    const current = await findRequested(tx, refund.id)
    if (order && current) await work(tx, order, current)
  })

/** One step of a refund at its provider. Repeating is safe: the provider knows it by our id. */
const pursue = async (at: Settler, item: Pursued, now: number): Promise<void> => {
  const { refund, receipt } = item
  const provider = at.providers.get(item.provider)
  const payment = await findPayment(at.db, receipt.payment_id)
  try {
    if (!provider || !payment) throw new ProviderRefusal(`${item.provider} is not configured any more`)
    const outcome = await provider.refund({
      refundId: `refund-${refund.id}`,
      receiptId: receipt.receipt_id,
      providerPaymentId: payment.provider_payment_id,
      amount: refund.amount,
      currency: refund.currency,
      payer: receipt.payer,
      recipient: refund.recipient,
    })
    if (outcome === 'pending') throw new Error(`${item.provider} has not made the refund yet`)
    await settle(at, item, (tx, order, current) =>
      completeRefund(tx, { ...at, now }, order, current, receipt),
    )
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await settle(at, item, (tx, order, current) => failRefund(tx, order, current, error.message, now))
  }
}

const impatientAfterSeconds = 86_400

/** Tried ever more rarely; after a day a person is told that it takes so long. */
const wait = async (at: Settler, { refund }: Pursued, error: Error, now: number): Promise<void> => {
  at.log.warn({ err: error, refundId: refund.id }, 'a refund waits for its provider')
  await updateRefund(at.db, refund.id, { next_try_at: now + waitSeconds(refund.attempts) })
  if (now < refund.created_at + impatientAfterSeconds) return
  const details = { order_id: refund.order_id, waits_for: error.message }
  await raiseAlert(at.db, { kind: 'refund_failed', subject: `refund:${refund.id}:slow`, details, now })
}

export const pursueRefunds = async (at: Settler, now: number): Promise<void> => {
  const round = new ProviderRound(at)
  while (!at.stopping.aborted) {
    const refunds = await takeDueRefunds(at.db, now, batchSize)
    const items: Pursued[] = []
    for (const refund of refunds) {
      const receipt = await findReceiptById(at.db, refund.receipt_id as number)
      if (receipt) items.push({ provider: receipt.provider, refund, receipt })
    }
    await round.forEach(
      items,
      (item) => pursue(at, item, now),
      (item, error) => wait(at, item, error, now),
    )
    if (refunds.length < batchSize) return
  }
}

export const reconcilePaymentsJob: Job<Settler> = {
  name: 'reconcile payments',
  everySeconds: 30,
  run: reconcilePayments,
}

export const pursueRefundsJob: Job<Settler> = { name: 'pursue refunds', everySeconds: 10, run: pursueRefunds }
