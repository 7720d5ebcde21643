import type { NewItem } from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { itemKey } from '@sallyport/domain/delivery/items'
import type { api } from '../../lib/api.ts'

/** What a subscription is put together from: grouped, picked, put in order. */

export { itemKey, type NewItem }

export type Available = Awaited<ReturnType<typeof api.listAvailableItems>>

export const mostItems = 50

export interface Pickable {
  readonly key: string
  readonly item: NewItem
  readonly title: string
  /** Undefined of a whole option, and of what the service does not say. */
  readonly protocol?: string
  readonly expires_at?: number
  readonly isOnline?: boolean
  /** The key of the whole option that brings it, too: apps get it once, at the first of its places. */
  readonly whole?: string
  /** Another way to name the same. */
  readonly otherKey?: string
}

export interface Group {
  readonly kind: 'configs' | 'clouds' | 'option'
  /** Of an option. */
  readonly title?: string
  readonly items: readonly Pickable[]
}

const pickable = (item: NewItem, rest: Omit<Pickable, 'key' | 'item'>): Pickable => ({
  key: itemKey(item),
  item,
  ...rest,
})

const configsOf = (
  { configs }: Available,
  source: 'user_config' | 'cloud_server_config',
): readonly Pickable[] =>
  configs
    .filter((config) => config.source === source)
    .map(({ id, title, protocol, expires_at, is_online }) =>
      pickable(
        { item_type: source, item_reference_id: id },
        { title, protocol, expires_at, isOnline: is_online },
      ),
    )

const indexItem = (option: number, index: number): NewItem => ({
  item_type: 'paid_option_index',
  item_reference_id: option,
  item_index: index,
})

const optionItems = ({
  id,
  title,
  expires_at,
  configs,
}: Available['paid_options'][number]): readonly Pickable[] => {
  const whole = pickable({ item_type: 'paid_option', item_reference_id: id }, { title, expires_at })
  const parts = configs.map((config) =>
    config.type === 'index'
      ? pickable(indexItem(id, config.index), {
          title: config.custom_title ?? config.original_title,
          whole: whole.key,
        })
      : pickable(
          { item_type: 'paid_option_config', item_reference_id: config.id },
          {
            title: config.title,
            isOnline: config.is_online,
            whole: whole.key,
            ...(config.index !== undefined && { otherKey: itemKey(indexItem(id, config.index)) }),
          },
        ),
  )
  return [whole, ...parts]
}

/** By kind, without what is empty. Of each option the whole comes first. */
export const groupsOf = (available: Available): readonly Group[] =>
  [
    { kind: 'configs' as const, items: configsOf(available, 'user_config') },
    ...available.paid_options.map((option) => ({
      kind: 'option' as const,
      title: option.title,
      items: optionItems(option),
    })),
    { kind: 'clouds' as const, items: configsOf(available, 'cloud_server_config') },
  ].filter(({ items }) => items.length > 0)

/** Without what is in it already, by whatever name. */
export const withoutPresent = (groups: readonly Group[], present: ReadonlySet<string>): readonly Group[] =>
  groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ key, otherKey = key }) => !present.has(key) && !present.has(otherKey)),
    }))
    .filter(({ items }) => items.length > 0)

/** Picked last, or put back. */
export const toggled = (picked: readonly Pickable[], one: Pickable): readonly Pickable[] =>
  picked.some(({ key }) => key === one.key) ? picked.filter(({ key }) => key !== one.key) : [...picked, one]
