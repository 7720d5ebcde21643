import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { operatorClouds } from '@sallyport/contract/operator/clouds'
import { hostnameProblem } from '@sallyport/domain/text/hostname'
import type { Handlers } from '../../../core/call.ts'
import { usualSite } from '../../../core/clouds/cloud-catalogue.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import type { Db } from '../../../db/client.ts'
import { wholeOrPage } from '../common/pages.ts'
import { type PayableMethods, payableMethods } from '../common/payable-methods.ts'
import { storeTariffs } from '../common/tariff-queries.ts'
import { checkedTariffs, shownTariffs } from '../common/tariffs.ts'
import { isSame, requireVersion } from '../common/versions.ts'
import { isProvider } from './accounts.ts'
import {
  type ConfigurationRow,
  insertConfiguration,
  lockConfiguration,
  type OfferFields,
  type Places,
  raiseConfiguration,
  readConfigurations,
  readPlaces,
  sameness,
  storeOffers,
  updateConfiguration,
} from './offer-queries.ts'

/** How strong machines are sold, for what, and where each is had. */

type OfferWish = BodyOf<typeof operatorClouds.createCloudConfiguration>['offers'][number]

const shownConfiguration = (row: ConfigurationRow, methods: PayableMethods) => ({
  ...row,
  tariffs: shownTariffs(row.tariffs, methods),
  offers: row.offers.map((offer) => ({
    ...offer,
    monthly_cost: offer.monthly_cost === null ? null : offer.monthly_cost / 100,
  })),
})

type Seller = Parameters<typeof payableMethods>[1]

const readOne = async (tx: Db, id: number, seller: Seller) =>
  shownConfiguration(
    (await readConfigurations(tx, id))[0] as ConfigurationRow,
    await payableMethods(tx, seller),
  )

const checkedSite = (path: string, name: string): string => {
  const problem = name.includes('.') ? hostnameProblem(name) : 'must be a public host name'
  if (problem) throw badRequest(path, problem)
  return name.toLowerCase()
}

const checkedOffer = (path: string, wish: OfferWish, { clouds, locations }: Places): OfferFields => {
  const { location_id, cloud_id } = wish
  if (!locations.has(location_id)) throw badRequest(`${path}.location_id`, 'is no location')
  const kind = clouds.get(cloud_id)
  if (kind === undefined) throw badRequest(`${path}.cloud_id`, 'is none of your clouds')
  const named = (name: 'region' | 'machine_type' | 'image'): string => {
    const value = wish[name]
    const isGiven = value !== undefined
    if (isGiven === isProvider(kind)) return value ?? ''
    const problem = isGiven ? `is not for the kind ${kind}` : `is required for the kind ${kind}`
    throw badRequest(`${path}.${name}`, problem)
  }
  const place = { region: named('region'), machine_type: named('machine_type'), image: named('image') }
  const site = checkedSite(`${path}.reality_server_name`, wish.reality_server_name ?? usualSite)
  return { location_id, cloud_id, ...place, reality_server_name: site }
}

const checkedOffers = async (tx: Db, wishes: readonly OfferWish[]): Promise<OfferFields[]> => {
  const places = await readPlaces(tx)
  const offers = wishes.map((wish, n) => checkedOffer(`offers.${n}`, wish, places))
  const seen = new Set<string>()
  for (const [n, offer] of offers.entries()) {
    if (seen.has(sameness(offer))) throw badRequest(`offers.${n}`, 'is named twice')
    seen.add(sameness(offer))
  }
  return offers
}

export const cloudConfigurationHandlers: Pick<
  Handlers<typeof operatorClouds>,
  'listCloudConfigurations' | 'createCloudConfiguration' | 'changeCloudConfiguration'
> = {
  listCloudConfigurations: async (call) => {
    const methods = await payableMethods(call.db, call)
    const rows = wholeOrPage(await readConfigurations(call.db, null), call.query)
    return rows.map((row) => shownConfiguration(row, methods))
  },

  createCloudConfiguration: (call) => {
    const { body, now } = call
    return async (tx) => {
      const { tariffs, offers, ...fields } = body
      const priced = await checkedTariffs(tx, tariffs)
      const placed = await checkedOffers(tx, offers)
      const id = await insertConfiguration(tx, { ...fields, created_at: now })
      await storeTariffs(tx, { product: 'cloud_servers', productId: id }, priced)
      await storeOffers(tx, id, placed)
      const made = await readOne(tx, id, call)
      return audited(made, { id, after: made })
    }
  },

  changeCloudConfiguration: (call) => {
    const { body } = call
    const { id } = call.params
    return async (tx) => {
      if (!(await lockConfiguration(tx, id))) throw new ApiError('NOT_FOUND')
      const before = await readOne(tx, id, call)
      const { tariffs, offers, version, ...fields } = body
      requireVersion(version, before)
      await updateConfiguration(tx, id, fields)
      if (tariffs !== undefined) {
        const sold = { product: 'cloud_servers', productId: id } as const
        await storeTariffs(tx, sold, await checkedTariffs(tx, tariffs))
      }
      if (offers !== undefined) await storeOffers(tx, id, await checkedOffers(tx, offers))
      const stored = await readOne(tx, id, call)
      if (isSame(before, stored)) return unchanged(stored)
      await raiseConfiguration(tx, id)
      const after = { ...stored, version: stored.version + 1 }
      return audited(after, { before, after })
    }
  },
}
