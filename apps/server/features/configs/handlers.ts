import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError } from '@sallyport/contract/errors'
import type { Handlers, Services } from '../../core/call.ts'
import { requireTariffDays } from '../../core/terms/auto-renewal.ts'
import { setAutoRenewal } from '../../core/terms/terms.ts'
import { changeTitle, showStats } from '../../core/vpn/access/reads.ts'
import { changeAwg } from '../../core/vpn/operations/awg.ts'
import { makeBridge, showBridges, takeBridgeAway } from '../../core/vpn/operations/bridge-operations.ts'
import { addProxy, changeProxy, deleteProxy, showProxy } from '../../core/vpn/operations/proxy.ts'
import { resetCredentials } from '../../core/vpn/operations/renew-credentials.ts'
import { changeSettings } from '../../core/vpn/operations/settings.ts'
import { changeXrayConfig, resetXrayConfig } from '../../core/vpn/operations/xray-edit.ts'
import { ownerOf } from './owner.ts'
import { configSold } from './product.ts'
import { renewConfig } from './renewal.ts'
import { shopHandlers } from './shop.ts'

type OwnCall = Services & { readonly userId: number; readonly now: number }

const contextOf = (call: OwnCall) => ({ ...call, owner: ownerOf(call.userId) })

/** The specification's part "VPN configurations". Selling is in shop.ts and renewal.ts; the rest are accesses. */
export const configHandlers: Handlers<typeof configs> = {
  ...shopHandlers,
  renewConfig,

  switchAutoRenewal: async ({ db, userId, params, body }) => {
    const item = { product: 'configs', itemId: params.config_id } as const
    const days = body.enabled ? await requireTariffDays(db, { ...configSold, ...item }, body.days) : null
    if (!(await setAutoRenewal(db, userId, item, days))) throw new ApiError('NOT_FOUND')
    return { auto_renewal: body.enabled, auto_renewal_days: days }
  },

  changeConfigSettings: (call) => changeSettings(contextOf(call), call.params.config_id, call.body),
  changeConfigTitle: ({ db, userId, params, body }) =>
    changeTitle(db, ownerOf(userId), params.config_id, body.title),
  showServerStats: ({ db, userId, params, now }) => showStats(db, ownerOf(userId), params.config_id, now),

  changeXrayConfig: (call) => changeXrayConfig(contextOf(call), call.params.config_id, call.body),
  resetXrayConfig: (call) => resetXrayConfig(contextOf(call), call.params.config_id),
  resetConfigCredentials: (call) => resetCredentials(contextOf(call), call.params.config_id),
  changeAwgConfig: (call) => changeAwg(contextOf(call), call.params.config_id, call.body),

  showSubconfig: (call) => showProxy(contextOf(call), call.params.config_id),
  createSubconfig: (call) => addProxy(contextOf(call), call.params.config_id, call.body),
  changeSubconfig: (call) => changeProxy(contextOf(call), call.params.config_id, call.body),
  deleteSubconfig: (call) => deleteProxy(contextOf(call), call.params.config_id),

  makeBridge: (call) => {
    const { first_config_id, first_type, second_config_id, second_type } = call.body
    const [entry, exit] = [
      { type: first_type, id: first_config_id },
      { type: second_type, id: second_config_id },
    ]
    return makeBridge(call, entry, exit)
  },
  listBridges: showBridges,
  removeBridge: (call) => takeBridgeAway(call, call.params.bridge_id),
}
