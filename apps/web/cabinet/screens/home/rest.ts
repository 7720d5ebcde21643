import { signal } from '@preact/signals'
import type { UserConfig } from '@sallyport/contract/customer/shapes'
import { api } from '../../../lib/api.ts'
import { kept } from '../../../lib/kept.ts'
import { type Resource, resource } from '../../../lib/resource.ts'

/** What comes after the cards stand: what fewer people have, and what things are called. */

/** Beyond the first answer, once they were asked for. */
export const furtherConfigs = signal<readonly UserConfig[]>([])

export const rest = () => ({
  clouds: resource('clouds', () => api.listCloudServers(), { keep: true }),
  ended: resource('options/ended', async () =>
    (await api.listPaidOptions({ query: { with_ended: true } })).filter(({ status }) => status === 'expired'),
  ),
  locations: resource('locations', () => api.listLocations(), { keep: true }),
  optionTariffs: resource('option-tariffs', () => api.listPaidOptionTariffs(), { keep: true }),
  devices: resource('devices', () => api.listDevices({ query: { page: 1, limit: 20 } })),
})

/** A name from the last visit is as good until the answer is there. */
const named = <T>(name: string, { data }: Resource<T>): T | undefined =>
  data.value ?? kept<{ readonly data: T }>(`read:${name}`)?.data

export const locationOf = (id: number) =>
  named('locations', rest().locations)?.find((location) => location.id === id)

export const optionTitle = (id: number): string | undefined =>
  named('option-tariffs', rest().optionTariffs)?.find((option) => option.id === id)?.title

/** No name is known, and one may still come. */
export const mayCome = ({ data, isLoading }: Resource<unknown>): boolean =>
  isLoading.value && data.value === undefined

/** The device that was connected here is still one of the account's. */
export const isConnected = (): boolean => {
  const id = kept<number>('device:this')
  if (id === undefined) return kept<boolean>('connected') ?? false
  const known = rest().devices.data.value
  return known === undefined || known.total > known.limit || known.devices.some((device) => device.id === id)
}
