import { api } from '../../../lib/api.ts'
import { page } from '../../../lib/page.ts'
import { type Resource, resource, useResource } from '../../../lib/resource.ts'
import type { Seen } from './device.ts'

/** Whose link is connected: the account's, or that of a subscription put together from it. */

export interface Source {
  /** Undefined of the account. */
  readonly id: number | undefined
  readonly key: string
  /** What apps fetch. */
  readonly address: string
  readonly title: string
}

export interface NamedDevice extends Seen {
  readonly device_name: string
}

export interface Devices {
  readonly devices: readonly NamedDevice[]
  readonly settings?: { readonly device_limit: number }
}

const sourceOf = (key: string, title: string, id?: number): Source => ({
  id,
  key,
  address: `${page.origin || location.origin}/sub/${key}`,
  title,
})

/** Null where there is no such link. */
export const useSource = (id: number | undefined): [Resource<unknown>, Source | null] => {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  const own = resource('custom-subscriptions', () => api.listCustomSubscriptions(), { keep: true })
  if (id === undefined) {
    const key = profile.data.value?.subscription_key
    return [profile, key ? sourceOf(key, page.name) : null]
  }
  const one = own.data.value?.find((subscription) => subscription.id === id)
  return [own, one ? sourceOf(one.subscription_key, one.title, id) : null]
}

export const devicesOf = (id: number | undefined): Resource<Devices> => {
  const query = { page: 1, limit: 20 }
  return id === undefined
    ? (resource('devices', () => api.listDevices({ query })) as unknown as Resource<Devices>)
    : (resource(`subscription-devices/${id}`, () =>
        api.listSubscriptionDevices({ params: { id }, query }),
      ) as unknown as Resource<Devices>)
}
