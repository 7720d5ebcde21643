import { expect, test } from 'vitest'
import { idsAfter, indexesOf, noWish, partOf } from './wish.ts'

const servers = [
  { server_id: 1, index: 0 },
  { server_id: 3, index: 1 },
  { server_id: 5, index: 2 },
]

test('those that stay keep their index, and the others fill what is free in their order', () => {
  const wish = { leaving: [3], joining: [9, 8] }
  expect(idsAfter(servers, wish)).toEqual([1, 5, 9, 8])
  expect(indexesOf(servers, wish)).toEqual([1, 3])
  expect(idsAfter(servers, noWish)).toEqual([1, 3, 5])
})

test('what somebody else has added meanwhile is not added twice', () => {
  expect(idsAfter(servers, { leaving: [], joining: [3, 9] })).toEqual([1, 3, 5, 9])
})

test('a part of a wish is what was chosen of it', () => {
  expect(partOf({ leaving: [1, 3], joining: [9, 8] }, [3, 8])).toEqual({ leaving: [3], joining: [8] })
})
