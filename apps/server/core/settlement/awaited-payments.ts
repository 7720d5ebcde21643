import type { Db } from '../../db/client.ts'
import type { Job, Kick } from '../kernel/jobs.ts'
import type { Settler } from './inbox.ts'
import { grantPaidOrdersJob } from './paid-orders.ts'
import { markAwaited, type PaymentRow, takeAwaited, updatePayment } from './payments.ts'
import { ProviderRound } from './provider-round.ts'
import { check } from './reconcile.ts'

/**
 * Somebody who has paid stands on the page that they were sent back to. Where the webhook was lost, the provider is asked
 * because they ask: after ten seconds, then ever more rarely, once at a time on all instances. They are answered at once,
 * and their next question finds what was learnt.
 */

/** Few, so that what is taken is asked about long before others may take it. */
const batchSize = 5

type Parts = Settler & { readonly kick: Kick }

/** The usual round looks at it when it would have; whoever still waits brings the next look. */
const release = async (at: Settler, payment: PaymentRow, error: Error): Promise<void> => {
  at.log.warn({ err: error, paymentId: payment.id }, 'an awaited payment could not be read')
  await updatePayment(at.db, payment.id, { leased_until: null })
}

const askAwaited = async (at: Parts, provider: string, now: number): Promise<void> => {
  const payments = await takeAwaited(at.db, provider, { now, limit: batchSize })
  if (payments.length === 0) return
  await new ProviderRound(at).forEach(
    payments,
    (payment) => check(at, payment, now),
    (payment, error) => release(at, payment, error),
  )
  at.kick(grantPaidOrdersJob)
  // By a time of its own.
  if (payments.length === batchSize) at.kick(awaitedPaymentsJob(provider))
}

const jobs = new Map<string, Job<Parts>>()

/** One for each provider: those who paid by another do not wait for one that hangs. */
export const awaitedPaymentsJob = (provider: string): Job<Parts> => {
  const job = jobs.get(provider) ?? {
    name: `ask ${provider} about awaited payments`,
    everySeconds: 30,
    run: (at: Parts, now: number) => askAwaited(at, provider, now),
  }
  jobs.set(provider, job)
  return job
}

/** Has the provider asked soon, unless it was a moment ago. */
export const awaitPayment = async (
  { db, kick }: { readonly db: Db; readonly kick: Kick },
  orderId: number,
  now: number,
): Promise<void> => {
  for (const provider of await markAwaited(db, orderId, now)) kick(awaitedPaymentsJob(provider))
}
