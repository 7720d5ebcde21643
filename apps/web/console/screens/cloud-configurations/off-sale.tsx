import { Badge } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import type { CloudConfiguration } from '../../kit/catalogue/products.ts'
import { useLocations } from '../../kit/places.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Cloud = Awaited<ReturnType<typeof api.listClouds>>[number]

export const useClouds = () => useResource('clouds-of-offers', () => api.listClouds({}))

type Reason = 'noOffers' | 'noMachines' | 'noTariffs' | 'notPayable'

const useReasons = ({ offers, tariffs }: CloudConfiguration): readonly Reason[] => {
  const clouds = useClouds().data.value
  const locations = useLocations().locations.data.value
  const canGive = ({ cloud_id, location_id, is_in_stock }: CloudConfiguration['offers'][number]): boolean =>
    is_in_stock &&
    clouds?.find(({ id }) => id === cloud_id)?.is_active !== false &&
    locations?.find(({ id }) => id === location_id)?.is_active !== false
  return [
    ...(offers.length === 0 ? ['noOffers' as const] : []),
    ...(offers.length > 0 && !offers.some(canGive) ? ['noMachines' as const] : []),
    ...(tariffs.length === 0 ? ['noTariffs' as const] : []),
    ...(tariffs.length > 0 && tariffs.every(({ problem }) => problem !== null)
      ? ['notPayable' as const]
      : []),
  ]
}

/** Whether it is sold, and everything that keeps it from it. */
export const OffSale = ({ row }: { readonly row: CloudConfiguration }) => {
  const reasons = useReasons(row)
  const tone = row.is_active ? (reasons.length > 0 ? 'warn' : 'good') : 'dim'
  return (
    <>
      <Badge tone={tone}>
        {row.is_active ? say(reasons.length > 0 ? 'notSold' : 'onSale') : say('offSale')}
      </Badge>
      {reasons.map((reason) => (
        <span key={reason} class="small">
          {' '}
          {say(reason)}
        </span>
      ))}
    </>
  )
}
