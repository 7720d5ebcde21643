import type { NewItem } from '@sallyport/contract/customer/custom-subscriptions/shapes'
import type { Problem } from '@sallyport/contract/errors'

/** What a customer puts a subscription together from. */

const needsIndex = ({ item_type }: NewItem): boolean => item_type === 'paid_option_index'

/** Null is as good as nothing: it is how items are shown. */
const hasIndex = ({ item_index: index }: NewItem): boolean => index !== undefined && index !== null

/** The same for two items that mean the same. */
export const itemKey = ({ item_type, item_reference_id, item_index }: NewItem): string =>
  [item_type, item_reference_id, item_index ?? ''].join(' ')

/** Everything that can be told to be wrong with items without a look at what they name. */
export const itemProblems = (items: readonly NewItem[]): Problem[] => {
  const firstAt = new Map<string, number>()
  return items.flatMap((item, at): Problem[] => {
    const path = `items.${at}.item_index`
    if (needsIndex(item) && !hasIndex(item)) {
      return [{ path, problem: 'is required for paid_option_index' }]
    }
    if (!needsIndex(item) && hasIndex(item)) {
      return [{ path, problem: `is not for ${item.item_type}, only for paid_option_index` }]
    }
    const first = firstAt.get(itemKey(item))
    if (first !== undefined) return [{ path: `items.${at}`, problem: `is the same as items.${first}` }]
    firstAt.set(itemKey(item), at)
    return []
  })
}
