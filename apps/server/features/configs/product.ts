import { randomBytes } from 'node:crypto'
import { ApiError } from '@sallyport/contract/errors'
import type { OptionName, Protocol } from '@sallyport/contract/shapes'
import { endOf, secondsInDay } from '@sallyport/domain/time/period'
import { place } from '../../core/fleet/placements.ts'
import { type ClaimedServer, claimSlot, listAvailable, type ServerChoice } from '../../core/fleet/servers.ts'
import { notify } from '../../core/kernel/notifications.ts'
import { listTariffDays } from '../../core/sales/prices.ts'
import type { Granter, PaidOrder, Product } from '../../core/sales/products.ts'
import { renewBeforeSeconds } from '../../core/terms/auto-renewal.ts'
import { renewableSeconds } from '../../core/terms/config-expiry.ts'
import { forgetReminders } from '../../core/terms/reminders.ts'
import { furnish, storeFurniture } from '../../core/vpn/homes.ts'
import type { Db } from '../../db/client.ts'
import { type Mover, moveConfig } from './moving.ts'
import {
  type HeldConfig,
  holdConfigAndCustomer,
  holdConfigOfOrder,
  insertConfig,
  listGrants,
  updateConfig,
} from './queries.ts'

/** How configurations are granted and taken back, whenever and however they were paid. */

/** What is kept in the order of a new configuration. */
export interface ConfigPurchase {
  readonly locationId: number
  readonly protocol: Protocol
  readonly serverId: number | undefined
  readonly options: readonly OptionName[]
  readonly enableAutoRenewal: boolean
}

/** What is kept in the order of a renewal. */
export interface RenewalPurchase {
  /** Left as it is when not said. */
  readonly enableAutoRenewal?: boolean | undefined
}

/** Better said before the customer pays than after. */
export const requireRoom = async (
  tx: Db,
  wanted: Pick<ConfigPurchase, 'locationId' | 'protocol'> & { readonly serverId?: number | undefined },
  now: number,
): Promise<void> => {
  const { locationId, protocol, serverId } = wanted
  const servers = await listAvailable(tx, { locationId, protocol, preferredId: serverId, now })
  if (servers.length === 0) throw new ApiError('NO_SERVER_AVAILABLE')
}

/** Renewed for as long as a tariff lasts: the one just bought, or the longest below a promocode's days. */
const renewalDays = async (tx: Db, days: number): Promise<number | null> => {
  const offered = await listTariffDays(tx, 'configs')
  return offered.findLast((length) => length <= days) ?? offered[0] ?? null
}

/** Of the preferred server or another of the location, also when the preferred one is no longer a server there. */
const claimAnyhow = async (tx: Db, choice: ServerChoice): Promise<ClaimedServer | undefined> =>
  (await claimSlot(tx, choice)) ?? claimSlot(tx, { ...choice, preferredId: undefined })

const claim = (tx: Db, at: Granter, { locationId, protocol, serverId }: ConfigPurchase) => {
  const choice = { locationId, protocol, preferredId: serverId, now: at.now }
  return at.isLate ? claimAnyhow(tx, choice) : claimSlot(tx, choice)
}

const makeConfig = async (tx: Db, at: Granter, order: PaidOrder): Promise<number> => {
  const { vault, bus, now } = at
  const purchase = order.purchase as unknown as ConfigPurchase
  const { protocol, options, locationId } = purchase
  const server = await claim(tx, at, purchase)
  if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
  const configId = await insertConfig(tx, {
    userId: order.userId,
    serverId: server.id,
    locationId,
    protocol,
    options,
    credentialNonce: randomBytes(16),
    autoRenewalDays: purchase.enableAutoRenewal ? await renewalDays(tx, order.days) : null,
    expiresAt: now + order.days * secondsInDay,
    now,
  })
  const furniture = await furnish(tx, { vault, now }, configId, { nodeId: server.node_id, protocol, options })
  if (furniture.port !== null || furniture.tunnel_host !== null) {
    await storeFurniture(tx, configId, furniture)
  }
  await place(tx, bus, { nodeId: server.node_id, serverId: server.id, configId, isPresent: true })
  return configId
}

