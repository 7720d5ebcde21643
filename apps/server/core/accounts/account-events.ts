import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'

/** What happened to an account; an append-only log without personal data. */
export type AccountEvent =
  | 'created'
  | 'signed_in'
  | 'signed_out_everywhere'
  | 'refresh_reused'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'email_changed'
  | 'passkey_added'
  | 'passkey_deleted'
  | 'passkey_suspicious'
  | 'subscription_key_changed'
  | 'credentials_renewed'
  | 'transferred_out'
  | 'transferred_in'
  | 'deleted'

interface NewEvent {
  readonly userId: number
  readonly kind: AccountEvent
  readonly details?: Readonly<Record<string, unknown>>
  readonly now: number
}

/** Returns its id. */
export const recordEvent = async (tx: Db, event: NewEvent): Promise<number> => {
  const { id } = await tx
    .insertInto('account_events')
    .values({
      user_id: event.userId,
      kind: event.kind,
      details: JSON.stringify(event.details ?? {}),
      created_at: event.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** One that the owner is told of, in case it was not they who did it. */
export const recordAndTell = async (
  tx: Db,
  event: NewEvent,
  words: { readonly ru: string; readonly en: string },
): Promise<void> => {
  const id = await recordEvent(tx, event)
  await notify(tx, { userId: event.userId, cause: `account_event:${id}`, ...words, now: event.now })
}
