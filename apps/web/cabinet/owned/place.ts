import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import { api } from '../../lib/api.ts'
import { type Resource, useResource } from '../../lib/resource.ts'
import { cloudName, placeName } from './names.ts'

/** Neither read nor refused yet. */
export const isOnItsWay = ({ data, error }: Pick<Resource<unknown>, 'data' | 'error'>): boolean =>
  data.value === undefined && error.value === undefined

/** Where a server stands, and its name; undefined until that is known. */
export const useCloudPlace = (
  cloud: Pick<CloudServer, 'hostname' | 'id' | 'location_id'>,
): { readonly place: string | undefined; readonly name: string | undefined } => {
  const locations = useResource('cloud-locations', () => api.listCloudLocations(), { keep: true })
  const found = locations.data.value?.find(({ id }) => id === cloud.location_id)
  const place = found && placeName(found)
  return { place, name: !cloud.hostname && isOnItsWay(locations) ? undefined : cloudName(cloud, place) }
}
