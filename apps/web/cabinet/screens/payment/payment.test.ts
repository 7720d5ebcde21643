import { paymentStates } from '@sallyport/contract/customer/payment-shapes'
import { expect, test } from 'vitest'
import { nextStepOf } from './next-step.ts'
import { isSettled, paceAfter } from './pace.ts'
import { titleOf } from './title.ts'

test('asks often at first and seldom later, until it is settled', () => {
  expect([0, 59, 60, 299, 300, 3600].map(paceAfter)).toEqual([2, 2, 5, 5, 15, 15])
  expect(paymentStates.filter((state) => !isSettled({ state }))).toEqual(['waiting', 'processing'])
})

const bought = { product_type: 'configs', as_key: false, is_renewal: false, item: null } as const

test('what was bought is connected next, what was renewed is looked at', () => {
  expect(nextStepOf(bought)).toEqual({ href: '/connect', does: 'connect' })
  const item = { type: 'configs', id: 7 } as const
  expect(nextStepOf({ ...bought, item })).toEqual({ href: '/connect', does: 'connect' })
  expect(nextStepOf({ ...bought, item, is_renewal: true })).toEqual({ href: '/configs/7', does: 'seeItem' })
  expect(nextStepOf({ ...bought, is_renewal: true })).toEqual({ href: '/', does: 'seeHome' })
  const option = { type: 'paid_options', id: 2 } as const
  expect(nextStepOf({ ...bought, item: option, is_renewal: true }).href).toBe('/options/2')
  const cloud = { type: 'cloud_servers', id: 3 } as const
  expect(nextStepOf({ ...bought, product_type: 'cloud_servers', item: cloud }).href).toBe('/clouds/3')
})

test('a key is sent, and a top-up leads back to what it was for', () => {
  expect(nextStepOf({ ...bought, as_key: true })).toEqual({ href: '/keys', does: 'send' })
  const topUp = { ...bought, product_type: 'balance' } as const
  expect(nextStepOf(topUp)).toEqual({ href: '/balance', does: 'seeBalance' })
  expect(nextStepOf(topUp, '/shop/config?days=90')).toEqual({ href: '/shop/config?days=90', does: 'finish' })
})

test.each([
  ['VPN connection for 3\u00a0months', {}],
  ['VPN connection for 3\u00a0months, as a gift', { as_key: true }],
  ['Renewal for 3\u00a0months', { is_renewal: true }],
  ['Europe for 3\u00a0months', { product_type: 'paid_options', product_title: 'Europe' }],
  [
    'Europe: renewal for 3\u00a0months',
    { product_type: 'paid_options', product_title: 'Europe', is_renewal: true },
  ],
  ['Server pack for 3\u00a0months', { product_type: 'paid_options' }],
  ['Your own server for 3\u00a0months', { product_type: 'cloud_servers' }],
  ['Balance top-up', { product_type: 'balance', days: 0 }],
  ['What it was', { product_type: null }],
] as const)('is called %s', (title, change) => {
  const paid = { ...bought, title: 'What it was', product_title: null, days: 90, ...change }
  expect(titleOf(paid)).toBe(title)
})
