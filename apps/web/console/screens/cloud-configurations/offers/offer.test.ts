import { expect, test } from 'vitest'
import { changedKeys, isSameOrder, keyOf, type Offer, withChosen } from './offer.ts'

const offer = (location_id: number, machine_type: string, reality_server_name = 'a.example'): Offer => ({
  location_id,
  cloud_id: 1,
  region: 'fsn1',
  machine_type,
  image: 'debian-13',
  reality_server_name,
})

const [small, large, other] = [offer(1, 'cx23'), offer(1, 'cx33'), offer(2, 'cx23')] as const

test('an offer that borrows another site is changed, and one that moved is not', () => {
  const elsewhere = offer(1, 'cx33', 'b.example')
  expect(changedKeys([small, large], [elsewhere, small, other])).toEqual([keyOf(large), keyOf(other)])
  expect(changedKeys([small, large], [large, small])).toEqual([])
})

test('the order counts at each location by itself', () => {
  expect(isSameOrder([small, other, large], [other, small, large])).toBe(true)
  expect(isSameOrder([small, large], [large, small])).toBe(false)
})

test('what was chosen is put into theirs', () => {
  expect(withChosen([small, other], [large, small], [keyOf(large)], false)).toEqual([small, other, large])
  expect(withChosen([small, other], [large, small], [keyOf(large), keyOf(other)], true)).toEqual([
    large,
    small,
  ])
})
