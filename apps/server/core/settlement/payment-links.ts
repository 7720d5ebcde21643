import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentLink } from '@sallyport/contract/customer/shapes'
import { ApiError, conflict } from '@sallyport/contract/errors'
import { dayOf } from '@sallyport/domain/time/period'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import { type PaymentProvider, ProviderRefusal } from '../../ports/payments.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { findOrder, lockOrder, setOrderState } from '../sales/orders.ts'
import { type Products, productOf } from '../sales/products.ts'
import {
  cancelPayment,
  findPayment,
  giveCreationBack,
  leaseCreation,
  type PaymentRow,
  storeLink,
} from './payments.ts'

/** Asking a provider for the link of a payment that is already written down. Repeating goes on with the same one. */

export interface LinkMaker {
  readonly db: Db
  readonly log: Log
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly products: Products
  readonly publicUrl: () => string
}

/** Longer than a provider with all its retries takes to answer. */
const leaseSeconds = 60
const firstCheckSeconds = 300
const lookEveryMs = 100
const looks = 60
const giveBackEveryMs = 500

const unavailable = (problem: string, path = 'payment_method_id'): ApiError =>
  new ApiError('UNAVAILABLE', [{ path, problem }])

const chargeOf = async (at: LinkMaker, payment: PaymentRow) => {
  const order = await findOrder(at.db, payment.order_id)
  if (!order) throw new Error(`Payment ${payment.id} has no order`)
  return {
    paymentId: payment.public_id,
    method: payment.method_key,
    amount: payment.amount,
    currency: payment.currency,
    title: productOf(at.products, order.product).describe(order),
    // Whoever comes back is told how it stands; only the one who pays it is.
    returnUrl: `${at.publicUrl()}/payments/${order.id}`,
    createdAt: payment.created_at,
    expiresAt: payment.expires_at,
  }
}

/** The provider said no: nothing will come of this order. Once a day a person is told, for the key may be revoked. */
const abandon = (db: Db, payment: PaymentRow, reason: string, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const subject = `${payment.provider}:${dayOf(now)}`
    await raiseAlert(tx, { kind: 'provider_refused', subject, details: { reason }, now })
    const order = await lockOrder(tx, payment.order_id)
    if (order?.state === 'created') await setOrderState(tx, order, 'cancelled')
    await cancelPayment(tx, payment, 'refused', now)
  })

/** Where the database was what failed, it may need a moment; whoever repeats is not to wait until the lease ends. */
const giveBack = async ({ db }: LinkMaker, paymentId: number, until: number): Promise<void> => {
  const again = async (triesLeft: number): Promise<void> => {
    await sleep(giveBackEveryMs, undefined, { ref: false })
    await giveCreationBack(db, paymentId, until).catch(() =>
      triesLeft > 0 ? again(triesLeft - 1) : undefined,
    )
  }
  const tries = (leaseSeconds * 1000) / giveBackEveryMs
  await giveCreationBack(db, paymentId, until).catch(() => void again(tries))
}

const ask = async (at: LinkMaker, payment: PaymentRow, now: number): Promise<string> => {
  const provider = at.providers.get(payment.provider)
  if (!provider) throw unavailable('its provider is not configured any more; choose another method')
  try {
    const { link, providerPaymentId } = await provider.create(await chargeOf(at, payment))
    await storeLink(at.db, payment.id, { link, providerPaymentId, nextCheckAt: now + firstCheckSeconds })
    return link
  } catch (error) {
    at.log.warn({ err: error, paymentId: payment.id, provider: payment.provider }, 'no payment link')
    if (error instanceof ProviderRefusal) {
      await abandon(at.db, payment, error.message, now)
      throw new ApiError('PAYMENT_METHOD_UNAVAILABLE', [
        { path: 'payment_method_id', problem: 'the payment provider refused; choose another method' },
      ])
    }
    await giveBack(at, payment.id, now + leaseSeconds)
    throw unavailable('the payment provider does not answer; repeat with the same Idempotency-Key')
  }
}

/** Somebody else is asking: their link is ours too. */
const awaitLink = async (db: Db, paymentId: number): Promise<PaymentRow | undefined> => {
  for (let look = 0; look < looks; look++) {
    const payment = await findPayment(db, paymentId)
    if (payment?.state !== 'creating') return payment
    await sleep(lookEveryMs)
  }
  return undefined
}

const linkOf = async (at: LinkMaker, payment: PaymentRow, now: number): Promise<string> => {
  if (payment.link !== null) return payment.link
  if (payment.state === 'canceled') throw new ApiError('PAYMENT_METHOD_UNAVAILABLE')
  if (payment.expires_at <= now) {
    throw conflict('Idempotency-Key', 'belongs to a payment whose time is over; take a new key')
  }
  return ask(at, payment, now)
}

/** Named as customers know it: by its order. */
export const obtainLink = async (at: LinkMaker, paymentId: number, now: number): Promise<PaymentLink> => {
  const mine = await leaseCreation(at.db, paymentId, { now, until: now + leaseSeconds })
  const payment = mine ?? (await awaitLink(at.db, paymentId))
  if (!payment) throw unavailable('the link is being made; repeat with the same key', 'Idempotency-Key')
  return { link: await linkOf(at, payment, now), payment_id: payment.order_id }
}
