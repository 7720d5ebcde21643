import type { PanelDevice } from '@sallyport/contract/customer/paid-options/shapes'
import type { Static } from 'typebox'
import type { Db } from '../../../db/client.ts'
import { type KeyedHash, keyedHash } from '../../kernel/keyed-hash.ts'
import type { Vault } from '../../kernel/vault.ts'

/** Devices that fetched what a term gives, which customers see by what the apps call them. */

export const hwidContext = 'devices.hwid'

/** The same under whatever key the device comes, so that it has one place in an option. */
export const panelHash = (hashOf: KeyedHash, hwid: string): Buffer => hashOf(Buffer.from(`panel${hwid}`))

export const listPanelDevices = async (
  db: Db,
  vault: Vault,
  subscriptionId: number,
): Promise<Static<typeof PanelDevice>[]> => {
  const rows = await db
    .selectFrom('devices')
    .select(['hwid_sealed', 'platform', 'os_version', 'device_model', 'created_at'])
    .where('subscription_id', '=', subscriptionId)
    .orderBy('id')
    .execute()
  return rows.map(({ hwid_sealed, platform, ...row }) => ({
    hwid: hwid_sealed ? vault.open(Buffer.from(hwid_sealed), hwidContext) : '',
    platform: platform ?? '',
    ...row,
  }))
}

/** One of them, or all. Returns how many there were. */
export const forgetPanelDevices = async (
  db: Db,
  vault: Vault,
  subscriptionId: number,
  hwid?: string,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('devices')
    .where('subscription_id', '=', subscriptionId)
    .$if(hwid !== undefined, (query) =>
      query.where('hwid_hash', '=', panelHash(keyedHash(vault.subkey('devices')), hwid as string)),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The account's link is another now: whoever had the old one is to show up again. */
export const forgetPanelDevicesOf = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .deleteFrom('devices')
    .where('subscription_id', 'in', (eb) =>
      eb
        .selectFrom('subscriptions')
        .select('id')
        .where('user_id', '=', userId)
        .where('kind', '=', 'paid_option'),
    )
    .execute()
}
