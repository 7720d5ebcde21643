import { expect, test } from 'vitest'
import { withGuests } from './personal-instance.ts'

const megabyte = 1_000_000

test.each([
  ['nobody but the customer', { own: megabyte, moved: 1_070_000, charged: megabyte }],
  ['nobody but guests', { own: 0, moved: megabyte, charged: megabyte }],
  ['both', { own: megabyte, moved: 2_070_000, charged: 1_970_000 }],
  ['a kernel that counts nothing any more', { own: megabyte, moved: 10, charged: megabyte }],
])('%s', (_, { own, moved, charged }) => {
  const both = (bytes: number) => ({ up: bytes, down: bytes })
  expect(withGuests(both(own), both(moved))).toEqual(both(charged))
})
