import type { Format } from '@sallyport/domain/delivery/format'
import type { Entry } from '@sallyport/domain/delivery/formats/entry'
import { marked, type OfflineChoice, offlineQuery, withOffline } from '@sallyport/domain/delivery/offline'
import type { DeadSet } from './cache/dead-nodes.ts'
import type { Settings } from './cache/settings.ts'
import { Validity } from './cache/validity.ts'
import type { Delivered } from './entries.ts'

/** Servers that do not answer, in what is delivered. */

interface Chosen {
  readonly format: Format
  readonly offline: OfflineChoice
  readonly item: number | undefined
  readonly dead: DeadSet
  readonly settings: Settings
}

export const doesAnswer = (
  { node_id, is_lost }: { readonly node_id: number; readonly is_lost: boolean },
  dead: DeadSet,
): boolean => !is_lost && !dead.has(node_id)

/** As the customer chose; undefined where the one that is asked for alone is not there. One that is named is not hidden. */
export const shownEntries = (
  { live, entries }: Delivered,
  { format, offline, item, dead }: Chosen,
): Entry[] | undefined => {
  if (item !== undefined) {
    const one = live[item - 1]
    if (!one) return undefined
    return [!doesAnswer(one, dead) && offline !== 'keep' ? marked(one.endpoint) : one.endpoint]
  }
  const silent = new Set(live.flatMap((one) => (doesAnswer(one, dead) ? [] : [one.endpoint])))
  return silent.size === 0
    ? [...entries]
    : withOffline(entries, (endpoint) => silent.has(endpoint), { format, offline })
}

/** What is shown as if nothing had happened depends on no node. */
export const validityOf = ({ live }: Delivered, { offline, dead, settings }: Chosen): Validity =>
  new Validity(settings.version, offline === 'keep' ? [] : live.map(({ node_id }) => node_id), dead)

/** The address that keeps the choice. */
export const chosenAddress = (address: string, offline: OfflineChoice): string => {
  const query = offlineQuery(offline)
  return query === '' ? address : `${address}?${query}`
}
