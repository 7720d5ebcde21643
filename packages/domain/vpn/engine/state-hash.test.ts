import { expect, test } from 'vitest'
import { stateHash } from './state-hash.ts'

const c1 = { id: 'c1', revision: 1 }
const c2 = { id: 'c2', revision: 7 }

test('nothing hashes to sixteen zeros', () => {
  expect(stateHash([])).toBe('0000000000000000')
})

test('one entry is the first eight bytes of its md5', () => {
  // printf 'c1:1' | md5sum
  expect(stateHash([c1])).toBe('49ed9f19cbef6042')
})

test('order does not matter and an entry taken twice cancels out', () => {
  expect(stateHash([c1, c2])).toBe(stateHash([c2, c1]))
  expect(stateHash([c1, c2, c2])).toBe(stateHash([c1]))
})

test('another revision of the same entry changes the hash', () => {
  expect(stateHash([{ id: 'c1', revision: 2 }])).not.toBe(stateHash([c1]))
})
