import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderReply, StandIn } from '../../../../../test/support/providers/stand-in.ts'
import { type Charge, ProviderRefusal, ProviderUnreachable, type Refund } from '../../../ports/payments.ts'
import { YooKassa } from './yookassa.ts'

/** Says whatever the test wants. */
class Liar extends StandIn {
  reply: ProviderReply = { status: 200, json: {} }
  protected answer = () => this.reply
  protected failure = () => this.reply
}

const liar = new Liar()
const credentials = { shopId: '1', secretKey: 'secret' }
let deceived: YooKassa
beforeAll(async () => {
  await liar.start()
  deceived = new YooKassa({ ...credentials, url: liar.url })
})
afterAll(() => liar.stop())

const charge: Charge = {
  paymentId: 'ours',
  method: 'sbp',
  amount: 250,
  currency: 'RUB',
  title: { ru: 'Конфигурация', en: 'A configuration' },
  returnUrl: 'https://vpn.example.com/paid',
  createdAt: 1_800_000_000,
  expiresAt: 1_800_003_600,
}
const refund: Refund = {
  refundId: 'r-1',
  receiptId: 'p-1',
  providerPaymentId: 'p-1',
  amount: 250,
  currency: 'RUB',
  payer: null,
  recipient: null,
}

describe('every status', () => {
  const error = { type: 'error', id: 'x', code: 'some_code', description: 'words' }
  test.each([
    [400, error, ProviderRefusal],
    [401, error, ProviderRefusal],
    [403, '<html>', ProviderRefusal],
    [404, error, ProviderRefusal],
    [415, undefined, ProviderRefusal],
    [408, error, ProviderUnreachable],
    [429, error, ProviderUnreachable],
    [500, error, ProviderUnreachable],
    [503, '<html>', ProviderUnreachable],
    [202, { type: 'processing', retry_after: 1800 }, ProviderUnreachable],
    [302, {}, ProviderUnreachable],
  ])('%i', async (status, json, expected) => {
    liar.reply = { status, json: json ?? null }
    await expect(deceived.create(charge)).rejects.toThrow(expected)
    await expect(deceived.refund(refund)).rejects.toThrow(expected)
  })

  test('nobody there, and nobody who answers in time', async () => {
    const nobody = new YooKassa({ ...credentials, url: 'http://127.0.0.1:1' })
    await expect(nobody.create(charge)).rejects.toThrow(ProviderUnreachable)
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const waiting = new YooKassa({ ...credentials, url, timeoutMs: 50 })
    await expect(waiting.create(charge)).rejects.toThrow(/Timeout/)
    silent.close()
  })
})

describe('hostile answers', () => {
  const good = {
    id: 'p-1',
    status: 'succeeded',
    paid: true,
    amount: { value: '250.00', currency: 'RUB' },
    metadata: { payment_id: 'ours' },
  }
  const known = { paymentId: 'ours', providerPaymentId: 'p-1', amount: 250, currency: 'RUB', createdAt: 0 }
  test('the answer that the next ones are bent from is good', async () => {
    liar.reply = { status: 200, json: good }
    expect(await deceived.read(known)).toMatchObject([{ kind: 'received', amount: 250 }])
  })

  const money = (value: unknown, currency: unknown = 'RUB') => ({ ...good, amount: { value, currency } })
  test.each<[string, unknown]>([
    ['nothing', null],
    ['a list', [good]],
    ['a number', 5],
    ['another payment', { ...good, id: 'p-2' }],
    ['another payment of ours', { ...good, metadata: { payment_id: 'other' } }],
    ['no metadata', { ...good, metadata: null }],
    ['an unknown state', { ...good, status: 'SUCCEEDED' }],
    ['succeeded and unpaid', { ...good, paid: false }],
    ['paid is a word', { ...good, paid: 'true' }],
    ['no amount', { ...good, amount: undefined }],
    ['a negative amount', money('-250.00')],
    ['nothing paid', money('0.00')],
    ['an amount that is a number', money(250)],
    ['an amount with an exponent', money('2.5e2')],
    ['an enormous amount', money('9'.repeat(30))],
    ['an unknown currency', money('250.00', 'EUR')],
    ['a currency that is a method', money('250.00', 'constructor')],
    ['a currency that is an object', money('250.00', { RUB: 1 })],
    ['a refund above the payment', { ...good, refunded_amount: { value: '251.00', currency: 'RUB' } }],
    ['a refund in another currency', { ...good, refunded_amount: { value: '1.00', currency: 'USD' } }],
    ['a negative refund', { ...good, refunded_amount: { value: '-1.00', currency: 'RUB' } }],
    ['a huge body', { ...good, description: 'x'.repeat(1_100_000) }],
  ])('%s is never a credit', async (_what, json) => {
    liar.reply = { status: 200, json }
    await expect(deceived.read(known)).rejects.toThrow(ProviderUnreachable)
  })

  test.each<[string, object]>([
    ['no link', { confirmation: null }],
    ['a link that runs', { confirmation: { confirmation_url: 'javascript:alert(1)' } }],
    ['another amount', { amount: { value: '1.00', currency: 'RUB' } }],
    ['another payment', { metadata: { payment_id: 'other' } }],
    ['a strange id', { id: '../payments' }],
  ])('a created payment with %s is not believed', async (_what, bent) => {
    const confirmation = { confirmation_url: 'https://yoomoney.ru/x' }
    const json = { ...good, status: 'pending', confirmation }
    liar.reply = { status: 200, json }
    expect(await deceived.create(charge)).toMatchObject({ providerPaymentId: 'p-1' })
    liar.reply = { status: 200, json: { ...json, ...bent } }
    await expect(deceived.create(charge)).rejects.toThrow(ProviderUnreachable)
  })

  const amount = { value: '250.00', currency: 'RUB' }
  const ours = { payment_id: 'p-1', status: 'succeeded', amount, description: 'Возврат r-1' }
  test.each<[string, unknown]>([
    ['no list', {}],
    ['a list of nothing', { items: [null, 5, 'x'] }],
    ['another payment', { items: [{ ...ours, payment_id: 'p-2' }] }],
    ['another amount', { items: [{ ...ours, amount: { value: '1.00', currency: 'RUB' } }] }],
    ['an unknown state', { items: [{ ...ours, status: 'done' }] }],
  ])('%s is not a refund', async (_what, json) => {
    liar.reply = { status: 200, json: { items: [ours] } }
    expect(await deceived.refund(refund)).toBe('done')
    liar.reply = { status: 200, json }
    await expect(deceived.refund(refund)).rejects.toThrow(ProviderUnreachable)
  })
})
