import { forEachProvider, readPayment, type Settler, settleFact } from '../core/inbox.ts'
import { expireOrders, holdOrder } from '../core/orders.ts'
import {
  findPayment,
  lookAfterEndSeconds,
  type PaymentRow,
  takePaymentsToCheck,
  updatePayment,
} from '../core/payments.ts'
import { findReceiptById } from '../core/receipts.ts'
import { findRequested, type RefundRow, takeDueRefunds, updateRefund } from '../core/refund-rows.ts'
import { completeRefund, failRefund } from '../core/refunds.ts'
import { inTransaction } from '../db/client.ts'
import { ProviderRefusal } from '../ports/payments.ts'

/** Webhooks get lost: what stays pending is read from the provider, ever more rarely. */

const batchSize = 50

/** After the first look: when the link ends, an hour later, a day later, three days later, and then no more. */
const laterChecks = [lookAfterEndSeconds, 3600, 86_400, 3 * 86_400]

/** What succeeded needs the look at the end of its link only. */
const nextCheck = (payment: PaymentRow, now: number): number | null => {
  const count = { creating: 0, pending: laterChecks.length, succeeded: 1, canceled: 0 }[payment.state]
  const times = laterChecks.slice(0, count).map((seconds) => payment.expires_at + seconds)
  return times.find((time) => time > now) ?? null
}

const check = async (at: Settler, payment: PaymentRow, now: number): Promise<void> => {
  const provider = at.providers.get(payment.provider)
  if (!provider) return
  for (const fact of await readPayment(provider, payment)) await settleFact(at, provider, fact, now)
  const after = await findPayment(at.db, payment.id)
  await updatePayment(at.db, payment.id, {
    checks: payment.checks + 1,
    next_check_at: after ? nextCheck(after, now) : null,
  })
}

export const reconcilePayments = async (at: Settler, now: number): Promise<void> => {
  await expireOrders(at.db, now)
  while (!at.stopping.aborted) {
    const payments = await takePaymentsToCheck(at.db, now, batchSize)
    await forEachProvider(at, payments, (payment) =>
      check(at, payment, now).catch((error: unknown) =>
        at.log.warn({ err: error, paymentId: payment.id }, 'a payment could not be read; it is tried again'),
      ),
    )
    if (payments.length < batchSize) return
  }
}

const waitSeconds = (attempts: number): number => Math.min(3600, 30 * 2 ** attempts)

/** One step of a refund at its provider. Repeating is safe: the provider knows it by our id. */
const pursue = async (at: Settler, refund: RefundRow, now: number): Promise<void> => {
  const receipt = await findReceiptById(at.db, refund.receipt_id as number)
  const payment = receipt && (await findPayment(at.db, receipt.payment_id))
  const provider = receipt && at.providers.get(receipt.provider)
  if (!receipt || !payment || !provider) throw new Error('its provider is not configured any more')
  try {
    const outcome = await provider.refund({
      refundId: `refund-${refund.id}`,
      receiptId: receipt.receipt_id,
      providerPaymentId: payment.provider_payment_id,
      amount: refund.amount,
      currency: refund.currency,
      payer: receipt.payer,
      recipient: refund.recipient,
    })
    if (outcome === 'pending')
      return updateRefund(at.db, refund.id, { next_try_at: now + waitSeconds(refund.attempts) })
    await inTransaction(at.db, async (tx) => {
      const order = await holdOrder(tx, refund.order_id)
      const current = await findRequested(tx, refund.id)
      if (order && current) await completeRefund(tx, { ...at, now }, order, current, receipt)
    })
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await inTransaction(at.db, async (tx) => {
      const order = await holdOrder(tx, refund.order_id)
      const current = await findRequested(tx, refund.id)
      if (order && current) await failRefund(tx, order, current, error.message, now)
    })
  }
}

export const pursueRefunds = async (at: Settler, now: number): Promise<void> => {
  while (!at.stopping.aborted) {
    const refunds = await takeDueRefunds(at.db, now, batchSize)
    for (const refund of refunds) {
      if (at.stopping.aborted) return
      await pursue(at, refund, now).catch(async (error: unknown) => {
        at.log.warn({ err: error, refundId: refund.id }, 'a refund waits for its provider')
        await updateRefund(at.db, refund.id, { next_try_at: now + waitSeconds(refund.attempts) })
      })
    }
    if (refunds.length < batchSize) return
  }
}
