import type { MachineOffer } from '../../../ports/clouds.ts'
import { readDecimal } from '../../payments/decimals.ts'
import { readMoment } from '../cloud-http.ts'
import type { HetznerPricing, HetznerServerType } from './answers.ts'

/** What Hetzner's machines cost: the machine and the IPv4 address that it is made with. */

type Prices = HetznerServerType['prices']
type Place = HetznerServerType['locations'][number]

const mbInGb = 1024
const decimals = 4

/** With VAT, for so much is taken from the operator; where none is due, both prices are the same. */
const priceIn = (prices: Prices, location: string): number | undefined =>
  readDecimal(prices.find((price) => price.location === location)?.price_monthly.gross, decimals)

const isHad = ({ available, deprecation }: Place, now: number): boolean => {
  const until = deprecation && readMoment(deprecation.unavailable_after)
  return available && (until === null || until === undefined || until > now)
}

/** A place without a price that can be read has nothing to offer. */
export const offersOf = (
  types: readonly HetznerServerType[],
  { currency, primary_ips }: HetznerPricing,
  now: number,
): MachineOffer[] => {
  const addressPrices = primary_ips.find(({ type }) => type === 'ipv4')?.prices ?? []
  return types.flatMap((type) =>
    type.locations.flatMap((place) => {
      const machine = priceIn(type.prices, place.name)
      const address = priceIn(addressPrices, place.name)
      if (machine === undefined || address === undefined) return []
      return {
        region: place.name,
        type: type.name,
        title: type.description,
        cores: type.cores,
        memoryMb: Math.round(type.memory * mbInGb),
        diskGb: type.disk,
        monthlyCost: Math.round((machine + address) / 10 ** (decimals - 2)),
        currency,
        isInStock: isHad(place, now),
      }
    }),
  )
}
