import { ApiError } from '@sallyport/contract/errors'
import { daysText } from '@sallyport/domain/text/counted'
import { secondsInDay } from '@sallyport/domain/time/period'
import Type, { type Static } from 'typebox'
import { findConfiguration, listOrderable } from '../../core/clouds/cloud-catalogue.ts'
import { graceDays } from '../../core/clouds/machine-notices.ts'
import { keepSearched, namesOf, tellDestroyedOf, tellOffOf } from '../../core/clouds/machine-terms.ts'
import { insertMachine, nextItem, wantMachines } from '../../core/clouds/machines.ts'
import { noServerIn } from '../../core/fleet/servers.ts'
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
import { destroyAccesses, returnAccesses, switchAccessesOff } from '../../core/vpn/operations/server-slots.ts'
import type { Db } from '../../db/client.ts'

/** Cloud servers: a term with a machine, which carries whatever its customer puts on it. */

/** What is kept in the order of a new one. */
const CloudPurchase = Type.Object({
  locationId: Type.Integer(),
  hostname: Type.Optional(Type.String()),
  enableAutoRenewal: Type.Boolean(),
})
export type CloudPurchase = Static<typeof CloudPurchase>
const readPurchase = purchaseReader<CloudPurchase>(CloudPurchase)

export const soldAs = (configurationId: number) =>
  ({ product: 'cloud_servers', productId: configurationId }) as const

/** The machine is looked for after the commit, whoever has one; who has none is a matter of refunds. */
const grant = async (tx: Db, { now }: GrantContext, order: PaidOrder): Promise<number> => {
  const { locationId, hostname = null, enableAutoRenewal } = readPurchase(order)
  const configurationId = order.productId as number
  const { id: termId, itemId: id } = await insertTerm(tx, {
    userId: order.userId,
    product: 'cloud_servers',
    productId: configurationId,
    itemId: nextItem,
    autoRenewalDays: enableAutoRenewal ? await renewalDays(tx, soldAs(configurationId), order) : null,
    expiresAt: now + order.days * secondsInDay,
    now,
  })
  await insertMachine(tx, { id, termId, orderId: order.id, locationId, configurationId, hostname, now })
  return id
}

const gift = async (tx: Db, wish: GiftWish) => {
  const needed = ['product_id', 'location_id'] as const
  const { product_id: productId, location_id: locationId } = requireWish('cloud_servers', wish, needed)
  if (!(await findConfiguration(tx, productId))) throw new ApiError('NOT_FOUND')
  if (!(await listOrderable(tx, locationId)).includes(productId)) throw await noServerIn(tx, locationId)
  const purchase: CloudPurchase = { locationId, enableAutoRenewal: false }
  return { productId, itemId: null, isRenewal: false, purchase }
}

const idsOf = (terms: readonly Term[]): number[] => terms.map((term) => term.id)

export const cloudTerms: TermProduct = {
  name: 'cloud_servers',
  graceSeconds: graceDays * secondsInDay,
  words: {
    subject: { ru: 'Ваш сервер', en: 'Your server' },
    genitive: { ru: 'вашего сервера', en: 'your server' },
    paid: 'оплачен',
    renewed: 'продлён',
    pronoun: 'Он',
    object: 'его',
  },

  describe: ({ days, isRenewal }) =>
    isRenewal
      ? {
          ru: `Продление сервера на ${daysText(days, 'ru')}`,
          en: `Server renewal for ${daysText(days, 'en')}`,
        }
      : { ru: `Свой сервер на ${daysText(days, 'ru')}`, en: `Your own server for ${daysText(days, 'en')}` },

  grant,
  gift,
  bringBack: async (tx, at, term) => {
    await wantMachines(tx, [term.id], 'on', at.now)
    await returnAccesses(tx, at.bus, term.id)
  },
  switchOff: async (tx, at, terms) => {
    const ending = await keepSearched(tx, terms, at.now)
    if (ending.length === 0) return
    await switchAccessesOff(tx, at, idsOf(ending))
    await wantMachines(tx, idsOf(ending), 'off', at.now)
    await tellOffOf(tx, ending, at.now)
  },
  destroy: async (tx, at, terms) => {
    await destroyAccesses(tx, at, terms)
    await tellDestroyedOf(tx, terms, at.now)
    await wantMachines(tx, idsOf(terms), 'gone', at.now)
  },
  namesOf,
}

export const cloudProduct = soldForATime(cloudTerms)
