import {
  type CustomSubscription,
  mostSubscriptions,
} from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { ApiError, conflict } from '@sallyport/contract/errors'
import { type Db, inTransaction, prepared } from '../../db/client.ts'
import { giveUpPlaces } from '../accounts/devices/device-places.ts'
import {
  type CustomRef,
  isSubscription,
  lockSubscription,
  subscriptionKeyContext,
} from '../accounts/subscription-keys.ts'
import { lockUser } from '../accounts/users.ts'
import type { Vault } from '../kernel/vault.ts'

/** Subscriptions that customers put together, as they are kept. */

interface Row {
  readonly id: number
  readonly title: string
  readonly key_sealed: Uint8Array
  readonly items_count: number
}

/** All of a customer, or one of them. */
const rowsOf = prepared<[userId: number, id: number | null], Row>(
  `select s.id, s.title, s.key_sealed,
     (select count(*) from subscription_items x where x.subscription_id = s.id) as items_count
   from subscriptions s where s.user_id = $1 and s.kind = 'custom' and coalesce(s.id = $2, true) order by s.id`,
)

const toCustom = (vault: Vault, { key_sealed: sealed, ...row }: Row): CustomSubscription => ({
  id: row.id,
  title: row.title,
  subscription_key: vault.open(Buffer.from(sealed), subscriptionKeyContext),
  items_count: row.items_count,
})

export const listCustom = async (db: Db, vault: Vault, userId: number): Promise<CustomSubscription[]> =>
  (await rowsOf(db, userId, null)).map((row) => toCustom(vault, row))

/** Missing and foreign are the same, and so is a subscription of another kind. */
export const requireCustom = async (
  db: Db,
  vault: Vault,
  { userId, subscriptionId }: CustomRef,
): Promise<CustomSubscription> => {
  const [row] = await rowsOf(db, userId, subscriptionId)
  if (!row) throw new ApiError('NOT_FOUND')
  return toCustom(vault, row)
}

export const requireOwn = async (db: Db, ref: CustomRef): Promise<void> => {
  const row = await db
    .selectFrom('subscriptions as s')
    .select('s.id')
    .where(isSubscription(ref))
    .executeTakeFirst()
  if (!row) throw new ApiError('NOT_FOUND')
}

/** Whoever makes one locks the account, so that those at once count one after another. */
export const lockRoomForOne = async (tx: Db, userId: number): Promise<void> => {
  await lockUser(tx, userId)
  const { count } = await tx
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'custom')
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostSubscriptions) {
    throw conflict('', `there are ${mostSubscriptions} custom subscriptions already; delete one first`)
  }
}

export const renameCustom = async (db: Db, ref: CustomRef, title: string): Promise<void> => {
  const row = await db
    .updateTable('subscriptions as s')
    .set({ title })
    .where(isSubscription(ref))
    .returning('s.id')
    .executeTakeFirst()
  if (!row) throw new ApiError('NOT_FOUND')
}

/** With its items, template and devices, and the places that these took in options; its key is nobody's from now on. */
export const deleteCustom = (db: Db, ref: CustomRef): Promise<void> =>
  inTransaction(db, async (tx) => {
    // Held first, so that nobody takes another place with its key meanwhile.
    if (!(await lockSubscription(tx, ref))) throw new ApiError('NOT_FOUND')
    await giveUpPlaces(tx, ref)
    await tx.deleteFrom('subscriptions as s').where(isSubscription(ref)).execute()
  })
