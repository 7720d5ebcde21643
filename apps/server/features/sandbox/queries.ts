import { type Db, inTransaction } from '../../db/client.ts'
import type { Tables } from '../../db/types.ts'
import { type EventState, eventIdOf, nextTryAt } from './events.ts'
import { type Action, outcomes, putOffSeconds } from './state.ts'

/** The sandbox's own books. Every change says what it changes from, so that two of them have one effect. */

export type SandboxPayment = Tables['sandbox_payments']

export const findSandboxPayment = (db: Db, paymentId: string): Promise<SandboxPayment | undefined> =>
  db.selectFrom('sandbox_payments').selectAll().where('payment_id', '=', paymentId).executeTakeFirst()

type NewPayment = Omit<SandboxPayment, 'state' | 'pay_at' | 'event_id' | 'event_due_at'>

/** The payment of that name, whether it is made now or was made before. */
export const openSandboxPayment = async (db: Db, payment: NewPayment): Promise<SandboxPayment> => {
  await db
    .insertInto('sandbox_payments')
    .values({ ...payment, state: 'pending', pay_at: null, event_id: null, event_due_at: null })
    .onConflict((oc) => oc.column('payment_id').doNothing())
    .execute()
  const stored = await findSandboxPayment(db, payment.payment_id)
  if (!stored) throw new Error('A sandbox payment is not where it was put')
  return stored
}

const changeBy = (action: Action, paymentId: string, now: number) => {
  const state = outcomes[action]
  if (state === 'later') {
    const pay_at = now + putOffSeconds
    return { state, pay_at, event_id: null, event_due_at: pay_at }
  }
  return { state, pay_at: null, event_id: eventIdOf(paymentId, state, now), event_due_at: now }
}

/** Whether the button did anything; it does not once the payment is made, declined or expired. */
export const actOnSandboxPayment = async (
  db: Db,
  paymentId: string,
  action: Action,
  now: number,
): Promise<boolean> => {
  const changed = await db
    .updateTable('sandbox_payments')
    .set(changeBy(action, paymentId, now))
    .where('payment_id', '=', paymentId)
    .where('expires_at', '>', now)
    .where((eb) => {
      const isPending = eb('state', '=', 'pending')
      if (action === 'later') return isPending
      return eb.or([isPending, eb.and([eb('state', '=', 'later'), eb('pay_at', '>', now)])])
    })
    .returning('payment_id')
    .executeTakeFirst()
  return changed !== undefined
}

export const refundSandboxPayment = async (db: Db, paymentId: string, now: number): Promise<boolean> => {
  const changed = await db
    .updateTable('sandbox_payments')
    .set({ state: 'refunded', event_id: eventIdOf(paymentId, 'refunded', now), event_due_at: now })
    .where('payment_id', '=', paymentId)
    .where((eb) =>
      eb.or([eb('state', '=', 'succeeded'), eb.and([eb('state', '=', 'later'), eb('pay_at', '<=', now)])]),
    )
    .returning('payment_id')
    .executeTakeFirst()
  return changed !== undefined
}

export interface DueEvent {
  readonly payment_id: string
  readonly state: EventState
  readonly event_id: string
  readonly amount: number
  readonly currency: string
}

/**
 * Takes events to send, and makes the payments whose moment has come. What is taken is due again at its next
 * try, so a rival leaves it alone and a crash loses nothing.
 */
export const takeDueEvents = (
  db: Db,
  at: { readonly now: number; readonly limit: number; readonly paymentId?: string | undefined },
): Promise<DueEvent[]> =>
  inTransaction(db, async (tx) => {
    const due = await tx
      .selectFrom('sandbox_payments')
      .select(['payment_id', 'state', 'event_id', 'amount', 'currency'])
      .where('event_due_at', '<=', at.now)
      .$if(at.paymentId !== undefined, (query) => query.where('payment_id', '=', at.paymentId as string))
      .orderBy('event_due_at')
      .limit(at.limit)
      .forUpdate()
      .skipLocked()
      .execute()
    const events = due.map((row): DueEvent => {
      const state = row.state === 'later' ? 'succeeded' : (row.state as EventState)
      return { ...row, state, event_id: row.event_id ?? eventIdOf(row.payment_id, 'succeeded', at.now) }
    })
    for (const { payment_id, state, event_id } of events)
      await tx
        .updateTable('sandbox_payments')
        .set({ state, event_id, event_due_at: nextTryAt(event_id, at.now) })
        .where('payment_id', '=', payment_id)
        .execute()
    return events
  })

/** A later change has an event of its own, which stays due. */
export const forgetDeliveredEvent = async (db: Db, event: DueEvent): Promise<void> => {
  await db
    .updateTable('sandbox_payments')
    .set({ event_id: null, event_due_at: null })
    .where('payment_id', '=', event.payment_id)
    .where('event_id', '=', event.event_id)
    .execute()
}
