import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { useLocations } from '../places.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

/** All servers with their places, for those who choose among them. */

export type Server = Awaited<ReturnType<typeof api.listServers>>[number]

const most = 500

const readAll = async (): Promise<readonly Server[]> => {
  const all: Server[] = []
  for (;;) {
    const last = all.at(-1)?.id
    const query = { limit: most, ...(last !== undefined && { before: last }) }
    const page = await api.listServers({ query })
    all.push(...page)
    if (page.length < most) return all.sort((a, b) => a.id - b.id)
  }
}

export const useServers = () => {
  const servers = useResource('all-servers', readAll)
  const { nameOf: placeOf } = useLocations()
  const find = (id: number): Server | undefined => servers.data.value?.find((one) => one.id === id)
  const nameOf = (id: number): string => {
    const place = find(id)?.location_id
    return say('serverAt', { id: `${id}`, place: place === undefined ? '–' : placeOf(place) })
  }
  return { servers, find, nameOf }
}
