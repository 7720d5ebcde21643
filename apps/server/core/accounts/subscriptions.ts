import type { DeviceSettings } from '@sallyport/domain/delivery/device'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { newSubscriptionKey } from '../kernel/tokens.ts'
import { sha256, type Vault } from '../kernel/vault.ts'

/** Keys that client apps fetch, with their settings for devices: an account's own, and those beside it. */

export const subscriptionKeyContext = 'subscriptions.key'

/** One of a customer's subscriptions; the account's own where none is named. */
export interface SubscriptionRef {
  readonly userId: number
  readonly subscriptionId?: number
}

/** For a statement that calls the table `s`. */
export const isSubscription = ({ userId, subscriptionId }: SubscriptionRef) =>
  sql<boolean>`s.user_id = ${userId}::bigint and coalesce(s.id = ${subscriptionId ?? null}::bigint, s.kind = 'account')`

const sealedKey = (vault: Vault) => {
  const key = newSubscriptionKey(vault)
  return { key, stored: { key_sealed: vault.seal(key, subscriptionKeyContext), key_hash: sha256(key) } }
}

/** Opens the account's own subscription and returns its key. */
export const openAccountSubscription = async (
  tx: Db,
  vault: Vault,
  account: { readonly userId: number; readonly now: number },
): Promise<string> => {
  const { key, stored } = sealedKey(vault)
  await tx
    .insertInto('subscriptions')
    .values({ ...stored, user_id: account.userId, kind: 'account', term_id: null, created_at: account.now })
    .execute()
  return key
}

const settingsColumns = ['block_unknown_devices', 'device_limit'] as const

export const findDeviceSettings = (db: Db, ref: SubscriptionRef): Promise<DeviceSettings | undefined> =>
  db.selectFrom('subscriptions as s').select(settingsColumns).where(isSubscription(ref)).executeTakeFirst()

/** Only what is given, so that two changes at once both stay. */
export const storeDeviceSettings = (
  db: Db,
  ref: SubscriptionRef,
  given: Partial<DeviceSettings>,
): Promise<DeviceSettings | undefined> =>
  db
    .updateTable('subscriptions as s')
    .set(given)
    .where(isSubscription(ref))
    .returning(settingsColumns)
    .executeTakeFirst()

/** Held, so that devices are counted one after another. Undefined when it is gone. */
export const holdSubscription = (tx: Db, ref: SubscriptionRef) =>
  tx
    .selectFrom('subscriptions as s')
    .select(['s.id', 's.key_hash', ...settingsColumns])
    .where(isSubscription(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()

/** A new key, which forgets all devices: what they are known by has the key inside. Undefined when it is gone. */
export const changeKey = async (tx: Db, vault: Vault, ref: SubscriptionRef): Promise<string | undefined> => {
  const held = await holdSubscription(tx, ref)
  if (!held) return undefined
  const { key, stored } = sealedKey(vault)
  await tx.updateTable('subscriptions').set(stored).where('id', '=', held.id).execute()
  await tx.deleteFrom('devices').where('subscription_id', '=', held.id).execute()
  return key
}

/** All of a customer, with their devices: their keys are nobody's from now on. */
export const deleteSubscriptionsOf = async (tx: Db, userId: number): Promise<void> => {
  await tx.deleteFrom('subscriptions').where('user_id', '=', userId).execute()
}

/** Those of terms go with them to another customer, with their keys and devices. */
export const moveTermSubscriptions = async (
  tx: Db,
  termIds: readonly number[],
  toId: number,
): Promise<void> => {
  await tx.updateTable('subscriptions').set({ user_id: toId }).where('term_id', 'in', termIds).execute()
}

export const deleteTermSubscriptions = async (tx: Db, termIds: readonly number[]): Promise<void> => {
  await tx.deleteFrom('subscriptions').where('term_id', 'in', termIds).execute()
}
