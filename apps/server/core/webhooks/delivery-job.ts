import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { PostWebhook } from '../../ports/webhooks.ts'
import type { Job } from '../kernel/jobs.ts'
import type { Vault } from '../kernel/vault.ts'
import {
  type DueDelivery,
  findDueWebhooks,
  noteFailure,
  noteOutcome,
  noteSuccess,
  putBack,
  takeHeads,
} from './lines.ts'
import { openSecret, signedPost } from './signature.ts'

/** Sends what waits. Every endpoint has a line of its own, so that one that is slow holds up nobody else's. */

export interface Sender {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly postWebhook: PostWebhook
  readonly stopping: AbortSignal
}

/** Tries of one endpoint at the same time, each about another subject. */
const atOnce = 8
/** How often a round looks for more while somebody is slow. */
const lookEveryMs = 250
/** A round takes no longer than this and what is being tried, so that one can see that the job lives. */
const roundMs = 300_000

export const triedForSeconds = 3 * 86_400
const waits = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600]

/** When it is tried again, or null when it was tried for long enough. The last try is at the very end. */
export const nextTry = (attempts: number, createdAt: number, now: number): number | null => {
  const end = createdAt + triedForSeconds
  const wait = waits[Math.min(attempts, waits.length) - 1] ?? 0
  return now >= end ? null : Math.min(now + wait, end)
}

const tryOne = async (at: Sender, due: DueDelivery): Promise<void> => {
  const { db, vault, clock } = at
  const event = { ...due, id: due.event_id, createdAt: due.created_at }
  const post = signedPost(openSecret(vault, due.secret_sealed), event, clock.now())
  const { status, error } = await at.postWebhook({ url: due.url, ...post, signal: at.stopping })
  const now = clock.now()
  if (error === null) {
    await noteOutcome(db, due, {
      delivered_at: now,
      next_try_at: null,
      last_status: status,
      last_error: null,
    })
    return noteSuccess(db, due.webhook_id, now)
  }
  if (at.stopping.aborted) return putBack(db, due, now)
  const again = nextTry(due.attempts, due.created_at, now)
  await noteOutcome(db, due, { next_try_at: again, last_status: status, last_error: error })
  await noteFailure(db, due.webhook_id, again === null, now)
}

const serve = async (at: Sender, webhookId: number, until: number): Promise<void> => {
  while (!at.stopping.aborted && performance.now() < until) {
    const heads = await takeHeads(at.db, webhookId, atOnce, at.clock.now())
    if (heads.length === 0) return
    const tries = await Promise.allSettled(heads.map((due) => tryOne(at, due)))
    for (const result of tries) if (result.status === 'rejected') throw result.reason
  }
}

/** Until nothing is due that nobody is at. Any number of instances may do this at once. */
export const deliverWebhooks = async (at: Sender): Promise<void> => {
  const busy = new Map<number, Promise<void>>()
  const failed = new Map<number, unknown>()
  const until = performance.now() + roundMs
  while (!at.stopping.aborted && performance.now() < until) {
    const except = [...busy.keys(), ...failed.keys()]
    for (const id of await findDueWebhooks(at.db, at.clock.now(), except)) {
      const work = serve(at, id, until)
        .catch((error: unknown) => void failed.set(id, error))
        .finally(() => busy.delete(id))
      busy.set(id, work)
    }
    if (busy.size === 0) break
    await Promise.race([...busy.values(), sleep(lookEveryMs, undefined, { ref: false })])
  }
  await Promise.all(busy.values())
  for (const [webhookId, err] of failed)
    at.log.error({ err, webhookId }, 'events could not be sent; tried again')
}

export const deliverWebhooksJob: Job<Sender> = {
  name: 'deliver webhooks',
  everySeconds: 2,
  run: deliverWebhooks,
}
