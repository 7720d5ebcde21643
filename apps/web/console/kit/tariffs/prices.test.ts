import { expect, test } from 'vitest'
import { changedPlaces, lengthsGone, numberIn, rowsOf, withPlaces } from './prices.ts'

const tariff = (days: number, ...prices: readonly [method: number, price: number][]) => ({
  days,
  prices: prices.map(([payment_method_id, price]) => ({ payment_method_id, price })),
})

test('a price is written as people write it', () => {
  expect(['200', '1,5', ' 1 800 '].map(numberIn)).toEqual([200, 1.5, 1800])
  expect(numberIn('two')).toBeNaN()
})

test('differs where a price is another, gone or new', () => {
  const before = [tariff(30, [1, 200], [2, 210]), tariff(90, [1, 500])]
  const after = [tariff(30, [1, 220], [2, 210]), tariff(60, [1, 400])]
  expect(changedPlaces(before, after).toSorted()).toEqual(['30:1', '60:1', '90:1'])
  expect(changedPlaces(before, before)).toEqual([])
  expect(lengthsGone(before, rowsOf(after))).toEqual([90])
})

test('takes from one what was chosen of it, and leaves the rest as it is', () => {
  const theirs = [tariff(30, [1, 250], [2, 210]), tariff(90, [1, 550])]
  const mine = [tariff(30, [1, 220], [2, 215]), tariff(60, [1, 400])]
  expect(withPlaces(theirs, mine, ['30:1', '60:1', '90:1'])).toEqual([
    tariff(30, [1, 220], [2, 210]),
    tariff(60, [1, 400]),
  ])
  expect(withPlaces(theirs, mine, [])).toEqual(theirs)
})
