import { createHmac } from 'node:crypto'
import { sameBytes } from '../../core/kernel/vault.ts'
import type { PaymentFact, WebhookRequest, WebhookVerdict } from '../../ports/payments.ts'

/** What the sandbox tells the service: the bodies, their signature, and when they are sent again. */

export const signatureHeader = 'x-sandbox-signature'
const toleranceSeconds = 300

const types = {
  succeeded: 'payment.succeeded',
  declined: 'payment.declined',
  refunded: 'payment.refunded',
} as const
export type EventState = keyof typeof types

interface SandboxEvent {
  readonly event_id: string
  readonly type: (typeof types)[EventState]
  readonly payment_id: string
  readonly amount: number
  readonly currency: string
}

/** Each change happens once, so its name is the event's; the moment in it says how long the news has waited. */
export const eventIdOf = (paymentId: string, state: EventState, now: number): string =>
  `${paymentId}.${state}.${now}`

/** Seconds after the change at which an unanswered event is sent again; then once an hour. */
const repeats = [5, 35, 155, 755, 2555]
const usualRepeatSeconds = 3600

export const nextTryAt = (eventId: string, now: number): number => {
  const changedAt = Number(eventId.slice(eventId.lastIndexOf('.') + 1))
  const after = repeats.find((seconds) => changedAt + seconds > now)
  return after === undefined ? now + usualRepeatSeconds : changedAt + after
}

export const eventBody = (payment: {
  readonly payment_id: string
  readonly state: EventState
  readonly event_id: string
  readonly amount: number
  readonly currency: string
}): string => {
  const { event_id, payment_id, amount, currency, state } = payment
  return JSON.stringify({ event_id, type: types[state], payment_id, amount, currency } satisfies SandboxEvent)
}

const mac = (key: Buffer, time: string, body: string | Buffer): Buffer =>
  createHmac('sha256', key).update(`${time}.`).update(body).digest()

export const sign = (key: Buffer, body: string, now: number): string =>
  `t=${now},v1=${mac(key, String(now), body).toString('hex')}`

const signatureShape = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/

const forged = (reason: string): WebhookVerdict => ({ kind: 'forged', reason })

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 255

const parse = (body: string): SandboxEvent | undefined => {
  try {
    const event = JSON.parse(body) as SandboxEvent | null
    const isWhole =
      isText(event?.event_id) &&
      isText(event.type) &&
      isText(event.payment_id) &&
      isText(event.currency) &&
      Number.isSafeInteger(event.amount)
    return isWhole ? event : undefined
  } catch {
    return undefined
  }
}

export const judgeEvent = (key: Buffer, { headers, body, now }: WebhookRequest): WebhookVerdict => {
  const [, time, signature] = signatureShape.exec(String(headers[signatureHeader] ?? '')) ?? []
  if (time === undefined || signature === undefined) return forged('the signature is missing or malformed')
  if (!sameBytes(mac(key, time, body), Buffer.from(signature, 'hex')))
    return forged('the signature is not of this body')
  if (Math.abs(now - Number(time)) > toleranceSeconds) return forged('the signature is too old')
  const event = parse(body.toString('utf8'))
  if (!event) return forged('the body is not an event')
  const isKnown = Object.values(types).includes(event.type)
  return isKnown ? { kind: 'event', eventId: event.event_id } : { kind: 'ignored' }
}

export const receiptIdOf = (paymentId: string): string => `sandbox-${paymentId}`

type EventMoney = Pick<SandboxEvent, 'payment_id' | 'amount' | 'currency'>

export const factOf = (state: EventState, { payment_id, amount, currency }: EventMoney): PaymentFact => {
  const ids = { paymentId: payment_id, providerPaymentId: payment_id }
  if (state === 'declined') return { kind: 'canceled', ...ids, reason: 'declined on the sandbox page' }
  const money = { receiptId: receiptIdOf(payment_id), amount, currency }
  return state === 'refunded'
    ? { kind: 'refunded', ...money }
    : { kind: 'received', ...ids, ...money, payer: null }
}

export const factsIn = (body: string): PaymentFact[] => {
  const event = parse(body)
  const states = Object.keys(types) as EventState[]
  const state = states.find((name) => types[name] === event?.type)
  return event && state ? [factOf(state, event)] : []
}
