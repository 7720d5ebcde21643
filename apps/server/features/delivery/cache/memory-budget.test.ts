import { expect, test } from 'vitest'
import { answerMemoryBudget, memoryOfMachine } from './memory-budget.ts'

const mebibyte = 1024 * 1024

test.each([
  [256, 64],
  [512, 64],
  [1024, 128],
  [4096, 512],
  [65_536, 1024],
])('of %i MiB %i are for answers', (memory, room) => {
  expect(answerMemoryBudget(memory * mebibyte) / mebibyte).toBe(room)
})

test('a machine has some memory', () => {
  expect(memoryOfMachine()).toBeGreaterThan(64 * mebibyte)
  expect(Number.isSafeInteger(memoryOfMachine())).toBe(true)
})
