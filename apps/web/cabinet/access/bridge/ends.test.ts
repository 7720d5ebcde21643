import { expect, test, vi } from 'vitest'

vi.mock('../../../lib/api.ts', () => ({ api: {} }))
const { exitsFor } = await import('./ends.ts')

const end = (id: number, protocol: 'vless' | 'amnezia-wg-2' | 'wg' = 'vless') =>
  ({ kind: 'config', id, name: String(id), protocol }) as const
const bridge = (id: number, first: number, second: number) =>
  ({
    id,
    first_config_id: first,
    first_type: 'config',
    second_config_id: second,
    second_type: 'config',
    created_at: 0,
  }) as const

test('a bridge leads neither to itself, nor to what Xray cannot reach, nor back', () => {
  const ends = [end(1), end(2), end(3, 'amnezia-wg-2'), end(4, 'wg'), end(5)]
  expect(exitsFor({ id: 1 }, ends, [bridge(9, 5, 1)]).map(({ id }) => id)).toEqual([2, 4])
})

test('what it leads to now may be chosen again or left', () => {
  expect(exitsFor({ id: 1 }, [end(1), end(2), end(4)], [bridge(9, 1, 2)]).map(({ id }) => id)).toEqual([2, 4])
})
