import { expect, test } from 'vitest'
import { type PaidFor, paymentState } from './payment-state.ts'

const now = 1000
const order: PaidFor = {
  state: 'created',
  expiresAt: now + 1,
  creditedRub: 0,
  isHeld: false,
  isRefunded: false,
}

test.each<[string, Partial<PaidFor>, string]>([
  ['a link that is open', {}, 'waiting'],
  ['a link in its last second, which nobody has closed yet', { expiresAt: now }, 'expired'],
  ['a link that was closed', { state: 'expired', expiresAt: now }, 'expired'],
  ['one that the provider gave up', { state: 'cancelled' }, 'cancelled'],
  ['money that waits for a person', { isHeld: true }, 'processing'],
  ['the same after the link ended', { state: 'expired', isHeld: true }, 'processing'],
  ['what a person then credited', { state: 'expired', creditedRub: 90 }, 'credited'],
  ['money that came and is being turned into goods', { state: 'paid' }, 'processing'],
  ['goods', { state: 'fulfilled' }, 'paid'],
  ['goods, and a second payment on the balance', { state: 'fulfilled', creditedRub: 200 }, 'paid'],
  ['what could not be given', { state: 'refunded', creditedRub: 200 }, 'credited'],
  ['what was given back', { state: 'refunded', isRefunded: true }, 'refunded'],
  [
    'the same with a second payment on the balance',
    { state: 'refunded', isRefunded: true, creditedRub: 200 },
    'refunded',
  ],
  ['what a code had paid, and was taken back', { state: 'refunded' }, 'refunded'],
])('%s', (_what, known, expected) => {
  expect(paymentState({ ...order, ...known }, now)).toBe(expected)
})
