import type { Db } from '../db/client.ts'

/** What happened to an account; an append-only log without personal data. */
export type AccountEvent =
  | 'created'
  | 'signed_in'
  | 'signed_out_everywhere'
  | 'refresh_reused'
  | 'identity_linked'
  | 'email_changed'
  | 'passkey_added'
  | 'passkey_deleted'
  | 'passkey_suspicious'
  | 'subscription_key_changed'
  | 'transferred_out'
  | 'transferred_in'
  | 'deleted'

export const recordEvent = async (
  tx: Db,
  event: {
    readonly userId: number
    readonly kind: AccountEvent
    readonly details?: Readonly<Record<string, unknown>>
    readonly now: number
  },
): Promise<void> => {
  await tx
    .insertInto('account_events')
    .values({
      user_id: event.userId,
      kind: event.kind,
      details: JSON.stringify(event.details ?? {}),
      created_at: event.now,
    })
    .execute()
}
