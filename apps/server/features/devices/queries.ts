import type { DeviceSettings, DeviceType } from '@sallyport/domain/delivery/device'
import { type Db, prepared } from '../../db/client.ts'

const settingsColumns = ['block_unknown_devices', 'device_limit'] as const

export interface DevicesPage extends DeviceSettings {
  readonly total: number
  readonly devices: {
    readonly id: number
    readonly device_name: string
    readonly device_type: DeviceType
    readonly os_version: string
    readonly is_blocked: boolean
    readonly is_fingerprinted: boolean
    readonly last_seen_at: number
  }[]
}

/** A page, how many there are in all, and the settings, in one round trip. */
export const devicesPage = prepared<[userId: number, limit: number, offset: number], DevicesPage>(
  `select u.block_unknown_devices, u.device_limit,
     (select count(*) from devices d where d.user_id = u.id) as total,
     coalesce((select json_agg(p order by p.last_seen_at desc, p.id desc) from (
       select d.id, d.device_name, d.device_type, d.os_version, d.is_blocked, d.is_fingerprinted, d.last_seen_at
       from devices d where d.user_id = u.id order by d.last_seen_at desc, d.id desc limit $2 offset $3) p),
     '[]'::json) as devices
   from users u where u.id = $1`,
)

export const findSettings = (db: Db, userId: number): Promise<DeviceSettings | undefined> =>
  db.selectFrom('users').select(settingsColumns).where('id', '=', userId).executeTakeFirst()

/** Only what is given, so that two changes at once both stay. */
export const storeSettings = (
  db: Db,
  userId: number,
  given: Partial<DeviceSettings>,
): Promise<DeviceSettings | undefined> =>
  db
    .updateTable('users')
    .set(given)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning(settingsColumns)
    .executeTakeFirst()

/** False when the customer has no such device. */
export const markBlocked = async (
  tx: Db,
  device: { readonly userId: number; readonly id: number; readonly isBlocked: boolean },
): Promise<boolean> => {
  const row = await tx
    .updateTable('devices')
    .set({ is_blocked: device.isBlocked })
    .where('id', '=', device.id)
    .where('user_id', '=', device.userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** False when the customer has no such device. */
export const deleteDevice = async (db: Db, userId: number, id: number): Promise<boolean> => {
  const row = await db
    .deleteFrom('devices')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const storeSubscriptionKey = async (
  tx: Db,
  userId: number,
  key: { readonly sealed: Uint8Array; readonly hash: Uint8Array },
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ subscription_key_sealed: key.sealed, subscription_key_hash: key.hash })
    .where('id', '=', userId)
    .execute()
}
