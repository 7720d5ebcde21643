import type { Job } from '../../core/kernel/jobs.ts'
import type { Db } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import { eventBody, sign, signatureHeader } from './events.ts'
import { type DueEvent, forgetDeliveredEvent, takeDueEvents } from './queries.ts'

const batchSize = 20
const timeoutMs = 5000

export interface DeliveryParts {
  readonly db: Db
  readonly key: Buffer
  /** Where the service hears of events: its own /webhooks/sandbox. */
  readonly webhookUrl: () => string
  readonly log: Log
}

const isAccepted = async (url: string, key: Buffer, event: DueEvent, now: number): Promise<boolean> => {
  const body = eventBody(event)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [signatureHeader]: sign(key, body, now) },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  return response.ok
}

const deliverOne = async (parts: DeliveryParts, event: DueEvent, now: number): Promise<void> => {
  const { db, key, webhookUrl, log } = parts
  const eventId = event.event_id
  try {
    if (await isAccepted(webhookUrl(), key, event, now)) return await forgetDeliveredEvent(db, event)
    log.warn({ eventId }, 'a sandbox event was not accepted; it is sent again')
  } catch (error) {
    log.warn({ err: error, eventId }, 'a sandbox event did not arrive; it is sent again')
  }
}

/** Makes the payments that were put off until now, and tells of every change that was not heard yet. */
export const deliverSandboxEvents = async (
  parts: DeliveryParts,
  now: number,
  /** When only this payment's news is wanted. */
  paymentId?: string,
): Promise<void> => {
  for (;;) {
    const events = await takeDueEvents(parts.db, { now, limit: batchSize, paymentId })
    await Promise.all(events.map((event) => deliverOne(parts, event, now)))
    if (events.length < batchSize) return
  }
}

export const deliverSandboxJob: Job<DeliveryParts> = {
  name: 'deliver sandbox events',
  everySeconds: 2,
  run: (parts, now) => deliverSandboxEvents(parts, now),
}
