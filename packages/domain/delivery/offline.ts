import type { Endpoint } from '../vpn/endpoint.ts'
import type { Format } from './format.ts'
import { carries } from './formats/carries.ts'
import type { Entry } from './formats/entry.ts'

/** What becomes of entries whose servers do not answer, as the customer chose in the address. */

export const offlineChoices = ['mark', 'hide', 'keep'] as const
export type OfflineChoice = (typeof offlineChoices)[number]

export const usualOfflineChoice: OfflineChoice = 'mark'

/** The choice that an address names with ?offline=; anything but one of them is refused. */
export const readOfflineChoice = (
  value: unknown,
): { readonly offline: OfflineChoice } | { readonly problem: string } => {
  if (value === undefined) return { offline: usualOfflineChoice }
  const offline = offlineChoices.find((choice) => choice === value)
  return offline ? { offline } : { problem: `offline must be one of ${offlineChoices.join(', ')}` }
}

/** What follows the address of a subscription, and stands in links to its page. */
export const offlineQuery = (choice: OfflineChoice): string =>
  choice === usualOfflineChoice ? '' : `offline=${choice}`

export const marked = (endpoint: Endpoint): Endpoint => ({ ...endpoint, title: `⚠ ${endpoint.title}` })

/** Outline's apps have one server and no place for a mark: one that answers is worth more to them. */
const choiceFor = (format: Format, choice: OfflineChoice): OfflineChoice =>
  format === 'outline' && choice === 'mark' ? 'hide' : choice

/**
 * The entries with those marked or left out that do not answer. Where an app would be left with nothing it could use, all
 * stay, and are marked: they may be back before the app fetches again.
 */
export const withOffline = (
  entries: readonly Entry[],
  isDead: (endpoint: Endpoint) => boolean,
  { format, offline }: { readonly format: Format; readonly offline: OfflineChoice },
): Entry[] => {
  const choice = choiceFor(format, offline)
  const isSilent = (entry: Entry): entry is Endpoint => entry.protocol !== 'notice' && isDead(entry)
  if (choice === 'keep') return [...entries]
  const left = entries.filter((entry) => !isSilent(entry))
  const isUsable = (entry: Entry): boolean => entry.protocol !== 'notice' && carries(format, entry)
  if (choice === 'hide' && left.some(isUsable)) return left
  return entries.map((entry) => (isSilent(entry) ? marked(entry) : entry))
}
