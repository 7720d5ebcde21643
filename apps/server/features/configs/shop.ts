import { randomBytes } from 'node:crypto'
import type { configs } from '@sallyport/contract/configs'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { UserConfig } from '@sallyport/contract/shapes'
import { shown } from '@sallyport/domain/money'
import { oldPriceFor, type PriceSteps, priceFor, type Rule } from '@sallyport/domain/pricing'
import type { Handlers } from '../../core/call.ts'
import { furnish, storeFurniture } from '../../core/homes.ts'
import { fulfilOrder, payFromBalance } from '../../core/orders.ts'
import { place } from '../../core/placements.ts'
import { findPricingRules, type ListedPrice, listPrices } from '../../core/prices.ts'
import { claimSlot, listAvailable } from '../../core/servers.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { readPurchase } from './purchase.ts'
import { type ConfigRow, findConfig, insertConfig, listConfigs } from './queries.ts'
import { toUserConfigs } from './shown.ts'

/** Looking and buying. */

export const secondsInDay = 86_400
const maxPageSize = 1000

const priceOf = (listed: ListedPrice, rules: readonly Rule[]): PriceSteps =>
  priceFor(listed.price, rules, { productClass: 'configs', productId: listed.tariff_id }, listed.min_amount)

/** The price that will be charged, from the same list and rules that were shown. */
export const quote = async (
  tx: Db,
  userId: number,
  wanted: { readonly paymentMethodId: number; readonly tariffId: number },
) => {
  const [prices, rules] = [await listPrices(tx, 'configs'), await findPricingRules(tx, userId)]
  const ofMethod = prices.filter((price) => price.method_id === wanted.paymentMethodId)
  if (ofMethod.length === 0) throw new ApiError('PAYMENT_METHOD_UNAVAILABLE')
  const listed = ofMethod.find((price) => price.tariff_id === wanted.tariffId)
  if (!listed)
    throw badRequest('tariff_id', 'is not a tariff of this payment method; see GET /configs/tariffs')
  if (listed.method_key !== 'balance') throw new ApiError('PAYMENT_METHOD_UNAVAILABLE')
  return { days: listed.days, price: priceOf(listed, rules) }
}

export const shopHandlers: Pick<
  Handlers<typeof configs>,
  'listConfigs' | 'listConfigTariffs' | 'listAvailableServers' | 'buyConfig'
> = {
  listConfigs: async ({ db, userId, vault, query, now }) => {
    const rows = await listConfigs(db, userId, now, query.limit ?? maxPageSize, query.offset ?? 0)
    return toUserConfigs(vault, rows)
  },

  listConfigTariffs: async ({ db, userId, language }) => {
    const [prices, rules] = await Promise.all([listPrices(db, 'configs'), findPricingRules(db, userId)])
    const byMethod = Map.groupBy(prices, (price) => price.method_id)
    return [...byMethod.values()].map((ofMethod) => {
      const { method_id, name_ru, name_en, currency, min_amount } = ofMethod[0] as ListedPrice
      return {
        id: method_id,
        display_name: language === 'en' ? name_en : name_ru,
        currency,
        min_amount: shown(min_amount, currency),
        tariffs: ofMethod.map((listed) => {
          const steps = priceOf(listed, rules)
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
    const { userId, vault, bus, now } = call
    const purchase = readPurchase(call.body)
    return inTransaction(call.db, async (tx) => {
      const { days, price } = await quote(tx, userId, purchase)
      const { paymentMethodId, tariffId, locationId, protocol, serverId, options } = purchase
      const paid = { userId, product: 'configs', paymentMethodId, tariffId, days, price, now } as const
      const orderId = await payFromBalance(tx, paid)
      const server = await claimSlot(tx, { locationId, protocol, serverId, now })
      if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
      const configId = await insertConfig(tx, {
        userId,
        serverId: server.id,
        locationId,
        protocol,
        options,
        credentialNonce: randomBytes(16),
        autoRenewalDays: purchase.enableAutoRenewal ? days : null,
        expiresAt: now + days * secondsInDay,
        now,
      })
      const home = { nodeId: server.node_id, protocol, options }
      const furniture = await furnish(tx, { vault, now }, configId, home)
      if (furniture.port !== null || furniture.tunnel_host !== null) {
        await storeFurniture(tx, configId, furniture)
      }
      await fulfilOrder(tx, orderId, configId, now)
      await place(tx, bus, { nodeId: server.node_id, serverId: server.id, configId, isPresent: true })
      const row = (await findConfig(tx, userId, now, configId)) as ConfigRow
      return toUserConfigs(vault, [row])[0] as UserConfig
    })
  },
}
