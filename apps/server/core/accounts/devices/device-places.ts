import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/client.ts'
import { keyedHash } from '../../kernel/keyed-hash.ts'
import { sameBytes, type Vault } from '../../kernel/vault.ts'
import { isSubscription, type SubscriptionRef } from '../subscription-keys.ts'
import { forgetDevices, hwidHash, markDeviceBlocked } from './devices.ts'
import { hwidContext } from './panel-devices.ts'

/**
 * Places in options that devices took with the key of a subscription. They go with the key, and with the device: one that is lost
 * keeps nobody out. Who came with another key too keeps the place by that.
 */

const findSubscription = (tx: Db, ref: SubscriptionRef) =>
  tx
    .selectFrom('subscriptions as s')
    .select(['s.id', 's.key_hash'])
    .where(isSubscription(ref))
    .executeTakeFirst()

/** Of a customer's options, those taken with this key. */
const takenWith = (userId: number, subscriptionId: number) => sql<boolean>`
  d.subscription_id in (select id from subscriptions where user_id = ${userId}::bigint and kind = 'paid_option')
  and ${subscriptionId}::bigint = any(d.came_by)`

const giveUp = async (
  tx: Db,
  userId: number,
  subscriptionId: number,
  ids?: readonly number[],
): Promise<void> => {
  const which = sql`${takenWith(userId, subscriptionId)} ${ids ? sql`and d.id = any(${[...ids]}::bigint[])` : sql``}`
  await sql`delete from devices d where ${which} and cardinality(d.came_by) = 1`.execute(tx)
  await sql`update devices d set came_by = array_remove(d.came_by, ${subscriptionId}::bigint) where ${which}`.execute(
    tx,
  )
}

/** All that were taken with its key, which is no key any more, or is known to nobody yet. */
export const giveUpPlaces = async (tx: Db, ref: SubscriptionRef): Promise<void> => {
  const subscription = await findSubscription(tx, ref)
  if (subscription) await giveUp(tx, ref.userId, subscription.id)
}

/** A device is known under each key by another hash; in options it is kept by what the app calls it. */
const giveUpPlacesOf = async (
  tx: Db,
  vault: Vault,
  ref: SubscriptionRef,
  deviceId: number,
): Promise<void> => {
  const subscription = await findSubscription(tx, ref)
  const device =
    subscription &&
    (await tx
      .selectFrom('devices')
      .select('hwid_hash')
      .where('id', '=', deviceId)
      .where('subscription_id', '=', subscription.id)
      .executeTakeFirst())
  if (!device) return
  const { rows } = await sql<{ id: number; hwid_sealed: Uint8Array | null }>`
    select d.id, d.hwid_sealed from devices d where ${takenWith(ref.userId, subscription.id)}`.execute(tx)
  const hashOf = keyedHash(vault.subkey('devices'))
  const isIt = (sealed: Uint8Array): boolean => {
    const hwid = vault.open(Buffer.from(sealed), hwidContext)
    return sameBytes(hwidHash(hashOf, subscription.key_hash, hwid), device.hwid_hash)
  }
  const own = rows.filter((row) => row.hwid_sealed !== null && isIt(row.hwid_sealed)).map((row) => row.id)
  if (own.length > 0) await giveUp(tx, ref.userId, subscription.id, own)
}

/** One device, or all of them, with their places in options. Returns how many there were. */
export const dropDevices = (db: Db, vault: Vault, ref: SubscriptionRef, id?: number): Promise<number> =>
  inTransaction(db, async (tx) => {
    await (id === undefined ? giveUpPlaces(tx, ref) : giveUpPlacesOf(tx, vault, ref, id))
    return forgetDevices(tx, ref, id)
  })

/** One that is blocked takes no place. False when the subscription has no such device. */
export const blockDevice = (
  db: Db,
  vault: Vault,
  ref: SubscriptionRef,
  device: { readonly id: number; readonly isBlocked: boolean },
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    if (device.isBlocked) await giveUpPlacesOf(tx, vault, ref, device.id)
    return markDeviceBlocked(tx, ref, device)
  })
