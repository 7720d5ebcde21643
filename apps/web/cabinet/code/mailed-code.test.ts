import { expect, test } from 'vitest'
import { isWhole } from './mailed-code.ts'

test.each([
  ['402817', true],
  [' 402 817 ', true],
  ['40281', false],
  ['4028170', false],
  ['K7QM-2XPA-9V3N-4T8B', false],
])('%s is whole: %s', (typed, expected) => expect(isWhole(typed)).toBe(expected))
