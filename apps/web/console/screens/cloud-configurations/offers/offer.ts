import type { CloudConfiguration } from '../../../kit/catalogue/products.ts'

/** Where machines of a configuration are had, in the order in which they are asked for at each location. */

export type OfferRow = CloudConfiguration['offers'][number]

export interface Offer {
  readonly location_id: number
  readonly cloud_id: number
  /** As the provider calls them; empty where there is no provider. */
  readonly region: string
  readonly machine_type: string
  readonly image: string
  readonly reality_server_name: string
}

/** Two with the same are the same offer, whatever site they borrow. */
export const keyOf = ({ location_id, cloud_id, region, machine_type, image }: Offer): string =>
  JSON.stringify([location_id, cloud_id, region, machine_type, image])

export const offerOf = ({
  location_id,
  cloud_id,
  region,
  machine_type,
  image,
  reality_server_name,
}: OfferRow): Offer => ({ location_id, cloud_id, region, machine_type, image, reality_server_name })

/** As the operation takes it: of what has no provider nothing of its is named. */
export const sentOffer = ({
  location_id,
  cloud_id,
  region,
  machine_type,
  image,
  reality_server_name,
}: Offer) => ({
  location_id,
  cloud_id,
  ...(region !== '' && { region }),
  ...(machine_type !== '' && { machine_type }),
  ...(image !== '' && { image }),
  ...(reality_server_name !== '' && { reality_server_name }),
})

export const locationsOf = (offers: readonly Offer[]): readonly number[] => [
  ...new Set(offers.map(({ location_id }) => location_id)),
]

/** Those of one location in another order, the others where they are. */
export const withLocation = (
  offers: readonly Offer[],
  location: number,
  ordered: readonly Offer[],
): readonly Offer[] => [...offers.filter(({ location_id }) => location_id !== location), ...ordered]

const sites = (offers: readonly Offer[]): ReadonlyMap<string, string> =>
  new Map(offers.map((offer) => [keyOf(offer), offer.reality_server_name]))

/** Offers that are new, gone or borrow another site, by their keys. */
export const changedKeys = (before: readonly Offer[], after: readonly Offer[]): readonly string[] => {
  const [one, other] = [sites(before), sites(after)]
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key))
}

const orderOf = (offers: readonly Offer[]): string =>
  JSON.stringify(
    locationsOf(offers)
      .toSorted((a, b) => a - b)
      .map((location) => offers.filter(({ location_id }) => location_id === location).map(keyOf)),
  )

export const isSameOrder = (one: readonly Offer[], other: readonly Offer[]): boolean =>
  orderOf(one) === orderOf(other)

/** Theirs, with what was chosen of mine, in the order of whoever was chosen. */
export const withChosen = (
  theirs: readonly Offer[],
  mine: readonly Offer[],
  chosen: readonly string[],
  isMyOrder: boolean,
): readonly Offer[] => {
  const kept = new Map(theirs.map((offer) => [keyOf(offer), offer]))
  const own = new Map(mine.map((offer) => [keyOf(offer), offer]))
  for (const key of chosen) {
    const offer = own.get(key)
    if (offer) kept.set(key, offer)
    else kept.delete(key)
  }
  if (!isMyOrder) return [...kept.values()]
  const ordered = mine.flatMap((offer) => kept.get(keyOf(offer)) ?? [])
  return [...ordered, ...[...kept.values()].filter((offer) => !own.has(keyOf(offer)))]
}
