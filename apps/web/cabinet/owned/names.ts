import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import { api } from '../../lib/api.ts'
import { sayIn } from '../../lib/language.ts'
import { type Resource, useResource } from '../../lib/resource.ts'
import { flagOf } from '../vpn/protocols.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Named = Pick<CloudServer, 'hostname' | 'id'>
type Location = Awaited<ReturnType<typeof api.listCloudLocations>>[number]

export const placeName = ({ code, title }: Pick<Location, 'code' | 'title'>): string =>
  `${flagOf(code)} ${title}`

/** What a server is called on every screen: as its customer named it, or by its place. */
export const cloudName = ({ hostname, id }: Named, place: string | undefined): string =>
  hostname ?? (place ? `${place} · ${id}` : say('cloud', { id: String(id) }))

/** Neither read nor refused yet. */
export const isOnItsWay = ({ data, error }: Pick<Resource<unknown>, 'data' | 'error'>): boolean =>
  data.value === undefined && error.value === undefined

/** Where it stands, and its name; undefined until that is known. */
export const useCloudPlace = (
  cloud: Named & Pick<CloudServer, 'location_id'>,
): { readonly place: string | undefined; readonly name: string | undefined } => {
  const locations = useResource('cloud-locations', () => api.listCloudLocations(), { keep: true })
  const found = locations.data.value?.find(({ id }) => id === cloud.location_id)
  const place = found && placeName(found)
  return { place, name: !cloud.hostname && isOnItsWay(locations) ? undefined : cloudName(cloud, place) }
}
