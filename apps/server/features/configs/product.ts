import { ApiError } from '@sallyport/contract/errors'
import { protocols, switchNames } from '@sallyport/contract/shapes'
import { daysText } from '@sallyport/domain/text/counted'
import { secondsInDay } from '@sallyport/domain/time/period'
import { switchProblems } from '@sallyport/domain/vpn/switch-rules'
import Type, { type Static } from 'typebox'
import { claimSlot, noServerIn } from '../../core/fleet/servers.ts'
import { requireWish } from '../../core/sales/gift-wishes.ts'
import {
  type GiftWish,
  type GrantContext,
  type PaidOrder,
  purchaseReader,
} from '../../core/sales/products.ts'
import { renewalDays } from '../../core/terms/extend-term.ts'
import { soldForATime } from '../../core/terms/sold-for-a-time.ts'
import type { TermProduct } from '../../core/terms/term-product.ts'
import { insertTerm, type Term } from '../../core/terms/terms.ts'
import { type LockedAccess, readAccess } from '../../core/vpn/access/locked-access.ts'
import { nextAccessId } from '../../core/vpn/access/rows.ts'
import { createAccess } from '../../core/vpn/operations/create-access.ts'
import { moveAccess } from '../../core/vpn/operations/move-access.ts'
import { claimAnyhow, destroyAccesses, switchAccessesOff } from '../../core/vpn/operations/server-slots.ts'
import type { Db } from '../../db/client.ts'
import { namesOf } from './queries.ts'

/** Configurations sold alone: a term with one access, which gives the configuration its number. */

const oneOf = <T extends string>(names: readonly T[]) => Type.Unsafe<T>(Type.Enum([...names]))

/** What is kept in the order of a new configuration. */
const ConfigPurchase = Type.Object({
  locationId: Type.Integer(),
  protocol: oneOf(protocols),
  serverId: Type.Optional(Type.Integer()),
  options: Type.Array(oneOf(switchNames)),
  enableAutoRenewal: Type.Boolean(),
})
export type ConfigPurchase = Static<typeof ConfigPurchase>
const readPurchase = purchaseReader<ConfigPurchase>(ConfigPurchase)

export const configSold = { product: 'configs', productId: null } as const

const claim = (tx: Db, at: GrantContext, { locationId, protocol, serverId }: ConfigPurchase) => {
  const choice = { locationId, protocol, preferredId: serverId, isNew: !at.isLate, now: at.now }
  return at.isLate ? claimAnyhow(tx, choice) : claimSlot(tx, choice)
}

const grant = async (tx: Db, at: GrantContext, order: PaidOrder): Promise<number> => {
  const { now } = at
  const purchase = readPurchase(order)
  const { protocol, options, locationId } = purchase
  const server = await claim(tx, at, purchase)
  if (!server) throw await noServerIn(tx, locationId)
  const { id: serverId, node_id: nodeId } = server
  const { id: termId, itemId: id } = await insertTerm(tx, {
    userId: order.userId,
    product: 'configs',
    productId: null,
    itemId: nextAccessId,
    autoRenewalDays: purchase.enableAutoRenewal ? await renewalDays(tx, configSold, order) : null,
    expiresAt: now + order.days * secondsInDay,
    now,
  })
  return createAccess(tx, at, { id, termId, nodeId, serverId, locationId, protocol, options })
}

const gift = async (_tx: Db, wish: GiftWish) => {
  const { location_id: locationId, protocol } = requireWish('configs', wish, ['location_id', 'protocol'])
  const problems = switchProblems({ protocol, locationId, options: {} })
  if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
  const purchase: ConfigPurchase = { locationId, protocol, options: [], enableAutoRenewal: false }
  return { productId: null, itemId: null, isRenewal: false, purchase }
}

/** What has ended gave its slot away: its own server first, or else another of the location. */
const bringBack = async (tx: Db, at: GrantContext, term: Term): Promise<void> => {
  const access = (await readAccess(tx, term, term.item_id)) as LockedAccess
  const { location_id: locationId, protocol } = access
  const home = { preferredId: access.server_id, homeId: access.server_id }
  const choice = { locationId, protocol, ...home, isNew: false, now: at.now }
  const server = await claimAnyhow(tx, choice)
  if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
  await moveAccess(tx, at, access, { ...access, nodeId: server.node_id, serverId: server.id, locationId })
}

const idsOf = (terms: readonly Term[]): number[] => terms.map((term) => term.id)

export const configTerms: TermProduct = {
  name: 'configs',
  graceSeconds: 14 * secondsInDay,
  words: {
    subject: { ru: 'Подключение', en: 'The connection' },
    genitive: { ru: 'подключения', en: 'connection' },
    paid: 'оплачено',
    renewed: 'продлено',
    pronoun: 'Оно',
    object: 'его',
  },

  describe: ({ days, isRenewal }) =>
    isRenewal
      ? { ru: `Продление VPN на ${daysText(days, 'ru')}`, en: `VPN renewal for ${daysText(days, 'en')}` }
      : {
          ru: `VPN-подключение на ${daysText(days, 'ru')}`,
          en: `VPN connection for ${daysText(days, 'en')}`,
        },

  grant,
  gift,
  bringBack,
  switchOff: (tx, at, terms) => switchAccessesOff(tx, at, idsOf(terms)),
  destroy: destroyAccesses,
  namesOf,
}

export const configProduct = soldForATime(configTerms)
