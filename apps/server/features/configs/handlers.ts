import { randomBytes } from 'node:crypto'
import type { configs } from '@sallyport/contract/configs'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { UserConfig } from '@sallyport/contract/shapes'
import type { Endpoint } from '@sallyport/domain/endpoint'
import { shown } from '@sallyport/domain/money'
import { oldPriceFor, type PriceSteps, priceFor, type Rule } from '@sallyport/domain/pricing'
import { connectionUrl } from '@sallyport/domain/render/link'
import type { Handlers } from '../../core/call.ts'
import { endpointsOf } from '../../core/endpoints.ts'
import { fulfilOrder, payFromBalance } from '../../core/orders.ts'
import { place } from '../../core/placements.ts'
import { findPricingRules, type ListedPrice, listPrices } from '../../core/prices.ts'
import { claimSlot, listAvailable } from '../../core/servers.ts'
import type { Vault } from '../../core/vault.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { type Purchase, readPurchase } from './purchase.ts'
import { type ConfigRow, findConfig, insertConfig, listConfigs } from './queries.ts'

const secondsInDay = 86_400
const maxPageSize = 1000

const toUserConfig = (row: ConfigRow, endpoint: Endpoint): UserConfig => ({
  id: row.id,
  connection_url: connectionUrl(endpoint),
  title: row.title,
  location_id: row.location_id,
  server_id: row.server_id,
  protocol: row.protocol,
  expires_at: row.expires_at,
  created_at: row.created_at,
  is_extended_settings_enabled: row.options.includes('use_extended_settings'),
  ...(row.flags.length > 0 && { flags: row.flags }),
  is_online: row.is_online,
  auto_renewal: row.auto_renewal,
  auto_renewal_days: row.auto_renewal_days,
})

const toUserConfigs = (vault: Vault, rows: readonly ConfigRow[]): UserConfig[] => {
  const endpoints = endpointsOf(vault, rows)
  return rows.map((row, at) => toUserConfig(row, endpoints[at] as Endpoint))
}

const priceOf = (listed: ListedPrice, rules: readonly Rule[]): PriceSteps =>
  priceFor(listed.price, rules, { productClass: 'configs', productId: listed.tariff_id }, listed.min_amount)

/** The price that will be charged, from the same list and rules that were shown. */
const quote = async (tx: Db, userId: number, purchase: Purchase) => {
  const [prices, rules] = [await listPrices(tx, 'configs'), await findPricingRules(tx, userId)]
  const ofMethod = prices.filter((price) => price.method_id === purchase.paymentMethodId)
  if (ofMethod.length === 0) throw new ApiError('PAYMENT_METHOD_UNAVAILABLE')
  const listed = ofMethod.find((price) => price.tariff_id === purchase.tariffId)
  if (!listed)
    throw badRequest('tariff_id', 'is not a tariff of this payment method; see GET /configs/tariffs')
  if (listed.method_key !== 'balance') throw new ApiError('PAYMENT_METHOD_UNAVAILABLE')
  return { days: listed.days, price: priceOf(listed, rules) }
}

/** Personal instances are not offered by any server yet, so extended settings find none. */
const claimServer = async (tx: Db, purchase: Purchase, now: number) => {
  const { locationId, protocol, serverId } = purchase
  const needsOwnInstance = purchase.options.includes('use_extended_settings')
  const server = needsOwnInstance ? undefined : await claimSlot(tx, { locationId, protocol, serverId, now })
  if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
  return server
}

export const configHandlers: Handlers<typeof configs> = {
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
      const { paymentMethodId, tariffId, locationId, protocol, options } = purchase
      const orderId = await payFromBalance(tx, {
        userId,
        product: 'configs',
        paymentMethodId,
        tariffId,
        days,
        price,
        now,
      })
      const server = await claimServer(tx, purchase, now)
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
      await fulfilOrder(tx, orderId, configId, now)
      await place(tx, bus, { nodeId: server.node_id, serverId: server.id, configId, isPresent: true })
      const row = (await findConfig(tx, userId, now, configId)) as ConfigRow
      return toUserConfigs(vault, [row])[0] as UserConfig
    })
  },
}