/** What has ended gave its slot away: its own server first, or else another of the location. */
const bringBack = async (tx: Db, mover: Mover, config: HeldConfig): Promise<void> => {
  const { location_id: locationId, protocol } = config
  const choice = { locationId, protocol, preferredId: config.server_id, now: mover.now }
  const server = await claimAnyhow(tx, choice)
  if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
  await updateConfig(tx, config.id, { state: 'active' })
  await moveConfig(tx, mover, config, { ...config, nodeId: server.node_id, serverId: server.id, locationId })
}

const requireRenewable = (config: HeldConfig | undefined, now: number): HeldConfig => {
  if (!config || config.expires_at + renewableSeconds <= now) throw new ApiError('NOT_FOUND')
  return config
}

/** A configuration of this customer that can still be renewed, held until the transaction ends. */
export const holdRenewable = async (tx: Db, userId: number, id: number, now: number): Promise<HeldConfig> =>
  requireRenewable(await holdConfigAndCustomer(tx, userId, id), now)

const renew = async (tx: Db, at: Granter, order: PaidOrder): Promise<number> => {
  const config = requireRenewable(await holdConfigOfOrder(tx, order.itemId as number), at.now)
  const { enableAutoRenewal } = order.purchase as RenewalPurchase
  // Whoever paid for the days of what is another customer's by now does not decide about that customer's balance.
  const changesAutoRenewal = enableAutoRenewal !== undefined && config.user_id === order.userId
  await updateConfig(tx, config.id, {
    expires_at: Math.max(at.now, config.expires_at) + order.days * secondsInDay,
    renewal_tried_at: null,
    ...(changesAutoRenewal && {
      auto_renewal: enableAutoRenewal,
      auto_renewal_days: enableAutoRenewal ? await renewalDays(tx, order.days) : null,
    }),
  })
  await forgetReminders(tx, { userId: config.user_id, configId: config.id })
  if (config.state === 'expired') await bringBack(tx, at, config)
  return config.id
}

/** It was moved to another account since: its present owner did not ask for anything, and loses days. */
const tellOwner = async (
  tx: Db,
  order: PaidOrder,
  owned: { readonly config: HeldConfig; readonly expiresAt: number; readonly now: number },
): Promise<void> => {
  const { config, expiresAt, now } = owned
  const days = Math.ceil((config.expires_at - expiresAt) / secondsInDay)
  if (config.user_id === order.userId || days <= 0) return
  await notify(tx, {
    userId: config.user_id,
    cause: `order:${order.id}:taken`,
    ru: `Прежнему владельцу вернули оплату, поэтому срок конфигурации № ${config.id} стал короче (дней: ${days}).`,
    en: `The earlier owner's payment was refunded, so configuration ${config.id} ends earlier (days: ${days}).`,
    now,
  })
}

export const configProduct: Product = {
  name: 'configs',

  describe: ({ days, isRenewal }) =>
    isRenewal
      ? { ru: `Продление VPN-конфигурации на ${days} дн.`, en: `VPN configuration, ${days} more days` }
      : { ru: `VPN-конфигурация на ${days} дн.`, en: `VPN configuration for ${days} days` },

  grant: (tx, at, order) => (order.isRenewal ? renew(tx, at, order) : makeConfig(tx, at, order)),

  /** What the other orders gave stays; what has nothing left is switched off by the next round of expiry. */
  revoke: async (tx, at, order) => {
    const config = order.itemId === null ? undefined : await holdConfigOfOrder(tx, order.itemId)
    if (config?.state !== 'active') return
    const rest = await listGrants(tx, config.id, order.id)
    const expiresAt = Math.min(config.expires_at, Math.max(at.now, endOf(rest)))
    // Renewed automatically right now, it would spend the money that is just given back.
    const isEnding = expiresAt <= at.now + renewBeforeSeconds
    await updateConfig(tx, config.id, {
      expires_at: expiresAt,
      ...(isEnding && { auto_renewal: false, auto_renewal_days: null }),
    })
    await forgetReminders(tx, { userId: config.user_id, configId: config.id })
    await tellOwner(tx, order, { config, expiresAt, now: at.now })
  },
}
