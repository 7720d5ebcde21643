import { expect, test } from 'vitest'
import { chooseWaves, type WaveWish } from './waves.ts'

const fleet = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test.each<[WaveWish[], number, number[]]>([
  [[1, 5, 25, 100], 200, [2, 8, 40, 150]],
  [[1, 5, 25, 100], 3, [1, 2]],
  [[1, 100], 1, [1]],
  [[50], 4, [2]],
  [[100, 5], 4, [4]],
])('%j of %i nodes', (wishes, count, sizes) => {
  const waves = chooseWaves(wishes, fleet(count))
  expect(waves.map((wave) => wave.length)).toEqual(sizes)
  expect(waves.flat()).toEqual(fleet(count).slice(0, waves.flat().length))
})

test('those that are named come in their wave and in no other', () => {
  expect(chooseWaves([[4], 50, [1, 4], 100], fleet(4))).toEqual([[4], [2], [1], [3]])
})
