import type { api } from '../../../../lib/api.ts'
import { itemKey, type NewItem, type Pickable } from '../../../subscription-items/items.ts'

/** One of the items as it is shown, saved or not. */

export type Subscription = Awaited<ReturnType<typeof api.showCustomSubscription>>
type Item = Subscription['items'][number]
export type Entry = Omit<Item, 'id'>

export const newEntry = ({ item, title }: Pickable): Entry => ({
  item_type: item.item_type,
  item_reference_id: item.item_reference_id,
  item_index: item.item_index ?? null,
  resolved_title: title,
  is_valid: true,
  server_config: null,
})

export const sentItem = ({ item_type, item_reference_id, item_index }: Entry): NewItem => ({
  item_type,
  item_reference_id,
  ...(item_index !== null && { item_index }),
})

export const isSameOrder = (a: readonly Entry[], b: readonly Entry[]): boolean =>
  a.length === b.length && a.every((entry, at) => itemKey(entry) === itemKey(b[at] as Entry))

type Answered = Awaited<ReturnType<typeof api.replaceSubscriptionItems>>

/** The answer to a write does not say where items lead: what was known stays. */
export const withServers = (answer: Answered, known: readonly Entry[]): Subscription => {
  const servers = new Map(known.map((entry) => [itemKey(entry), entry.server_config]))
  return {
    ...answer,
    items: answer.items.map((item) => ({ ...item, server_config: servers.get(itemKey(item)) ?? null })),
  }
}
