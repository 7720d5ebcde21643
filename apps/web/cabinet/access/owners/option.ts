import type { PaidOptionConfig } from '@sallyport/contract/customer/paid-options/shapes'
import { api } from '../../../lib/api.ts'
import { once } from '../../../lib/once.ts'
import { type Access, type Keeper, reachedAnew, settledAnew } from '../access.ts'
import { noneIfMissing } from './none.ts'

const proxyOf = (params: {
  readonly id: number
  readonly configId: number
}): NonNullable<Access['proxy']> => ({
  hasDomain: false,
  show: () => noneIfMissing(api.showOptionSubconfig({ params })),
  create: (protocol) =>
    once('createOptionSubconfig', { params, protocol }, (idempotencyKey) =>
      api.createOptionSubconfig({ params, body: { protocol }, idempotencyKey }),
    ),
  change: (protocol) => api.changeOptionSubconfig({ params, body: { protocol } }),
  remove: () => api.deleteOptionSubconfig({ params }),
})

/** What only those have that the customer added: the others follow the option. */
const changesOf = (
  optionId: number,
  config: PaidOptionConfig,
  set: (config: PaidOptionConfig) => void,
): Partial<Access> => {
  const params = { id: optionId, configId: config.id }
  const reached = async (answer: Promise<Parameters<typeof reachedAnew>[1]>) =>
    set(reachedAnew(config, await answer))
  return {
    change: async ({ protocol, serverId, switches }) => {
      const body = { protocol, ...(serverId !== undefined && { server_id: serverId }), ...switches }
      const answer = await api.changeOptionConfigSettings({ params, body })
      set({ ...settledAnew(config, answer), protocol })
    },
    servers: (_, protocol) => api.listOptionServers({ params: { id: optionId }, query: { protocol } }),
    saveXray: (text, publicKey) =>
      reached(api.changeOptionXrayConfig({ params, body: { xray_config: text, public_key: publicKey } })),
    resetXray: () => reached(api.resetOptionXrayConfig({ params })),
  }
}

export const optionAccess = (
  optionId: number,
  config: PaidOptionConfig,
  { set, reload }: Keeper<PaidOptionConfig>,
): Access => {
  const params = { id: optionId, configId: config.id }
  return {
    ...config,
    kind: 'paid_option',
    reload,
    title: config.custom_title,
    usualName: config.original_title,
    isExtended: config.is_extended_settings_enabled,
    locationId: undefined,
    place: 'none',
    rename: async (title) => {
      await api.changeOptionConfigTitle({ params, body: { title } })
      set({ ...config, custom_title: title, title: title ?? config.original_title })
    },
    resetCredentials: async () =>
      set(reachedAnew(config, await api.resetOptionConfigCredentials({ params }))),
    stats: () => api.showOptionConfigStats({ params }),
    proxy: proxyOf(params),
    ...(config.is_added && changesOf(optionId, config, set)),
  }
}
