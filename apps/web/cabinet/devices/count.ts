import type { DevicesPage } from './source.ts'

/** How many places are taken: the blocked take none. Undefined where only a part of the list is known. */
export const placesTaken = ({ devices, total }: DevicesPage): number | undefined =>
  devices.length < total ? undefined : devices.filter(({ is_blocked }) => !is_blocked).length

export const pagesOf = ({ total, limit }: DevicesPage): number => Math.max(1, Math.ceil(total / limit))

export const withBlocked = <P extends DevicesPage>(page: P, id: number, isBlocked: boolean): P => ({
  ...page,
  devices: page.devices.map((device) => (device.id === id ? { ...device, is_blocked: isBlocked } : device)),
})
