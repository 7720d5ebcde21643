import type { cloudServers } from '@sallyport/contract/customer/cloud-servers/cloud-servers'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { Handlers } from '../../core/call.ts'
import { findStatsNode, lockOwn, requireOwn } from '../../core/clouds/customer-machines.ts'
import { changeMachine } from '../../core/clouds/machines.ts'
import { serverStats } from '../../core/fleet/server-stats.ts'
import { requireTariffDays } from '../../core/terms/auto-renewal.ts'
import { setAutoRenewal } from '../../core/terms/terms.ts'
import { requireOn } from '../../core/vpn/access/locked-access.ts'
import { inTransaction } from '../../db/client.ts'
import { configHandlers } from './configs.ts'
import { soldAs } from './product.ts'
import { proxyHandlers } from './proxies.ts'
import { renewCloudServer } from './renewal.ts'
import { shopHandlers } from './shop.ts'

/** Told that it restarts, a customer has a moment to leave. */
const rebootInSeconds = 3

/** The specification's part "Cloud servers". */
export const cloudServerHandlers: Handlers<typeof cloudServers> = {
  ...shopHandlers,
  ...configHandlers,
  ...proxyHandlers,
  renewCloudServer,

  showCloudServerStats: async ({ db, userId, params, now }) => {
    const own = await requireOwn(db, userId, params.id, now)
    const node = own.address === null ? undefined : await findStatsNode(db, own)
    if (node) return serverStats(db, node, now)
    return { host: own.address ?? '', status: 'down', uptime_days: 0, cpu_model: '', stats: [] }
  },

  rebootCloudServer: ({ db, userId, params, now }) =>
    inTransaction(db, async (tx) => {
      const { term, machine } = await lockOwn(tx, userId, params.id)
      requireOn(term, now, 'id')
      if (machine.status !== 'active' || machine.address === null) {
        throw badRequest('id', 'is not ready yet; wait until its status is active')
      }
      // One that is restarting already does what was asked.
      const isUnderWay = machine.reboot_at !== null || machine.rebooting_since !== null
      const at = now + rebootInSeconds
      if (!isUnderWay) await changeMachine(tx, machine, { reboot_at: at, next_step_at: at })
      return { success: true }
    }),

  switchCloudAutoRenewal: async ({ db, userId, params, body, now }) => {
    const own = await requireOwn(db, userId, params.id, now)
    const item = { product: 'cloud_servers', itemId: params.id } as const
    const sold = { ...soldAs(own.configuration_id), ...item }
    const days = body.enabled ? await requireTariffDays(db, sold, body.days) : null
    if (!(await setAutoRenewal(db, userId, item, days))) throw new ApiError('NOT_FOUND')
    return { auto_renewal: body.enabled, auto_renewal_days: days }
  },
}
