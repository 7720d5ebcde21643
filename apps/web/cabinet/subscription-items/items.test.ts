import { describe, expect, test } from 'vitest'
import { type Available, groupsOf, type Pickable, toggled, withoutPresent } from './items.ts'

const config = (id: number, source: 'user_config' | 'cloud_server_config') => ({
  id,
  title: `Server ${id}`,
  protocol: 'vless' as const,
  expires_at: 100,
  is_online: id !== 3,
  source,
})

const available: Available = {
  configs: [config(1, 'user_config'), config(2, 'cloud_server_config'), config(3, 'user_config')],
  paid_options: [
    {
      id: 7,
      title: 'White internet',
      expires_at: 200,
      configs: [
        { type: 'index', index: 0, original_title: 'Moscow', custom_title: null },
        { type: 'index', index: 1, original_title: 'Kazan', custom_title: 'TV' },
        { type: 'server', id: 9, server_id: 4, title: 'Added', is_online: true, index: 2 },
      ],
    },
  ],
}

const groups = groupsOf(available)
const keysOf = (list: readonly { readonly items: readonly Pickable[] }[]) =>
  list.map(({ items }) => items.map(({ key }) => key))

describe('what there is', () => {
  test('stands by kind, a whole option before its parts', () => {
    expect(groups.map(({ kind, title }) => title ?? kind)).toEqual(['configs', 'White internet', 'clouds'])
    expect(keysOf(groups)).toEqual([
      ['user_config 1 ', 'user_config 3 '],
      ['paid_option 7 ', 'paid_option_index 7 0', 'paid_option_index 7 1', 'paid_option_config 9 '],
      ['cloud_server_config 2 '],
    ])
    expect(groups[1]?.items.map(({ title }) => title)).toEqual(['White internet', 'Moscow', 'TV', 'Added'])
  })
  test('has no empty groups', () => {
    expect(groupsOf({ configs: [], paid_options: [] })).toEqual([])
  })
  test('is not offered twice, whatever it was called', () => {
    const present = new Set(['user_config 1 ', 'user_config 3 ', 'paid_option_index 7 2'])
    expect(keysOf(withoutPresent(groups, present))).toEqual([
      ['paid_option 7 ', 'paid_option_index 7 0', 'paid_option_index 7 1'],
      ['cloud_server_config 2 '],
    ])
  })
  test('is offered apart from a whole that is there, to be put before it', () => {
    expect(keysOf(withoutPresent(groups, new Set(['paid_option 7 '])))[1]).toEqual([
      'paid_option_index 7 0',
      'paid_option_index 7 1',
      'paid_option_config 9 ',
    ])
  })
})

test('picking keeps the order in which they were picked', () => {
  const [, part] = groups[1]?.items as [Pickable, Pickable]
  const [alone] = groups[0]?.items as [Pickable]
  expect(toggled(toggled([], part), alone)).toEqual([part, alone])
  expect(toggled([part, alone], part)).toEqual([alone])
})
