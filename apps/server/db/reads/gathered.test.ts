import { expect, test } from 'vitest'
import { GatheredRow, GatheredRows, mostTogether } from './gathered.ts'

test('those of one turn are one read, and each has its own row or none', async () => {
  const reads: number[][] = []
  const read = new GatheredRow(async (asked: readonly number[]) => {
    reads.push([...asked])
    return asked.flatMap((value, at) => (value > 1 ? [{ value, at: at + 1 }] : []))
  })
  const rows = await Promise.all([1, 2, 3].map((value) => read.of(value)))
  expect(rows.map((row) => row?.value)).toEqual([undefined, 2, 3])
  expect(reads).toEqual([[1, 2, 3]])
})

test('of reads that give lists each has its own, in order', async () => {
  const read = new GatheredRows(async (asked: readonly number[]) =>
    asked.flatMap((count, at) => Array.from({ length: count }, (_, n) => ({ n, at: at + 1 }))).toReversed(),
  )
  const lists = await Promise.all([2, 0, 3].map((count) => read.of(count)))
  expect(lists.map((list) => list.map(({ n }) => n))).toEqual([[1, 0], [], [2, 1, 0]])
})

test('more than fit leave at once, and nobody twice', async () => {
  const reads: number[][] = []
  const read = new GatheredRow(async (asked: readonly number[]) => {
    reads.push([...asked])
    return asked.map((value, at) => ({ value, at: at + 1 }))
  })
  const all = Array.from({ length: mostTogether + 3 }, (_, n) => n)
  expect((await Promise.all(all.map((value) => read.of(value)))).map((row) => row?.value)).toEqual(all)
  expect(reads.flat()).toEqual(all)
})

test.each([
  [
    'at once',
    () => {
      throw new Error('no')
    },
  ],
  ['later', () => Promise.reject(new Error('no'))],
])('a read that fails %s fails those who asked, and the next is asked anew', async (_when, fail) => {
  let isFailing = true
  const read = new GatheredRow((asked: readonly number[]) =>
    isFailing ? fail() : Promise.resolve(asked.map((value, at) => ({ value, at: at + 1 }))),
  )
  const outcomes = await Promise.allSettled([read.of(1), read.of(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isFailing = false
  expect(await read.of(3)).toMatchObject({ value: 3 })
})
