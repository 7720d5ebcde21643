import { computed, type Signal } from '@preact/signals'
import type { Resource } from '../../lib/resource.ts'

/** Devices that fetch a link, the account's or that of a subscription put together: the list is the same. */

export interface Device {
  readonly id: number
  readonly device_name: string
  readonly device_type: string
  readonly os_version: string
  readonly is_blocked: boolean
  readonly last_seen_at: number
  /** The app names no device. */
  readonly is_fingerprinted?: boolean
}

export interface DevicesPage {
  readonly devices: readonly Device[]
  readonly total: number
  readonly limit: number
}

export interface DeviceRules {
  readonly block_unknown_devices: boolean
  readonly device_limit: number
}

export interface DeviceSource {
  /** Of the device that shows this, where it is known. */
  readonly own: number | undefined
  /** Where a device is connected. */
  readonly connect: string
  /** From 1. The same page is the same resource. */
  pageOf(page: number): Resource<DevicesPage>
  readonly rules: Resource<DeviceRules>
  change(rules: Partial<DeviceRules>): Promise<DeviceRules>
  block(id: number, isBlocked: boolean): Promise<unknown>
  remove(id: number): Promise<unknown>
  removeAll(): Promise<unknown>
}

export const pageSize = 20

/** A part of something that was read, as if it had been read alone. */
export const partOf = <W, P>(
  whole: Resource<W>,
  take: (whole: W) => P,
  put: (whole: W, part: P) => W,
): Resource<P> => ({
  ...whole,
  data: computed(() => (whole.data.value === undefined ? undefined : take(whole.data.value))) as Signal<
    P | undefined
  >,
  set: (part) => {
    if (whole.data.value !== undefined) whole.set(put(whole.data.value, part))
  },
})
