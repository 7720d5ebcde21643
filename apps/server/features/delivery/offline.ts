import type { Format } from '@sallyport/domain/delivery/format'
import type { Entry } from '@sallyport/domain/delivery/formats/entry'
import { marked, type OfflineChoice, offlineQuery, withOffline } from '@sallyport/domain/delivery/offline'
import type { Delivered } from './entries.ts'
import { Basis } from './keeping/basis.ts'
import type { DeadSet } from './keeping/dead-nodes.ts'
import type { Settings } from './keeping/settings.ts'

/** Servers that do not answer, in what is delivered. */

interface Chosen {
  readonly format: Format
  readonly offline: OfflineChoice
  readonly item: number | undefined
  readonly dead: DeadSet
  readonly settings: Settings
}

/** As the customer chose; undefined where the one that is asked for alone is not there. One that is named is not hidden. */
export const shownEntries = (
  { live, entries }: Delivered,
  { format, offline, item, dead }: Chosen,
): Entry[] | undefined => {
  if (item !== undefined) {
    const one = live[item - 1]
    if (!one) return undefined
    return [dead.has(one.node_id) && offline !== 'keep' ? marked(one.endpoint) : one.endpoint]
  }
  const silent = new Set(live.flatMap(({ node_id, endpoint }) => (dead.has(node_id) ? [endpoint] : [])))
  return silent.size === 0
    ? [...entries]
    : withOffline(entries, (endpoint) => silent.has(endpoint), { format, offline })
}

/** What is shown as if nothing had happened depends on no node. */
export const basisOf = ({ live }: Delivered, { offline, dead, settings }: Chosen): Basis =>
  new Basis(settings.version, offline === 'keep' ? [] : live.map(({ node_id }) => node_id), dead)

/** The address that keeps the choice. */
export const chosenAddress = (address: string, offline: OfflineChoice): string => {
  const query = offlineQuery(offline)
  return query === '' ? address : `${address}?${query}`
}
