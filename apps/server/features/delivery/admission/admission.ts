import { type DeviceRefusal, type DeviceVerdict, judgeNameless } from '@sallyport/domain/delivery/device'
import { admitDevice } from '../../../core/accounts/devices/devices.ts'
import { hwidContext } from '../../../core/accounts/devices/panel-devices.ts'
import { isTouchDue } from '../../../core/accounts/devices/seen-devices.ts'
import type { Services } from '../../../core/call.ts'
import { type KeyFetch, toldBy } from '../key-fetch.ts'
import type { DeliveredOption, SubscriptionOwner } from '../queries.ts'
import { noticeOptionRefusals, type Withheld } from './refusal.ts'

/** Whether the device that asks may have the subscription, and each option in it. */

/** Of all but a device that is not known yet. */
const judgeKnown = (
  owner: SubscriptionOwner,
  { device }: KeyFetch,
): Exclude<DeviceVerdict, 'new'> | undefined => {
  if (device === null) return judgeNameless(owner, owner.has_blocked)
  if (owner.device_id === null) return undefined
  return owner.is_device_blocked ? 'blocked' : 'served'
}

/** A device that is not known yet. Undefined when the key has been replaced since the owner was found. */
const admit = async (
  { db }: Services,
  owner: SubscriptionOwner,
  { keyHash, device, headers, now }: KeyFetch,
): Promise<Exclude<DeviceVerdict, 'new'> | undefined> => {
  if (device === null) return undefined
  const { id: subscriptionId, user_id: userId } = owner
  const cameWith = { subscriptionId, keyHash }
  const { hash: hwidHash, isFingerprint, foundBy } = device
  const told = toldBy(headers)
  return admitDevice(db, owner, {
    userId,
    subscriptionId,
    cameWith,
    hwidHash,
    isFingerprint,
    foundBy,
    told,
    now,
  })
}

const nothingWithheld: ReadonlyMap<number, Withheld> = new Map()

const admitToOption = async (
  { db, vault }: Services,
  owner: SubscriptionOwner,
  option: DeliveredOption,
  { keyHash, device, headers, now }: KeyFetch,
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
    isFingerprint: device.isFingerprint,
    foundBy: device.foundBy,
    hwidSealed: vault.seal(device.hwid, hwidContext),
    told: toldBy(headers),
    now,
  })
}

/** What is withheld from the device, by the term of the option. Undefined when the key has been replaced. */
const admitToOptions = async (
  services: Services,
  owner: SubscriptionOwner,
  fetch: KeyFetch,
): Promise<ReadonlyMap<number, Withheld> | undefined> => {
  const withheld = new Map<number, Withheld>()
  for (const option of owner.options) {
    const reason = await admitToOption(services, owner, option, fetch)
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
const hasMoreToDo = (owner: SubscriptionOwner, { now }: KeyFetch): boolean =>
  owner.options.length > 0 || isDue(owner, now)

/** Devices that were known before have come again; the answer does not depend on whether this could be written. */
const noteSeen = async (
  { seenDevices, log }: Services,
  owner: SubscriptionOwner,
  { device, headers, now: at }: KeyFetch,
): Promise<void> => {
  const isOwnDue = isDue(owner, at)
  const options = owner.options.filter((one) => isDue(one, at))
  if (!isOwnDue && options.length === 0) return
  const seen = { told: toldBy(headers), at, foundBy: device?.foundBy }
  const own = isOwnDue ? [{ ...seen, id: owner.device_id as number }] : []
  const ofOptions = options.map(({ device_id: id }) => ({ ...seen, id: id as number, cameBy: owner.id }))
  try {
    await seenDevices.note([...own, ...ofOptions])
  } catch (err) {
    log.warn({ err }, 'a device was served without being marked as seen')
  }
}

const admitFurther = async (
  services: Services,
  owner: SubscriptionOwner,
  fetch: KeyFetch,
  isBrowser: boolean,
): Promise<ReadonlyMap<number, Withheld> | undefined> => {
  const [withheld] = await Promise.all([
    admitToOptions(services, owner, fetch),
    noteSeen(services, owner, fetch),
  ])
  if (withheld && !isBrowser) await noticeOptionRefusals(services.db, owner, withheld, fetch.now)
  return withheld
}

/** What is withheld, by the term of an option; the entries are hidden from a browser where devices are counted. */
export interface Admitted {
  readonly withheld: ReadonlyMap<number, Withheld>
  readonly isHidden: boolean
}

/** Undefined when the key has been replaced since the owner was found. */
export const admitFetch = async (
  services: Services,
  owner: SubscriptionOwner,
  fetch: KeyFetch,
  isBrowser: boolean,
  canHideEntries: boolean,
): Promise<Admitted | { readonly refusal: DeviceRefusal } | undefined> => {
  const verdict = judgeKnown(owner, fetch) ?? (await admit(services, owner, fetch))
  if (!verdict) return undefined
  const isHidden = canHideEntries && verdict === 'no_hwid'
  if (verdict !== 'served' && !isHidden) return { refusal: verdict }
  const withheld = hasMoreToDo(owner, fetch)
    ? await admitFurther(services, owner, fetch, isBrowser)
    : nothingWithheld
  return withheld && { withheld, isHidden }
}
