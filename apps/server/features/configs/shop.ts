import type { configs } from '@sallyport/contract/customer/configs'
import type { UserConfig } from '@sallyport/contract/customer/shapes'
import type { Handlers } from '../../core/call.ts'
import { listAvailable } from '../../core/fleet/servers.ts'
import { AwaitingLink } from '../../core/sales/awaiting-link.ts'
import { checkout } from '../../core/sales/checkout.ts'
import { offered } from '../../core/sales/offered-prices.ts'
import { findPricingRules, listPrices } from '../../core/sales/prices.ts'
import { findAccess, listAccesses, type ShownAccess } from '../../core/vpn/access/reads.ts'
import { toUserConfigs } from '../../core/vpn/operations/config-view.ts'
import { requireRoom } from '../../core/vpn/operations/server-slots.ts'
import { inTransaction } from '../../db/client.ts'
import { ownerOf } from './owner.ts'
import { type ConfigPurchase, configSold } from './product.ts'
import { readPurchase } from './purchase.ts'

/** Looking and buying. */

const maxPageSize = 1000

export const shopHandlers: Pick<
  Handlers<typeof configs>,
  'listConfigs' | 'listConfigTariffs' | 'listAvailableServers' | 'buyConfig'
> = {
  listConfigs: async ({ db, userId, vault, query, now }) => {
    const page = { now, limit: query.limit ?? maxPageSize, offset: query.offset ?? 0 }
    const rows = await listAccesses(db, ownerOf(userId), page)
    return toUserConfigs(vault, rows)
  },

  listConfigTariffs: async (call) => {
    const { db, userId, language } = call
    const [prices, rules] = await Promise.all([
      listPrices(db, call, configSold),
      findPricingRules(db, userId),
    ])
    return offered(prices, rules, language)
  },

  listAvailableServers: ({ db, query, now }) =>
    listAvailable(db, { locationId: query.location_id, protocol: query.protocol, isNew: true, now }),

  buyConfig: (call) => {
    const { userId, vault, now } = call
    const { payment, asKey, purchase } = readPurchase(call.body)
    return inTransaction(call.db, async (tx) => {
      const what = { userId, product: 'configs', productId: null, itemId: null } as const
      const basket = { ...what, isRenewal: false, asKey, purchase }
      const outcome = await checkout(tx, call, basket, payment)
      if (outcome instanceof AwaitingLink) {
        if (!asKey) await requireRoom(tx, { ...(purchase as ConfigPurchase), isNew: true }, now)
        return outcome
      }
      const { itemId, code, days } = outcome
      if (code !== null) return { promocode: code, days }
      const row = (await findAccess(tx, ownerOf(userId), now, itemId as number)) as ShownAccess
      return toUserConfigs(vault, [row])[0] as UserConfig
    })
  },
}
