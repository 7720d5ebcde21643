import type { IncomingHttpHeaders } from 'node:http'
import {
  type DeviceRefusal,
  type DeviceVerdict,
  judgeNameless,
  readDevice,
  readHwid,
  type ToldDevice,
} from '@sallyport/domain/delivery/device'
import { admitDevice, hwidHash, isTouchDue, touchDevice } from '../../core/accounts/devices.ts'
import { hwidContext, panelHash } from '../../core/accounts/panel-devices.ts'
import type { Services } from '../../core/call.ts'
import type { KeyedHash } from '../../core/kernel/keyed-hash.ts'
import type { Pause } from '../../core/terms/terms.ts'
import type { DeliveredOption, SubscriptionOwner } from './queries.ts'

/** Whether the device that asks may have the subscription, and each option in it. */

export class AskingDevice {
  readonly hwid: string
  /** What it is known by under this key. */
  readonly hash: Uint8Array
  readonly #hashOf: KeyedHash
  #panelHash: Uint8Array | undefined

  constructor(hashOf: KeyedHash, keyHash: Uint8Array, hwid: string) {
    this.hwid = hwid
    this.hash = hwidHash(hashOf, keyHash, hwid)
    this.#hashOf = hashOf
  }

  /** What it is known by in options, which not everybody has. */
  get panelHash(): Uint8Array {
    this.#panelHash ??= panelHash(this.#hashOf, this.hwid)
    return this.#panelHash
  }
}

export interface Asking {
  readonly keyHash: Uint8Array
  /** The same as text, to look things up by. */
  readonly keyName: string
  /** Null when the app does not name its device. */
  readonly device: AskingDevice | null
  readonly headers: IncomingHttpHeaders
  readonly now: number
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined

export const readAskingDevice = (
  hashOf: KeyedHash,
  keyHash: Uint8Array,
  headers: IncomingHttpHeaders,
): AskingDevice | null => {
  const hwid = readHwid(textOf(headers['x-hwid']))
  return hwid === undefined ? null : new AskingDevice(hashOf, keyHash, hwid)
}

const toldBy = (headers: IncomingHttpHeaders): ToldDevice =>
  readDevice({
    os: textOf(headers['x-device-os']),
    osVersion: textOf(headers['x-ver-os']),
    model: textOf(headers['x-device-model']),
    userAgent: headers['user-agent'],
  })

/** Of all but a device that is not known yet. */
export const judgeKnown = (
  owner: SubscriptionOwner,
  { device }: Asking,
): Exclude<DeviceVerdict, 'new'> | undefined => {
  if (device === null) return judgeNameless(owner, owner.has_blocked)
  if (owner.device_id === null) return undefined
  return owner.is_device_blocked ? 'blocked' : 'served'
}

/** A device that is not known yet. Undefined when the key has been replaced since the owner was found. */
export const admit = async (
  { db }: Services,
  owner: SubscriptionOwner,
  { keyHash, device, headers, now }: Asking,
): Promise<Exclude<DeviceVerdict, 'new'> | undefined> => {
  if (device === null) return undefined
  const { id: subscriptionId, user_id: userId } = owner
  const cameWith = { subscriptionId, keyHash }
  const told = toldBy(headers)
  return admitDevice(db, owner, { userId, subscriptionId, cameWith, hwidHash: device.hash, told, now })
}

/** Why a device gets no entries of an option. */
export type Withheld = Pause | DeviceRefusal

export const nothingWithheld: ReadonlyMap<number, Withheld> = new Map()

const admitToOption = async (
  { db, vault }: Services,
  owner: SubscriptionOwner,
  option: DeliveredOption,
  { keyHash, device, headers, now }: Asking,
): Promise<Withheld | 'served' | undefined> => {
  if (option.paused !== null) return option.paused
  const settings = { block_unknown_devices: false, device_limit: option.device_limit }
  if (device === null) return judgeNameless(settings, false)
  if (option.device_id !== null) return 'served'
  return admitDevice(db, settings, {
    userId: owner.user_id,
    subscriptionId: option.subscription_id,
    cameWith: { subscriptionId: owner.id, keyHash },
    hwidHash: device.panelHash,
    hwidSealed: vault.seal(device.hwid, hwidContext),
    told: toldBy(headers),
    now,
  })
}

/** What is withheld from the device, by the term of the option. Undefined when the key has been replaced. */
export const admitToOptions = async (
  services: Services,
  owner: SubscriptionOwner,
  asking: Asking,
): Promise<ReadonlyMap<number, Withheld> | undefined> => {
  const withheld = new Map<number, Withheld>()
  for (const option of owner.options) {
    const reason = await admitToOption(services, owner, option, asking)
    if (reason === undefined) return undefined
    if (reason !== 'served') withheld.set(option.term_id, reason)
  }
  return withheld
}

const isDue = (
  { device_id: id, device_seen_at: seenAt }: SubscriptionOwner | DeliveredOption,
  now: number,
): boolean => id !== null && seenAt !== null && isTouchDue(seenAt, now)

/** Whether there are options to be let in to, or a device that was not noted lately. */
export const hasMoreToDo = (owner: SubscriptionOwner, { now }: Asking): boolean =>
  owner.options.length > 0 || isDue(owner, now)

/** Devices that were known before have come again; the answer does not depend on whether this could be written. */
export const noteSeen = async (
  { db, log }: Services,
  owner: SubscriptionOwner,
  { headers, now }: Asking,
): Promise<void> => {
  const due = [owner, ...owner.options].filter((one) => isDue(one, now))
  try {
    for (const { device_id: id } of due) await touchDevice(db, id as number, toldBy(headers), now)
  } catch (err) {
    log.warn({ err }, 'a device was served without being marked as seen')
  }
}
