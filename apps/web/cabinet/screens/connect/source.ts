import { useEffect, useMemo } from 'preact/hooks'
import { api } from '../../../lib/api.ts'
import { page } from '../../../lib/page.ts'
import { type Resource, resource, useResource } from '../../../lib/resource.ts'
import { subscriptionAddress } from '../../addresses/subscription-address.ts'
import { to } from '../../paths.ts'
import type { Seen } from './device.ts'
import { everything, type Held, heldIn } from './held.ts'

/** Whose link is connected: the account's, or a separate one. */

export interface Source {
  /** Undefined of the account. */
  readonly id: number | undefined
  readonly key: string
  /** What apps fetch. */
  readonly address: string
  readonly title: string
  /** Where its devices are let in. */
  readonly devicesPage: string
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
  address: subscriptionAddress(key),
  title,
  devicesPage: id === undefined ? to('/devices') : to('/subscriptions/:id', { id }),
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

/** Everything, until a separate link has told. */
export const useHeld = (id: number | undefined): Held => {
  const read = useMemo(
    () =>
      id === undefined
        ? undefined
        : resource(`subscription/${id}`, () => api.showCustomSubscription({ params: { id } }), {
            keep: true,
          }),
    [id],
  )
  useEffect(() => void read?.reload(), [read])
  const items = read?.data.value?.items
  return useMemo(() => (items ? heldIn(items) : everything), [items])
}

export const devicesOf = (id: number | undefined): Resource<Devices> => {
  const query = { page: 1, limit: 20 }
  return id === undefined
    ? (resource('devices', () => api.listDevices({ query })) as unknown as Resource<Devices>)
    : (resource(`subscription-devices/${id}`, () =>
        api.listSubscriptionDevices({ params: { id }, query }),
      ) as unknown as Resource<Devices>)
}
