import { createHmac } from 'node:crypto'
import {
  type DeviceCounts,
  type DeviceSettings,
  type DeviceVerdict,
  judgeUnknown,
  type ToldDevice,
} from '@sallyport/domain/delivery/device'
import { type Db, inTransaction, prepared } from '../../db/client.ts'
import { sameBytes } from '../kernel/vault.ts'

/** Devices that fetch a subscription: letting them in, and what is kept of them. */

const touchEverySeconds = 60

/**
 * With the subscription's key inside instead of the account, so that it can be looked up before the account is known:
 * both are found in one round trip. A new key forgets all devices, so the hash lives as long as what it names.
 */
export const hwidHash = (devicesKey: Buffer, subscriptionKeyHash: Uint8Array, hwid: string): Buffer =>
  createHmac('sha256', devicesKey).update(subscriptionKeyHash).update(hwid).digest()

export interface DeviceAtDoor {
  readonly userId: number
  readonly subscriptionKeyHash: Uint8Array
  readonly hwidHash: Uint8Array
  readonly told: ToldDevice
  readonly now: number
}

interface Standing extends DeviceCounts {
  /** Null when the device is not known. */
  readonly is_blocked: boolean | null
}

const standingOf = prepared<[userId: number, hwidHash: Uint8Array], Standing>(
  `select count(*) as kept, count(*) filter (where not is_blocked) as allowed,
     bool_or(is_blocked) filter (where hwid_hash = $2) as is_blocked
   from devices where user_id = $1`,
)

const judge = async (db: Db, settings: DeviceSettings, device: DeviceAtDoor): Promise<DeviceVerdict> => {
  const standing = (await standingOf(db, device.userId, device.hwidHash))[0] as Standing
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

const insertDevice = async (tx: Db, { userId, hwidHash, told, now }: DeviceAtDoor): Promise<void> => {
  await tx
    .insertInto('devices')
    .values({
      user_id: userId,
      hwid_hash: hwidHash,
      ...described(told),
      created_at: now,
      last_seen_at: now,
    })
    .execute()
}

/** Holds the account, so that devices are counted one after another. Undefined when it is gone. */
export const holdDeviceSettings = (tx: Db, userId: number) =>
  tx
    .selectFrom('users')
    .select(['block_unknown_devices', 'device_limit', 'subscription_key_hash'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Lets in a device that was not known a moment ago, and keeps it. Undefined when the subscription's key has been
 * replaced meanwhile.
 */
export const admitDevice = async (
  db: Db,
  settings: DeviceSettings,
  device: DeviceAtDoor,
): Promise<Exclude<DeviceVerdict, 'new'> | undefined> => {
  // Judged once without holding the account: who is refused over and over must not stand in everybody's way.
  const first = await judge(db, settings, device)
  if (first !== 'new') return first
  return inTransaction(db, async (tx) => {
    const held = await holdDeviceSettings(tx, device.userId)
    if (!held || !sameBytes(held.subscription_key_hash, device.subscriptionKeyHash)) return undefined
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

/** Returns how many there were. */
export const forgetDevices = async (tx: Db, userId: number): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('devices')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
