import { switchNames } from '@sallyport/contract/shapes'
import { wholeTrafficLocationId } from '@sallyport/domain/vpn/switch-rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { protocols } from '../vpn/protocols.ts'
import { moved } from '../vpn/switches.ts'
import { cloudWishIn, configWishIn, searchOf, wishIn } from './choices.ts'

const id = fc.option(fc.integer({ min: 1, max: 1e14 }), { nil: undefined })
const wish = {
  days: id,
  pay: fc.option(fc.constantFrom('balance', 'sbp'), { nil: undefined }),
  isGift: fc.boolean(),
  isAuto: fc.boolean(),
  isCode: fc.boolean(),
}
const query = (text: string) => new URLSearchParams(text)

test('what is written into the address is read out of it', () => {
  const wishes = fc
    .record({
      ...wish,
      location: fc.constantFrom(1, wholeTrafficLocationId),
      protocol: fc.constantFrom(...protocols),
      server: id,
      options: fc.subarray([...switchNames]),
    })
    .map((one) => ({
      ...one,
      options: moved({ protocol: one.protocol, locationId: one.location }, one.options).on,
    }))
  fc.assert(
    fc.property(wishes, (one) => {
      expect(configWishIn(query(searchOf(one)))).toEqual(one)
    }),
  )
  const clouds = fc.record({
    ...wish,
    location: id,
    machine: id,
    name: fc.option(fc.constant('vpn.example.com'), { nil: undefined }),
  })
  fc.assert(
    fc.property(clouds, (one) => {
      expect(cloudWishIn(query(searchOf(one)))).toEqual(one)
    }),
  )
})

test('what is usual leaves the address as it is', () => {
  expect(searchOf(configWishIn(query('')))).toBe('')
  expect(searchOf({ options: ['use_extended_settings', 'use_warp'], isAuto: true })).toBe(
    '?options=use_extended_settings,use_warp&auto=1',
  )
})

test('what makes no sense is left out', () => {
  expect(wishIn(query('days=-3&pay=<b>&gift=yes'))).toEqual({
    days: undefined,
    pay: undefined,
    isGift: false,
    isAuto: false,
    isCode: false,
  })
  const read = configWishIn(
    query('protocol=telnet&location=x&server=1e9&options=use_warp,use_magic,use_grpc'),
  )
  expect(read).toMatchObject({ protocol: 'vless', location: undefined, server: undefined })
  expect(read.options).toEqual([])
})
