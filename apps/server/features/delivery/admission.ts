import type { IncomingHttpHeaders } from 'node:http'
import {
  type DeviceVerdict,
  judgeNameless,
  readDevice,
  readHwid,
  type ToldDevice,
} from '@sallyport/domain/delivery/device'
import { admitDevice, hwidHash, isTouchDue, touchDevice } from '../../core/accounts/devices.ts'
import type { Services } from '../../core/call.ts'
import type { SubscriptionOwner } from './queries.ts'

/** Whether the device that asks may have the subscription. */

export interface Asking {
  readonly keyHash: Uint8Array
  /** Null when the app does not name its device. */
  readonly hwidHash: Uint8Array | null
  readonly headers: IncomingHttpHeaders
  readonly now: number
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined

export const readHwidHash = (
  devicesKey: Buffer,
  keyHash: Uint8Array,
  headers: IncomingHttpHeaders,
): Uint8Array | null => {
  const hwid = readHwid(textOf(headers['x-hwid']))
  return hwid === undefined ? null : hwidHash(devicesKey, keyHash, hwid)
}

const toldBy = (headers: IncomingHttpHeaders): ToldDevice =>
  readDevice({
    os: textOf(headers['x-device-os']),
    osVersion: textOf(headers['x-ver-os']),
    model: textOf(headers['x-device-model']),
    userAgent: headers['user-agent'],
  })

/** Undefined when the key has been replaced since the owner was found. */
export const admit = async (
  { db }: Services,
  owner: SubscriptionOwner,
  { keyHash, hwidHash, headers, now }: Asking,
): Promise<Exclude<DeviceVerdict, 'new'> | undefined> => {
  if (hwidHash === null) return judgeNameless(owner, owner.has_blocked)
  if (owner.device_id !== null) return owner.is_device_blocked ? 'blocked' : 'served'
  const told = toldBy(headers)
  const { id: subscriptionId, user_id: userId } = owner
  return admitDevice(db, owner, { userId, subscriptionId, subscriptionKeyHash: keyHash, hwidHash, told, now })
}

/** A device that was known before has come again; the answer does not depend on whether this could be written. */
export const noteSeen = async (
  { db, log }: Services,
  { device_id, device_seen_at }: SubscriptionOwner,
  { headers, now }: Asking,
): Promise<void> => {
  if (device_id === null || device_seen_at === null || !isTouchDue(device_seen_at, now)) return
  try {
    await touchDevice(db, device_id, toldBy(headers), now)
  } catch (err) {
    log.warn({ err }, 'a device was served without being marked as seen')
  }
}
