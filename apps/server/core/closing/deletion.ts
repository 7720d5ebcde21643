import { randomUUID } from 'node:crypto'
import { conflict } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { recordEvent } from '../accounts/account-events.ts'
import { deleteSubscriptionsOf } from '../accounts/subscription-keys.ts'
import { lockUser } from '../accounts/users.ts'
import { newReferralCode } from '../kernel/tokens.ts'
import { cancelUnpaid } from '../sales/orders.ts'
import type { GrantContext, Products } from '../sales/products.ts'
import { deleteTermsOf } from '../terms/expiry.ts'

/** An account ends: nothing works any more, nothing personal is kept, and the books stay under the bare id. */

const refusePendingWithdrawal = async (tx: Db, userId: number): Promise<void> => {
  const pending = await tx
    .selectFrom('withdrawals')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .limit(1)
    .executeTakeFirst()
  if (!pending) return
  throw conflict('', 'a withdrawal is waiting to be paid; delete the account once it is paid or rejected')
}

/**
 * Whose the payouts and payments were. A refund still needs to know whom it goes to: one under way, or of what is paid and
 * cannot be given any more.
 */
const erasePayees = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .updateTable('withdrawals')
    .set({ account_sealed: null, account_masked: '', bank_id: null, reason: null })
    .where('user_id', '=', userId)
    .execute()
  await sql`
    update receipts r set payer = null from orders o
    where o.id = r.order_id and o.user_id = ${userId} and o.state <> 'paid' and r.payer is not null
      and not exists (select from refunds f where f.order_id = o.id and f.state = 'requested')`.execute(tx)
  await sql`
    update refunds f set recipient = null from orders o
    where o.id = f.order_id and o.user_id = ${userId} and f.recipient is not null and f.state <> 'requested'`.execute(
    tx,
  )
}

/** Ways in and what they left behind, and links that were handed on; refresh tokens and challenges go with their sessions. */
const ownedTables = [
  'identities',
  'passkeys',
  'sign_in_codes',
  'pricing_rules',
  'api_keys',
  'sessions',
  'one_time_links',
] as const

const deleteOwned = async (tx: Db, userId: number): Promise<void> => {
  for (const table of ownedTables) await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  await tx.deleteFrom('oauth_states').where('link_user_id', '=', userId).execute()
  await tx.deleteFrom('idempotency_keys').where('actor', '=', `customer:${userId}`).execute()
}

const eraseUser = async (tx: Db, userId: number, now: number): Promise<void> => {
  await tx
    .updateTable('users')
    .set({
      email: null,
      uuid: randomUUID(),
      referral_code: newReferralCode(),
      sign_in_method: 'deleted',
      is_messenger_connected: false,
      note: null,
      is_note_internal: false,
      flags: [],
      deleted_at: now,
    })
    .where('id', '=', userId)
    .execute()
}

/** What must reach the other instances is announced when it commits; the caller tells its own. */
export const deleteAccount = async (
  tx: Db,
  at: GrantContext & { readonly products: Products },
  userId: number,
): Promise<void> => {
  const { bus, now } = at
  await lockUser(tx, userId)
  await refusePendingWithdrawal(tx, userId)
  await cancelUnpaid(tx, userId)
  const deleted = await deleteTermsOf(tx, at, userId)
  await erasePayees(tx, userId)
  await deleteOwned(tx, userId)
  await deleteSubscriptionsOf(tx, userId)
  // It changes keys of the row, so it waits for everybody who refers to the account; what they left is seen after it.
  await eraseUser(tx, userId, now)
  await tx
    .deleteFrom('notifications')
    .where('id', 'in', (eb) =>
      // In the order in which the customer takes them.
      eb.selectFrom('notifications').select('id').where('user_id', '=', userId).orderBy('id').forUpdate(),
    )
    .execute()
  await recordEvent(tx, {
    userId,
    kind: 'deleted',
    details: { configs: 0, ...Object.fromEntries(deleted) },
    now,
  })
  await bus.publish(tx, `auth:u:${userId}`)
}
