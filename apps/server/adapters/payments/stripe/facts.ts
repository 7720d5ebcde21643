import { type PaymentFact, ProviderRefusal } from '../../../ports/payments.ts'
import { type Fields, fieldsOf } from './api.ts'

/** What Stripe's objects mean. Whatever is not exactly as published means nothing. */

/** Stripe's minor units in one of ours: it counts kopecks where the service counts roubles. */
const minorUnits: Readonly<Record<string, number>> = { RUB: 100, USD: 1 }

export const toMinorUnits = (amount: number, currency: string): string => {
  const units = minorUnits[currency]
  if (units === undefined) throw new ProviderRefusal(`Stripe is not set up for ${currency}`)
  return String(amount * units)
}

/** Kopecks that make no whole rouble are dropped. */
const readMoney = (minor: unknown, currency: unknown): { amount: number; currency: string } | undefined => {
  if (!Number.isSafeInteger(minor) || typeof currency !== 'string' || !/^[a-z]{3}$/.test(currency)) return
  const name = currency.toUpperCase()
  const amount = Math.floor((minor as number) / (minorUnits[name] ?? 1))
  return amount > 0 ? { amount, currency: name } : undefined
}

/** References come as an id, or as the whole object where it was asked for. */
const idOf = (reference: unknown): string | undefined => {
  const id = typeof reference === 'string' ? reference : fieldsOf(reference).id
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** The customer can set client_reference_id through a payment link; metadata only we can. */
export const paymentIdOf = (session: Fields): string | undefined => {
  const id = fieldsOf(session.metadata).payment_id
  return typeof id === 'string' && id !== '' ? id : undefined
}

const sessionFacts = (session: Fields, failure: string | undefined): readonly PaymentFact[] => {
  const paymentId = paymentIdOf(session)
  const providerPaymentId = idOf(session)
  if (!paymentId || !providerPaymentId) return []
  if (session.payment_status !== 'paid') {
    return failure ? [{ kind: 'canceled', paymentId, providerPaymentId, reason: failure }] : []
  }
  const receiptId = idOf(session.payment_intent)
  const money = readMoney(session.amount_total, session.currency)
  // Paid it is, so this must not pass as nothing: it is tried again, and in the end a person is told.
  if (!receiptId || !money) throw new Error('Stripe tells of a payment in an unknown form')
  return [{ kind: 'received', paymentId, providerPaymentId, receiptId, ...money, payer: null }]
}

const refundFacts = (charge: Fields): readonly PaymentFact[] => {
  const receiptId = idOf(charge.payment_intent)
  const money = readMoney(charge.amount_refunded, charge.currency)
  return receiptId && money ? [{ kind: 'refunded', receiptId, ...money }] : []
}

const disputeFacts = (dispute: Fields): readonly PaymentFact[] => {
  const receiptId = idOf(dispute.payment_intent)
  const reason = typeof dispute.reason === 'string' ? dispute.reason.slice(0, 100) : 'unknown'
  return receiptId ? [{ kind: 'disputed', receiptId, reason }] : []
}

const readers: Readonly<Record<string, (object: Fields) => readonly PaymentFact[]>> = {
  'checkout.session.completed': (session) => sessionFacts(session, undefined),
  'checkout.session.async_payment_succeeded': (session) => sessionFacts(session, undefined),
  'checkout.session.async_payment_failed': (session) => sessionFacts(session, 'async_payment_failed'),
  'checkout.session.expired': (session) => sessionFacts(session, 'expired'),
  'charge.refunded': refundFacts,
  'charge.dispute.created': disputeFacts,
  'charge.dispute.funds_withdrawn': disputeFacts,
  'refund.failed': (refund) => {
    const receiptId = idOf(refund.payment_intent)
    return receiptId ? [{ kind: 'disputed', receiptId, reason: 'a refund did not arrive and came back' }] : []
  },
}

const readerOf = ({ type }: Fields) =>
  typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined

/** A completed session that is not paid yet is followed by another event. */
export const isOfInterest = (event: Fields): boolean => {
  const session = fieldsOf(fieldsOf(event.data).object)
  if (event.type === 'checkout.session.completed') return session.payment_status === 'paid'
  return readerOf(event) !== undefined
}

export const eventFacts = (event: Fields): readonly PaymentFact[] =>
  readerOf(event)?.(fieldsOf(fieldsOf(event.data).object)) ?? []

/** A session read with its payment intent and charge. */
export const factsOfRead = (session: Fields): readonly PaymentFact[] => {
  const intent = fieldsOf(session.payment_intent)
  const hasFailed =
    session.status === 'complete' &&
    (intent.status === 'requires_payment_method' || intent.status === 'canceled')
  const failure = session.status === 'expired' ? 'expired' : hasFailed ? 'async_payment_failed' : undefined
  const facts = sessionFacts(session, failure)
  if (facts[0]?.kind !== 'received') return facts
  const charge = fieldsOf(intent.latest_charge)
  return [...facts, ...refundFacts({ ...charge, payment_intent: idOf(intent) })]
}
