import {
  type DeviceCounts,
  type DeviceSettings,
  type DeviceType,
  type DeviceVerdict,
  judgeUnknown,
  type ToldDevice,
} from '@sallyport/domain/delivery/device'
import { type Db, inTransaction, prepared } from '../../db/client.ts'
import type { KeyedHash } from '../kernel/keyed-hash.ts'
import { sameBytes } from '../kernel/vault.ts'
import { holdSubscription, isSubscription, type SubscriptionRef } from './subscriptions.ts'

/** Devices that fetch a subscription: letting them in, and what is kept of them. */

const touchEverySeconds = 60

/**
 * With the subscription's key inside instead of the account, so that it can be looked up before the account is known:
 * both are found in one round trip. A new key forgets all devices, so the hash lives as long as what it names.
 */
export const hwidHash = (hashOf: KeyedHash, subscriptionKeyHash: Uint8Array, hwid: string): Buffer =>
  hashOf(subscriptionKeyHash, Buffer.from(hwid))

export interface DeviceAtDoor {
  readonly userId: number
  readonly subscriptionId: number
  /** The key that the device came with, and whose it is: this subscription's, or the account's that carries it. */
  readonly cameWith: { readonly subscriptionId: number; readonly keyHash: Uint8Array }
  readonly hwidHash: Uint8Array
  /** Kept for customers to see, where they see it. */
  readonly hwidSealed?: Uint8Array
  readonly told: ToldDevice
  readonly now: number
}

interface Standing extends DeviceCounts {
  /** Null when the device is not known. */
  readonly is_blocked: boolean | null
}

const standingOf = prepared<[subscriptionId: number, hwidHash: Uint8Array], Standing>(
  `select count(*) as kept, count(*) filter (where not is_blocked) as allowed,
     bool_or(is_blocked) filter (where hwid_hash = $2) as is_blocked
   from devices where subscription_id = $1`,
)

const judge = async (db: Db, settings: DeviceSettings, device: DeviceAtDoor): Promise<DeviceVerdict> => {
  const standing = (await standingOf(db, device.subscriptionId, device.hwidHash))[0] as Standing
  if (standing.is_blocked !== null) return standing.is_blocked ? 'blocked' : 'served'
  return judgeUnknown(settings, standing)
}

const described = ({ name, type, model, osVersion, isFingerprinted }: ToldDevice) => ({
  device_name: name,
  device_type: type,
  device_model: model,
  os_version: osVersion,
  is_fingerprinted: isFingerprinted,
})

const insertDevice = async (tx: Db, device: DeviceAtDoor): Promise<void> => {
  const { subscriptionId, hwidHash, hwidSealed, told, now } = device
  await tx
    .insertInto('devices')
    .values({
      subscription_id: subscriptionId,
      hwid_hash: hwidHash,
      ...(hwidSealed && { hwid_sealed: hwidSealed, platform: told.platform }),
      ...described(told),
      created_at: now,
      last_seen_at: now,
    })
    .execute()
}

/** Whether the account's key is the one that the device came with, and stays it until the transaction ends. */
const isStillKey = async (tx: Db, { cameWith }: DeviceAtDoor): Promise<boolean> => {
  const row = await tx
    .selectFrom('subscriptions')
    .select('key_hash')
    .where('id', '=', cameWith.subscriptionId)
    .forShare()
    .executeTakeFirst()
  return row !== undefined && sameBytes(row.key_hash, cameWith.keyHash)
}

/**
 * Lets in a device that was not known a moment ago, and keeps it. Undefined when the key that it came with has been
 * replaced meanwhile.
 */
export const admitDevice = async (
  db: Db,
  settings: DeviceSettings,
  device: DeviceAtDoor,
): Promise<Exclude<DeviceVerdict, 'new'> | undefined> => {
  // Judged once without holding the subscription: who is refused over and over must not stand in everybody's way.
  const first = await judge(db, settings, device)
  if (first !== 'new') return first
  return inTransaction(db, async (tx) => {
    const { cameWith } = device
    const isOwnKey = cameWith.subscriptionId === device.subscriptionId
    if (!isOwnKey && !(await isStillKey(tx, device))) return undefined
    const held = await holdSubscription(tx, device)
    if (!held || (isOwnKey && !sameBytes(held.key_hash, cameWith.keyHash))) return undefined
    const verdict = await judge(tx, held, device)
    if (verdict !== 'new') return verdict
    await insertDevice(tx, device)
    return 'served'
  })
}

export const isTouchDue = (lastSeenAt: number, now: number): boolean => now - lastSeenAt >= touchEverySeconds

/** At most once a minute, however many ask at once. */
export const touchDevice = async (db: Db, id: number, told: ToldDevice, now: number): Promise<void> => {
  await db
    .updateTable('devices')
    .set({ ...described(told), last_seen_at: now })
    .where('id', '=', id)
    .where('last_seen_at', '<=', now - touchEverySeconds)
    .execute()
}

export interface DevicesPage extends DeviceSettings {
  readonly total: number
  readonly devices: {
    readonly id: number
    readonly device_name: string
    readonly device_type: DeviceType
    readonly device_model: string
    readonly os_version: string
    readonly is_blocked: boolean
    readonly is_fingerprinted: boolean
    readonly last_seen_at: number
    readonly created_at: number
  }[]
}

/**
 * A page, how many there are in all, and the settings, in one round trip: of one that the customer put together, or without
 * any of the account's own.
 */
export const devicesPage = prepared<
  [userId: number, subscriptionId: number | null, limit: number, offset: number],
  DevicesPage
>(
  `select s.block_unknown_devices, s.device_limit,
     (select count(*) from devices d where d.subscription_id = s.id) as total,
     coalesce((select json_agg(p order by p.last_seen_at desc, p.id desc) from (
       select d.id, d.device_name, d.device_type, d.device_model, d.os_version, d.is_blocked, d.is_fingerprinted,
         d.last_seen_at, d.created_at
       from devices d where d.subscription_id = s.id order by d.last_seen_at desc, d.id desc limit $3 offset $4) p),
     '[]'::json) as devices
   from subscriptions s where s.user_id = $1 and coalesce(s.id = $2, s.kind = 'account')
     and s.kind = case when $2::bigint is null then 'account' else 'custom' end`,
)

const ownSubscription = (db: Db, ref: SubscriptionRef) =>
  db.selectFrom('subscriptions as s').select('s.id').where(isSubscription(ref))

/** False when the subscription has no such device. */
export const markDeviceBlocked = async (
  db: Db,
  ref: SubscriptionRef,
  device: { readonly id: number; readonly isBlocked: boolean },
): Promise<boolean> => {
  const row = await db
    .updateTable('devices')
    .set({ is_blocked: device.isBlocked })
    .where('id', '=', device.id)
    .where('subscription_id', 'in', ownSubscription(db, ref))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** One device, or all of them. Returns how many there were. */
export const forgetDevices = async (db: Db, ref: SubscriptionRef, id?: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('devices')
    .where('subscription_id', 'in', ownSubscription(db, ref))
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
