import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { allowLongStatements, type Job, type Progress } from '../kernel/jobs.ts'
import type { Vault } from '../kernel/vault.ts'
import { listAudience } from './audience.ts'
import { audienceOf, type Broadcast, lastUserId, lockDueBroadcast, noteProgress } from './broadcasts.ts'

/**
 * Leaves a message for everybody it is for, some thousand customers at a time. How far it has come is written with the messages
 * themselves: whoever goes on after a crash tells nobody twice, and leaves nobody out.
 */

const windowSize = 2000

interface Sender {
  readonly db: Db
  readonly vault: Vault
  readonly stopping: AbortSignal
}

/** Returns how many have it now: those who are gone meanwhile have not. */
const leave = async (tx: Db, broadcast: Broadcast, ids: readonly number[], now: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with here as (
      select id from users where id = any(${[...ids]}::bigint[]) and deleted_at is null order by id for key share
    ), left_now as (
      insert into notifications (user_id, content, content_en, cause, created_at)
      select id, ${broadcast.content_ru}, ${broadcast.content_en}, 'broadcast:' || ${broadcast.id}::bigint || ':' || id,
        ${now}::bigint
      from here
      on conflict (cause) where cause is not null do nothing)
    select count(*) as count from here`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The next some thousand customers of one that is locked. */
export const sendWindow = async (tx: Db, vault: Vault, broadcast: Broadcast, now: number): Promise<void> => {
  const until = broadcast.looks_until ?? (await lastUserId(tx))
  const upTo = Math.min(broadcast.looked_to + windowSize, until)
  const ids = await listAudience(tx, vault, audienceOf(vault, broadcast), {
    after: broadcast.looked_to,
    upTo,
    now,
  })
  const left = ids.length === 0 ? 0 : await leave(tx, broadcast, ids, now)
  const [sent, failed] = [broadcast.sent + left, broadcast.failed + ids.length - left]
  const isDone = upTo >= until
  await noteProgress(tx, broadcast.id, {
    state: isDone ? 'done' : 'sending',
    total: isDone ? sent + failed : Math.max(broadcast.total, sent + failed),
    sent,
    failed,
    looked_to: upTo,
    looks_until: until,
    ended_at: isDone ? now : null,
  })
}

/** False when nothing was due. One that fails is noted, and is tried again in the next round. */
const sendSome = async (
  { db, vault }: Sender,
  failed: Map<number, unknown>,
  now: number,
): Promise<boolean> => {
  let id: number | undefined
  try {
    return await inTransaction(db, async (tx) => {
      const broadcast = await lockDueBroadcast(tx, now, [...failed.keys()])
      id = broadcast?.id
      await allowLongStatements(tx)
      if (broadcast) await sendWindow(tx, vault, broadcast, now)
      return broadcast !== undefined
    })
  } catch (error) {
    if (id === undefined) throw error
    failed.set(id, error)
    return true
  }
}

/** One transaction after another. One that fails holds up no other. */
export const sendBroadcasts = async (sender: Sender, now: number, progress?: Progress): Promise<void> => {
  const failed = new Map<number, unknown>()
  while (!sender.stopping.aborted && (await sendSome(sender, failed, now))) progress?.()
  if (failed.size > 0) {
    throw new AggregateError([...failed.values()], `broadcasts that failed: ${[...failed.keys()].join(', ')}`)
  }
}

export const sendBroadcastsJob: Job<Sender> = {
  name: 'send broadcasts',
  everySeconds: 20,
  run: sendBroadcasts,
}
