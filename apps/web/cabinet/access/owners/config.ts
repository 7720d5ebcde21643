import type { UserConfig } from '@sallyport/contract/customer/shapes'
import { api } from '../../../lib/api.ts'
import { once } from '../../../lib/once.ts'
import { type Access, type Keeper, reachedAnew, settledAnew } from '../access.ts'
import { noneIfMissing } from './none.ts'

const pageSize = 20

/** One configuration: the list is read page by page until it comes. */
export const readConfig = async (id: number): Promise<UserConfig | null> => {
  for (let offset = 0; ; offset += pageSize) {
    const page = await api.listConfigs({ query: { limit: pageSize, ...(offset > 0 && { offset }) } })
    const found = page.find((config) => config.id === id)
    if (found) return found
    if (page.length < pageSize) return null
  }
}

const proxyOf = (id: number): NonNullable<Access['proxy']> => {
  const params = { config_id: id }
  return {
    hasDomain: true,
    show: () => noneIfMissing(api.showSubconfig({ params })),
    create: (protocol, tlsDomain) => {
      const body = { protocol, ...(tlsDomain && { tls_domain: tlsDomain }) }
      return once('createSubconfig', { id, body }, (idempotencyKey) =>
        api.createSubconfig({ params, body, idempotencyKey }),
      )
    },
    change: (protocol) => api.changeSubconfig({ params, body: { protocol } }),
    remove: () => api.deleteSubconfig({ params }),
  }
}

export const configAccess = (
  config: UserConfig,
  usualName: string,
  { set, reload }: Keeper<UserConfig>,
): Access => {
  const { id } = config
  const params = { config_id: id }
  const reached = async (answer: Promise<Parameters<typeof reachedAnew>[1]>) =>
    set(reachedAnew(config, await answer))
  return {
    ...config,
    kind: 'config',
    reload,
    usualName,
    isExtended: config.is_extended_settings_enabled ?? false,
    locationId: config.location_id,
    place: config.flags?.includes('noChangeCountry') ? 'fixed' : 'chosen',
    rename: async (title) => {
      await api.changeConfigTitle({ params, body: { title } })
      set({ ...config, title })
    },
    change: async ({ protocol, locationId = config.location_id, serverId, switches }) => {
      const answer = await api.changeConfigSettings({
        params,
        body: {
          location_id: locationId,
          protocol,
          ...(serverId !== undefined && { server_id: serverId }),
          ...switches,
        },
      })
      set({ ...settledAnew(config, answer), protocol, location_id: locationId })
    },
    servers: (locationId = config.location_id, protocol) =>
      api.listAvailableServers({ query: { location_id: locationId, protocol } }),
    saveXray: (text, publicKey) =>
      reached(api.changeXrayConfig({ params, body: { xray_config: text, public_key: publicKey } })),
    resetXray: () => reached(api.resetXrayConfig({ params })),
    resetCredentials: () => reached(api.resetConfigCredentials({ params })),
    saveAwg: (body) => reached(api.changeAwgConfig({ params, body })),
    stats: () => api.showServerStats({ params }),
    proxy: proxyOf(id),
  }
}
