import type { NewItem } from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { expect, test } from 'vitest'
import { itemProblems } from './items.ts'

const config = (id: number): NewItem => ({ item_type: 'user_config', item_reference_id: id })
const index = (id: number, at?: number): NewItem => ({
  item_type: 'paid_option_index',
  item_reference_id: id,
  ...(at !== undefined && { item_index: at }),
})

test.each<[string, NewItem[], object[]]>([
  ['different things', [config(1), config(2), index(1, 0), index(1, 1), index(2, 0)], []],
  ['one number of two kinds', [config(1), { item_type: 'paid_option', item_reference_id: 1 }], []],
  [
    'an index that is missing',
    [config(1), index(1)],
    [{ path: 'items.1.item_index', problem: 'is required for paid_option_index' }],
  ],
  [
    'an index where there is none',
    [{ ...config(1), item_index: 0 }],
    [{ path: 'items.0.item_index', problem: 'is not for user_config, only for paid_option_index' }],
  ],
  [
    'the same twice, and once more',
    [config(1), index(1, 3), config(1), index(1, 3), config(1)],
    [
      { path: 'items.2', problem: 'is the same as items.0' },
      { path: 'items.3', problem: 'is the same as items.1' },
      { path: 'items.4', problem: 'is the same as items.0' },
    ],
  ],
])('%s', (_what, items, problems) => {
  expect(itemProblems(items)).toEqual(problems)
})
