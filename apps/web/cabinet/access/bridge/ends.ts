import { bridgeMakesLoop, canEndBridge } from '@sallyport/domain/vpn/bridge-rules'
import { api } from '../../../lib/api.ts'
import { cloudName, placeName } from '../../owned/names.ts'
import { flagOf } from '../../vpn/protocols.ts'
import type { Access, AccessKind } from '../access.ts'

/** What bridges can lead through. */

export interface End {
  readonly kind: AccessKind
  readonly id: number
  readonly name: string
  readonly protocol: Access['protocol']
}

export type Bridge = Awaited<ReturnType<typeof api.listBridges>>[number]

const configEnds = async (): Promise<End[]> => {
  const [configs, locations] = await Promise.all([
    api.listConfigs({ query: { limit: 100 } }),
    api.listLocations(),
  ])
  return configs.map(({ id, title, protocol, location_id: at }) => {
    const place = locations.find((location) => location.id === at)
    const usual = place ? `${flagOf(place.code)} ${place.title} · ${id}` : `VPN · ${id}`
    return { kind: 'config', id, protocol, name: title ?? usual }
  })
}

const optionEnds = async (): Promise<End[]> =>
  (await api.listPaidOptions()).flatMap(({ configs }) =>
    configs.map(({ id, protocol, title, original_title: usual }) => ({
      kind: 'paid_option' as const,
      id,
      protocol,
      name: title ?? usual,
    })),
  )

const cloudEnds = async (): Promise<End[]> => {
  const [servers, locations] = await Promise.all([api.listCloudServers(), api.listCloudLocations()])
  const clouds = servers.filter(({ status }) => status === 'active')
  const lists = await Promise.all(
    clouds.map(async (cloud) => {
      const configs = await api.listCloudConfigs({ params: { server_id: cloud.id } })
      const place = locations.find(({ id }) => id === cloud.location_id)
      const server = cloudName(cloud, place && placeName(place))
      return configs.map(({ id, protocol, title }) => ({
        kind: 'cloud' as const,
        id,
        protocol,
        name: title ? `${title} · ${server}` : `${server} · ${id}`,
      }))
    }),
  )
  return lists.flat()
}

export const readEnds = async (): Promise<readonly End[]> =>
  (await Promise.all([configEnds(), optionEnds(), cloudEnds()])).flat()

/** Those that traffic entering at `entry` can leave by. */
export const exitsFor = (
  entry: Pick<Access, 'id'>,
  ends: readonly End[],
  bridges: readonly Bridge[],
): readonly End[] => {
  const present = bridges
    .filter(({ first_config_id: first }) => first !== entry.id)
    .map(({ first_config_id: first, second_config_id: second }) => ({ entry: first, exit: second }))
  return ends.filter(
    ({ id, protocol }) =>
      id !== entry.id && canEndBridge(protocol) && !bridgeMakesLoop(present, entry.id, id),
  )
}
