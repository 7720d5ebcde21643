import type { CloudConfig, CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import { api } from '../../../lib/api.ts'
import { type Access, type Keeper, type Reached, reachedAnew, settledAnew } from '../access.ts'

export const cloudAccess = (
  { id: server_id, location_id: locationId }: CloudServer,
  config: CloudConfig,
  usualName: string,
  { set, reload }: Keeper<CloudConfig>,
): Access => {
  const params = { server_id, id: config.id }
  const byConfig = { server_id, config_id: config.id }
  const reached = async (answer: Promise<Reached>) => set(reachedAnew(config, await answer))
  return {
    ...config,
    kind: 'cloud',
    reload,
    usualName,
    isExtended: config.is_extended_settings_enabled,
    locationId,
    place: 'none',
    rename: async (title) => {
      await api.changeCloudConfigTitle({ params, body: { title } })
      set({ ...config, title })
    },
    change: async ({ protocol, switches }) => {
      const answer = await api.changeCloudConfigProtocol({ params, body: { protocol, ...switches } })
      set({ ...settledAnew(config, answer), protocol })
    },
    saveXray: (text, publicKey) =>
      reached(api.changeCloudXrayConfig({ params, body: { xray_config: text, public_key: publicKey } })),
    resetXray: () => reached(api.resetCloudXrayConfig({ params: byConfig })),
    resetCredentials: () => reached(api.resetCloudConfigCredentials({ params: byConfig })),
    saveAwg: (body) => reached(api.changeCloudAwgConfig({ params: byConfig, body })),
    stats: () => api.showCloudServerStats({ params: { id: server_id } }),
  }
}
