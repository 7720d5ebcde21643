import { expect, test } from 'vitest'
import { connectionsWithin } from './http-server.ts'

test.each([
  [5000, undefined, 5000],
  [5000, 1_048_576, 5000],
  [5000, 4096, 4096 - 256 - 16],
  [5000, 1024, 1024 - 256 - 16],
  [5000, 256, 128],
  [100, 1024, 100],
])('of %i wished connections with %s descriptors there are %i', (wished, descriptors, most) => {
  expect(connectionsWithin(wished, descriptors)).toBe(most)
})
