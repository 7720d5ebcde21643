import {
  type DeviceCounts,
  type DeviceSettings,
  type DeviceType,
  type DeviceVerdict,
  isReplacing,
  judgeUnknown,
  type ToldDevice,
} from '@sallyport/domain/delivery/device'
import { type Db, inTransaction, prepared } from '../../../db/client.ts'
import type { KeyedHash } from '../../kernel/keyed-hash.ts'
import { sameBytes } from '../../kernel/vault.ts'
import { isSubscription, lockSubscription, type SubscriptionRef } from '../subscription-keys.ts'

/** Devices that fetch a subscription: letting them in, and what is kept of them. */

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
  /** It names no device, so that it is known by what it says of itself. */
  readonly isFingerprint: boolean
  /** What operators find it by; undefined of what names no device. */
  readonly foundBy: Uint8Array | undefined
  /** Kept for customers to see, where they see it. */
  readonly hwidSealed?: Uint8Array
  readonly told: ToldDevice
  readonly now: number
}

interface DeviceLookup extends DeviceCounts {
  /** Null when the device is not known. */
  readonly is_blocked: boolean | null
}

const lookUpDevice = prepared<[subscriptionId: number, hwidHash: Uint8Array], DeviceLookup>(
  `select count(*) as kept, count(*) filter (where not is_blocked) as allowed,
     bool_or(is_blocked) filter (where hwid_hash = $2) as is_blocked, count(*) filter (where is_unnamed) as fingerprints,
     min(last_seen_at) filter (where is_unnamed and not is_blocked) as fingerprint_seen_at
   from devices where subscription_id = $1`,
)

interface Judged {
  readonly verdict: DeviceVerdict
  /** Another one's place is to be free for it. */
  readonly isReplacing: boolean
}

const judge = async (db: Db, settings: DeviceSettings, device: DeviceAtDoor): Promise<Judged> => {
  const found = (await lookUpDevice(db, device.subscriptionId, device.hwidHash))[0] as DeviceLookup
  const { is_blocked: isBlocked } = found
  if (isBlocked !== null) return { verdict: isBlocked ? 'blocked' : 'served', isReplacing: false }
  return { verdict: judgeUnknown(settings, found, device), isReplacing: isReplacing(found, device) }
}

const described = ({ name, type, model, osVersion }: ToldDevice) => ({
  device_name: name,
  device_type: type,
  device_model: model,
  os_version: osVersion,
})

/** The one that was silent longest; blocked ones stay. */
const forgetOldestFingerprint = prepared<[subscriptionId: number], never>(
  `delete from devices where id = (select id from devices
     where subscription_id = $1 and is_unnamed and not is_blocked order by last_seen_at, id limit 1)`,
)

const insertDevice = async (tx: Db, device: DeviceAtDoor): Promise<void> => {
  const { subscriptionId, cameWith, hwidHash, isFingerprint, foundBy, hwidSealed, told, now } = device
  await tx
    .insertInto('devices')
    .values({
      subscription_id: subscriptionId,
      hwid_hash: hwidHash,
      found_by: foundBy ?? null,
      is_unnamed: isFingerprint,
      // Nobody reads it any more.
      is_fingerprinted: false,
      ...(hwidSealed && { hwid_sealed: hwidSealed, platform: told.platform }),
      ...(cameWith.subscriptionId !== subscriptionId && { came_by: [cameWith.subscriptionId] }),
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
  // Judged once without locking the subscription: who is refused over and over must not stand in everybody's way.
  const { verdict: first } = await judge(db, settings, device)
  if (first !== 'new') return first
  return inTransaction(db, async (tx) => {
    const { cameWith } = device
    const isOwnKey = cameWith.subscriptionId === device.subscriptionId
    if (!isOwnKey && !(await isStillKey(tx, device))) return undefined
    const locked = await lockSubscription(tx, device)
    if (!locked || (isOwnKey && !sameBytes(locked.key_hash, cameWith.keyHash))) return undefined
    const { verdict, isReplacing } = await judge(tx, locked, device)
    if (verdict !== 'new') return verdict
    if (isReplacing) await forgetOldestFingerprint(tx, device.subscriptionId)
    await insertDevice(tx, device)
    return 'served'
  })
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
       select d.id, d.device_name, d.device_type, d.device_model, d.os_version, d.is_blocked, d.is_unnamed as is_fingerprinted,
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
