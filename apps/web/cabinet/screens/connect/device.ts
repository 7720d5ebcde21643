import type { Platform } from '@sallyport/domain/delivery/apps/app'
import { platformOf } from '@sallyport/domain/delivery/page/platform'

/** Which device this is, and whether it has come for its servers. */

interface Browser {
  readonly userAgent: string
  readonly maxTouchPoints: number
}

/** An iPad calls itself a Mac, yet no Mac has a screen to touch. */
export const ownPlatform = ({ userAgent, maxTouchPoints }: Browser): Platform | undefined => {
  const told = platformOf(userAgent)
  return told === 'macos' && maxTouchPoints > 1 ? 'ios' : told
}

export interface Seen {
  readonly id: number
  readonly device_type: string
  readonly is_blocked: boolean
  readonly last_seen_at: number
}

/** When each device was last seen before. */
export type Before = Readonly<Record<string, number>>

export const beforeOf = (devices: readonly Seen[]): Before =>
  Object.fromEntries(devices.map(({ id, last_seen_at }) => [id, last_seen_at]))

/** Televisions say that they are a phone or a computer of their maker's system. */
const fits = (platform: Platform, { device_type }: Seen): boolean =>
  platform === 'tv' || device_type === platform

/** The device that has fetched the subscription since: rather a new one than one that came again. */
export const arrivedSince = <D extends Seen>(
  before: Before,
  devices: readonly D[],
  platform: Platform,
): D | undefined => {
  const came = devices.filter(
    (device) =>
      !device.is_blocked && fits(platform, device) && device.last_seen_at > (before[device.id] ?? -1),
  )
  return came.find(({ id }) => !(id in before)) ?? came[0]
}

/** A tunnel is called as its file, and Linux and Android take 15 characters of ASCII. */
export const fileNameOf = (id: number): string => `${`vpn-${id}`.slice(0, 15)}.conf`
