import type { configs } from '@sallyport/contract/customer/configs'
import type { UserConfig } from '@sallyport/contract/shapes'
import { shown } from '@sallyport/domain/money/money'
import { oldPriceFor } from '@sallyport/domain/money/pricing'
import type { Handlers } from '../../core/call.ts'
import { listAvailable } from '../../core/fleet/servers.ts'
import { AwaitingLink } from '../../core/sales/awaiting-link.ts'
import { checkout } from '../../core/sales/checkout.ts'
import { findPricingRules, type ListedPrice, listPrices, priceOf } from '../../core/sales/prices.ts'
import { inTransaction } from '../../db/client.ts'
import { type ConfigPurchase, requireRoom } from './product.ts'
import { readPurchase } from './purchase.ts'
import { type ConfigRow, findConfig, listConfigs } from './queries.ts'
import { toUserConfigs } from './shown.ts'

/** Looking and buying. */

const maxPageSize = 1000

export const shopHandlers: Pick<
  Handlers<typeof configs>,
  'listConfigs' | 'listConfigTariffs' | 'listAvailableServers' | 'buyConfig'
> = {
  listConfigs: async ({ db, userId, vault, query, now }) => {
    const rows = await listConfigs(db, userId, now, query.limit ?? maxPageSize, query.offset ?? 0)
    return toUserConfigs(vault, rows)
  },

  listConfigTariffs: async (call) => {
    const { db, userId, language } = call
    const [prices, rules] = await Promise.all([listPrices(db, call, 'configs'), findPricingRules(db, userId)])
    const byMethod = Map.groupBy(prices, (price) => price.method_id)
    return [...byMethod.values()].map((ofMethod) => {
      const { method_id, name_ru, name_en, currency, min_amount } = ofMethod[0] as ListedPrice
      return {
        id: method_id,
        display_name: language === 'en' ? name_en : name_ru,
        currency,
        min_amount: shown(min_amount, currency),
        tariffs: ofMethod.map((listed) => {
          const steps = priceOf(listed, rules, 'configs')
          const oldPrice = oldPriceFor(steps, listed.old_price)
          return {
            id: listed.tariff_id,
            days: listed.days,
            price: shown(steps.charged, currency),
            ...(oldPrice !== undefined && { old_price: shown(oldPrice, currency) }),
          }
        }),
      }
    })
  },

  listAvailableServers: ({ db, query, now }) =>
    listAvailable(db, { locationId: query.location_id, protocol: query.protocol, now }),

  buyConfig: (call) => {
    const { userId, vault, now } = call
    const { payment, asKey, purchase } = readPurchase(call.body)
    return inTransaction(call.db, async (tx) => {
      const basket = { userId, product: 'configs', itemId: null, isRenewal: false, asKey, purchase } as const
      const outcome = await checkout(tx, call, basket, payment)
      if (outcome instanceof AwaitingLink) {
        if (!asKey) await requireRoom(tx, purchase as ConfigPurchase, now)
        return outcome
      }
      const { itemId, code, days } = outcome
      if (code !== null) return { promocode: code, days }
      const row = (await findConfig(tx, userId, now, itemId as number)) as ConfigRow
      return toUserConfigs(vault, [row])[0] as UserConfig
    })
  },
}
