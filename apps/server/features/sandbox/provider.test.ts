import { beforeAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { TestClock } from '../../../../test/support/service.ts'
import { type Charge, ProviderRefusal } from '../../ports/payments.ts'
import { Sandbox } from './provider.ts'
import { actOnSandboxPayment } from './queries.ts'
import type { Action } from './state.ts'

const database = useTestDatabase()
const clock = new TestClock()
let sandbox: Sandbox
let count = 0
beforeAll(() => {
  const publicUrl = () => 'https://vpn.example.com'
  sandbox = new Sandbox({ db: database().db, key: Buffer.alloc(32, 7), publicUrl, clock })
})

const charge = (fields: Partial<Charge> = {}): Charge => ({
  paymentId: `pay_${++count}`,
  method: 'ton',
  amount: 345,
  currency: 'TON',
  title: { ru: 'VPN на 30 дней', en: 'VPN for 30 days' },
  returnUrl: 'https://vpn.example.com/cabinet',
  createdAt: clock.now(),
  expiresAt: clock.now() + 3600,
  ...fields,
})
const open = async (): Promise<string> => {
  const made = charge()
  await sandbox.create(made)
  return made.paymentId
}
const act = (paymentId: string, action: Action) =>
  actOnSandboxPayment(database().db, paymentId, action, clock.now())
const money = { providerPaymentId: null, amount: 345, currency: 'TON' }
const read = (paymentId: string) => sandbox.read({ paymentId, ...money, createdAt: clock.now() })
const refund = (paymentId: string, fields = {}) =>
  sandbox.refund({
    ...money,
    refundId: 'r1',
    receiptId: `sandbox-${paymentId}`,
    payer: null,
    recipient: null,
    ...fields,
  })

const received = (id: string) => ({
  kind: 'received',
  paymentId: id,
  providerPaymentId: id,
  receiptId: `sandbox-${id}`,
  amount: 345,
  currency: 'TON',
  payer: null,
})

test('the same charge twice is one payment, also at once and after it was paid', async () => {
  const first = charge()
  const made = { providerPaymentId: first.paymentId, link: `https://vpn.example.com/pay/${first.paymentId}` }
  const all = await Promise.all(Array.from({ length: 5 }, () => sandbox.create(first)))
  expect(all).toEqual(Array(5).fill(made))
  await act(first.paymentId, 'pay')
  expect(await sandbox.create(first)).toEqual(made)
  expect(await read(first.paymentId)).toEqual([received(first.paymentId)])
})

test('another amount or currency under the same name is refused, and so is an unknown currency', async () => {
  const first = charge()
  await sandbox.create(first)
  await expect(sandbox.create({ ...first, amount: 1 })).rejects.toThrow(ProviderRefusal)
  await expect(sandbox.create({ ...first, currency: 'USDT' })).rejects.toThrow(ProviderRefusal)
  await expect(sandbox.create(charge({ currency: 'EUR' }))).rejects.toThrow(ProviderRefusal)
})

test('it takes every method and currency the service sells in', async () => {
  for (const currency of ['RUB', 'TON', 'USDT', 'XTR', 'USD']) await sandbox.create(charge({ currency }))
  expect(sandbox.methods).toEqual(['sbp', 'card', 'ton', 'usdt', 'stars'])
})

test('it knows nothing of a payment until the customer acts', async () => {
  const id = await open()
  expect(await read(id)).toEqual([])
  expect(await read('nobody')).toEqual([])
  await act(id, 'decline')
  expect(await read(id)).toEqual([
    { kind: 'canceled', paymentId: id, providerPaymentId: id, reason: expect.any(String) },
  ])
})

test('only a payment that was made is refunded, as a whole and once', async () => {
  const id = await open()
  await expect(refund(id)).rejects.toThrow(ProviderRefusal)
  await act(id, 'pay')
  await expect(refund(id, { amount: 1 })).rejects.toThrow(ProviderRefusal)
  await expect(refund(id, { currency: 'RUB' })).rejects.toThrow(ProviderRefusal)
  await expect(refund(id, { receiptId: `another-${id}` })).rejects.toThrow(ProviderRefusal)
  await expect(refund('nobody')).rejects.toThrow(ProviderRefusal)
  expect(await read(id)).toEqual([received(id)])
  expect(await Promise.all(Array.from({ length: 5 }, () => refund(id)))).toEqual(Array(5).fill('done'))
  clock.advance(1000)
  expect(await refund(id)).toBe('done')
  const refunded = { kind: 'refunded', receiptId: `sandbox-${id}`, amount: 345, currency: 'TON' }
  expect(await read(id)).toEqual([received(id), refunded])
})

test('a declined payment is never refunded', async () => {
  const id = await open()
  await act(id, 'decline')
  await expect(refund(id)).rejects.toThrow(ProviderRefusal)
})
