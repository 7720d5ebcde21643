import type { MachineOffer } from '../../../ports/clouds.ts'
import type { Region, Size } from './answers.ts'

/** What DigitalOcean's machines cost, with their addresses; taxes are added to the bill and are not told here. */

const cents = (dollars: number): number => Math.round(dollars * 100)

export const offersOf = (sizes: readonly Size[], regions: readonly Region[]): MachineOffer[] => {
  const open = new Set(regions.filter((region) => region.available).map(({ slug }) => slug))
  return sizes.flatMap((size) =>
    size.regions.map((region) => ({
      region,
      type: size.slug,
      title: `${size.description} ${size.slug}`.trim(),
      cores: size.vcpus,
      memoryMb: size.memory,
      diskGb: size.disk,
      monthlyCost: cents(size.price_monthly),
      currency: 'USD',
      isInStock: size.available && open.has(region),
    })),
  )
}
