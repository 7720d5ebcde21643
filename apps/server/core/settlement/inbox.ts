import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import type { PaymentFact, PaymentProvider } from '../../ports/payments.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import type { Bus } from '../kernel/bus.ts'
import { takeDue } from '../kernel/due-rows.ts'
import type { Job, Kick } from '../kernel/jobs.ts'
import type { Vault } from '../kernel/vault.ts'
import type { Products } from '../sales/products.ts'
import { NotYet, settleRefunded } from './outside-refunds.ts'
import { grantPaidOrdersJob } from './paid-orders.ts'
import { findPaymentBy, type PaymentRow } from './payments.ts'
import { ProviderRound } from './provider-round.ts'
import { findReceipt } from './receipts.ts'
import { settleCanceled, settleReceived } from './settlement.ts'

/** What providers tell us: kept first, answered, and believed afterwards. */

export interface Settler {
  readonly db: Db
  readonly vault: Vault
  readonly bus: Bus
  readonly log: Log
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly products: Products
  /** What is left over at a shutdown is taken up after the next start. */
  readonly stopping: AbortSignal
}

const contextOf = (provider: string, eventId: string): string => `webhook_inbox:${provider}:${eventId}`

/** False when this event was kept before. */
export const keepEvent = async (
  at: { readonly db: Db; readonly vault: Vault },
  event: { readonly provider: string; readonly eventId: string; readonly body: string },
  now: number,
): Promise<boolean> => {
  const { provider, eventId, body } = event
  const kept = await at.db
    .insertInto('webhook_inbox')
    .values({
      provider,
      event_id: eventId,
      payload_sealed: at.vault.seal(body, contextOf(provider, eventId)),
      received_at: now,
      next_try_at: now,
    })
    .onConflict((oc) => oc.columns(['provider', 'event_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

export const readPayment = (
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<readonly PaymentFact[]> =>
  provider.read({
    paymentId: payment.public_id,
    providerPaymentId: payment.provider_payment_id,
    amount: payment.amount,
    currency: payment.currency,
    createdAt: payment.created_at,
  })

export const settleFact = async (
  at: Settler,
  provider: PaymentProvider,
  fact: PaymentFact,
  now: number,
): Promise<void> => {
  const { name } = provider
  switch (fact.kind) {
    case 'received':
      return settleReceived(at.db, name, fact, now)
    case 'canceled':
      return settleCanceled(at.db, name, fact, now)
    case 'refunded':
      return settleRefunded(at.db, { ...at, now }, name, fact)
    case 'disputed': {
      const details = { provider: name, reason: fact.reason }
      return raiseAlert(at.db, { kind: 'dispute', subject: `${name}:${fact.receiptId}`, details, now })
    }
    case 'look': {
      const { providerPaymentId } = fact
      const payment = await findPaymentBy(at.db, name, { paymentId: null, providerPaymentId })
      // Nobody has the link of a payment we do not know, so it is not one of ours.
      if (!payment) return
      const seen = await readPayment(provider, payment)
      for (const inner of seen) await settleFact(at, provider, inner, now)
      if (!seen.some(({ kind }) => kind === fact.for)) throw new NotYet(`${name} does not show it yet`)
    }
  }
}

const payloadKeepSeconds = 30 * 86_400

/** Names stay for ever, so that an event is never believed twice; what it said may hold personal data and goes. */
export const forgetPayloads = async (db: Db, now: number): Promise<void> => {
  await db
    .updateTable('webhook_inbox')
    .set({ payload_sealed: Buffer.alloc(0), forgotten_at: now })
    .where('processed_at', '<=', now - payloadKeepSeconds)
    .where('forgotten_at', 'is', null)
    .execute()
}

const batchSize = 50
const giveUpAfterSeconds = 3 * 86_400
const firstWaitSeconds = 5
const longestWaitSeconds = 3600

export interface KeptEvent {
  readonly id: number
  readonly provider: string
  readonly event_id: string
  readonly payload_sealed: Uint8Array
  readonly received_at: number
  readonly attempts: number
}

/** Due events, taken for a minute so that other instances leave them alone. */
export const takeEvents = (db: Db, now: number): Promise<KeptEvent[]> =>
  takeDue(
    db,
    {
      table: 'webhook_inbox',
      column: 'next_try_at',
      countsAttempts: true,
      leaseSeconds: 60,
      limit: batchSize,
      now,
    },
    ['id', 'provider', 'event_id', 'payload_sealed', 'received_at', 'attempts'],
  )

const finish = async (
  db: Db,
  id: number,
  change: { next_try_at: number | null; processed_at?: number; failure: string | null },
): Promise<void> => {
  await db.updateTable('webhook_inbox').set(change).where('id', '=', id).execute()
}

const postpone = async (at: Settler, event: KeptEvent, error: Error, now: number): Promise<void> => {
  const failure = `${error.name}: ${error.message}`
  if (!(error instanceof NotYet)) {
    at.log.warn({ err: error, provider: event.provider, event: event.id }, 'an event was not settled')
  }
  if (now < event.received_at + giveUpAfterSeconds) {
    const wait = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** event.attempts)
    return finish(at.db, event.id, { next_try_at: now + wait, failure })
  }
  await inTransaction(at.db, async (tx) => {
    const details = { provider: event.provider, event_id: event.event_id, failure }
    await raiseAlert(tx, { kind: 'webhook_failed', subject: `event:${event.id}`, details, now })
    await finish(tx, event.id, { next_try_at: null, failure })
  })
}

/** What an event is about, for whoever looks at the order; of a payment that nobody knows there is nothing to note. */
const noteSubject = async (db: Db, { id, provider }: KeptEvent, fact: PaymentFact): Promise<void> => {
  const payment =
    'receiptId' in fact && !('paymentId' in fact)
      ? (await findReceipt(db, provider, fact.receiptId))?.payment_id
      : (await findPaymentBy(db, provider, { paymentId: null, ...fact }))?.id
  if (payment === undefined) return
  await db
    .insertInto('payment_events')
    .values({ payment_id: payment, event_id: id })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** What an event said; null once it is forgotten. */
export const openEvent = (
  vault: Vault,
  event: Pick<KeptEvent, 'provider' | 'event_id' | 'payload_sealed'>,
): string | null =>
  event.payload_sealed.length === 0
    ? null
    : vault.open(event.payload_sealed, contextOf(event.provider, event.event_id))

const settleEvent = async (at: Settler, event: KeptEvent, now: number): Promise<void> => {
  const provider = at.providers.get(event.provider)
  if (!provider) throw new Error(`${event.provider} is not configured any more`)
  const body = at.vault.open(event.payload_sealed, contextOf(event.provider, event.event_id))
  const facts = provider.interpret(body)
  for (const fact of facts) await noteSubject(at.db, event, fact)
  for (const fact of facts) await settleFact(at, provider, fact, now)
  await finish(at.db, event.id, { next_try_at: null, processed_at: now, failure: null })
}

/** Settles what is due; what fails waits longer each time, and after three days a person is told. */
export const settleEvents = async (at: Settler, now: number, onSettled: () => void): Promise<void> => {
  const round = new ProviderRound(at)
  while (!at.stopping.aborted) {
    const events = await takeEvents(at.db, now)
    await round.forEach(
      events,
      (event) => settleEvent(at, event, now).then(onSettled),
      (event, error) => postpone(at, event, error, now),
    )
    if (events.length < batchSize) return
  }
}

export const settleEventsJob: Job<Settler & { readonly kick: Kick }> = {
  name: 'settle events',
  everySeconds: 5,
  run: (at, now) => settleEvents(at, now, () => at.kick(grantPaidOrdersJob)),
}
