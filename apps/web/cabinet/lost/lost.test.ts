import { expect, test } from 'vitest'
import { begunPayment, canForget, lostPurchases, paymentOf } from './lost.ts'

const now = 1_800_000_000

const payment = (id: number, type: string, ago: number, is_paid = true) => ({
  id,
  type,
  created_at: now - ago,
  is_paid,
})

test('only purchases that nobody waits for any more', () => {
  const sent = [
    { operation: 'buyConfig', at: now - 60 },
    { operation: 'renewConfig', at: now - 5 },
    { operation: 'createCustomSubscription', at: now - 60 },
    { operation: 'topUpBalance', at: now - 2 * 86_400 },
  ]
  expect(lostPurchases(sent, now)).toEqual([sent[0]])
})

test('the first payment of its kind since', () => {
  const history = [
    payment(4, 'new_config', 10),
    payment(3, 'new_config', 55),
    payment(2, 'balance_topup', 55),
    payment(1, 'new_config', 500),
  ]
  expect(paymentOf({ operation: 'buyConfig', at: now - 60 }, history)?.id).toBe(3)
  expect(paymentOf({ operation: 'topUpBalance', at: now - 60 }, history)?.id).toBe(2)
  expect(paymentOf({ operation: 'buyCloudServer', at: now - 60 }, history)).toBeUndefined()
})

test('what was begun within the hour can be gone on with', () => {
  expect(begunPayment([payment(2, 'renewal', 60), payment(1, 'renewal', 3000, false)], now)?.id).toBe(1)
  expect(begunPayment([payment(1, 'renewal', 3601, false)], now)).toBeUndefined()
})

test('the key of what may still arrive is kept', () => {
  const purchase = (ago: number) => ({ operation: 'buyConfig', at: now - ago })
  expect(canForget(purchase(60), false, now)).toBe(false)
  expect(canForget(purchase(60), true, now)).toBe(true)
  expect(canForget(purchase(121), false, now)).toBe(true)
})
