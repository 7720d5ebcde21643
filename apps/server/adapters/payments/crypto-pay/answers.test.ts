import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CryptoPayStandIn } from '../../../../../test/support/providers/crypto-pay.ts'
import {
  type ProviderReply,
  type ProviderRequest,
  StandIn,
} from '../../../../../test/support/providers/stand-in.ts'
import { type Charge, ProviderRefusal, ProviderUnreachable, type Refund } from '../../../ports/payments.ts'
import { CryptoPay } from './crypto-pay.ts'

/** Says whatever the test wants. */
class Liar extends StandIn {
  reply: (request: ProviderRequest) => ProviderReply = () => ({ status: 200, json: {} })
  protected answer = (request: ProviderRequest) => this.reply(request)
  protected failure = () => ({ status: 500, json: {} })
}

const liar = new Liar()
let deceived: CryptoPay
beforeAll(async () => {
  await liar.start()
  deceived = new CryptoPay({ token: 'token', url: liar.url })
})
afterAll(() => liar.stop())
const says = (status: number, json: unknown) => {
  liar.reply = () => ({ status, json })
}

const charge: Charge = {
  paymentId: 'ours',
  method: 'ton',
  amount: 125,
  currency: 'TON',
  title: { ru: 'Конфигурация', en: 'A configuration' },
  returnUrl: 'https://vpn.example.com/paid',
  createdAt: 1_800_000_000,
  expiresAt: 1_800_003_600,
}
const known = { ...charge, providerPaymentId: '7' }
const refund: Refund = {
  refundId: 'r-1',
  receiptId: '7',
  providerPaymentId: '7',
  amount: 125,
  currency: 'TON',
  payer: null,
  recipient: '777000',
}

const error = (code: number) => ({ ok: false, error: { code, name: 'SOME_NAME' } })
test.each<[number, unknown, typeof ProviderRefusal | typeof ProviderUnreachable]>([
  [400, error(400), ProviderRefusal],
  [401, error(401), ProviderRefusal],
  [403, error(403), ProviderRefusal],
  [405, { ok: false, error: 'METHOD_NOT_FOUND' }, ProviderRefusal],
  [200, error(400), ProviderRefusal],
  [403, '<html>', ProviderUnreachable],
  [404, null, ProviderUnreachable],
  [429, error(429), ProviderUnreachable],
  [500, error(500), ProviderUnreachable],
  [502, '<html>', ProviderUnreachable],
  [500, { ok: true, result: { items: [] } }, ProviderUnreachable],
  [200, { result: { items: [] } }, ProviderUnreachable],
  [200, { ok: 'true', result: { items: [] } }, ProviderUnreachable],
])('%i %j', async (status, json, expected) => {
  says(status, json)
  await expect(deceived.create(charge)).rejects.toThrow(expected)
  await expect(deceived.read(known)).rejects.toThrow(expected)
  await expect(deceived.refund(refund)).rejects.toThrow(expected)
})

const paid = {
  invoice_id: 7,
  status: 'paid',
  currency_type: 'crypto',
  asset: 'TON',
  amount: '1.25',
  payload: 'ours',
}
const standIn = new CryptoPayStandIn()
const webhookOf = (payload: unknown) =>
  standIn.sign(JSON.stringify({ update_id: 1, update_type: 'invoice_paid', payload }))
const received = { kind: 'received', paymentId: 'ours', providerPaymentId: '7', receiptId: '7', payer: null }

test('the answer that the next ones are bent from is good', async () => {
  says(200, { ok: true, result: { items: [paid] } })
  const fact = { ...received, amount: 125, currency: 'TON' }
  expect(await deceived.read(known)).toEqual([fact])
  expect(deceived.interpret(webhookOf(paid).body)).toEqual([fact])
})

test.each<[string, unknown, string[]]>([
  ['nothing', null, []],
  ['a number', 5, []],
  ['another invoice', { ...paid, invoice_id: '7' }, []],
  ['a negative id', { ...paid, invoice_id: -7 }, []],
  ['an unknown state', { ...paid, status: 'PAID' }, ['look']],
  ['no amount', { ...paid, amount: undefined }, ['look']],
  ['a negative amount', { ...paid, amount: '-1.25' }, ['look']],
  ['nothing paid', { ...paid, amount: '0' }, ['look']],
  ['an amount that is a number', { ...paid, amount: 1.25 }, ['look']],
  ['an enormous amount', { ...paid, amount: '9'.repeat(30) }, ['look']],
  ['an unknown asset', { ...paid, asset: 'BTC' }, ['look']],
  ['paid in an unknown asset', { ...paid, paid_asset: 'BTC', paid_amount: '1.25' }, ['look']],
  ['a strange paid amount', { ...paid, paid_amount: 'all' }, ['look']],
  ['an invoice in roubles', { ...paid, currency_type: 'fiat', fiat: 'RUB' }, ['look']],
  [
    'roubles paid in TON, nobody knows how many',
    { ...paid, currency_type: 'fiat', paid_asset: 'TON' },
    ['look'],
  ],
])('%s is never a credit', async (_what, invoice, kinds) => {
  says(200, { ok: true, result: { items: [invoice] } })
  await expect(deceived.read(known)).rejects.toThrow(ProviderUnreachable)
  expect(deceived.interpret(webhookOf(invoice).body).map((fact) => fact.kind)).toEqual(kinds)
})

test.each<[string, unknown]>([
  ['another payment of ours', { items: [{ ...paid, payload: 'other' }] }],
  ['another invoice', { items: [{ ...paid, invoice_id: 8 }] }],
  ['no list', [paid]],
  ['a huge body', { items: [paid], more: 'x'.repeat(1_100_000) }],
])('%s is not read', async (_what, result) => {
  says(200, { ok: true, result })
  await expect(deceived.read(known)).rejects.toThrow(ProviderUnreachable)
})

test.each<[string, object]>([
  ['no link', { bot_invoice_url: null }],
  ['a link that runs', { bot_invoice_url: 'javascript:alert(1)' }],
  ['another amount', { amount: '0.01' }],
  ['another asset', { asset: 'USDT' }],
  ['another payment', { payload: 'other' }],
  ['another state', { status: 'expired' }],
  ['no id', { invoice_id: null }],
])('a created invoice with %s is not believed', async (_what, bent) => {
  const active = { ...paid, status: 'active', bot_invoice_url: 'https://t.me/CryptoBot?start=IV' }
  const answering = (invoice: object) => {
    liar.reply = ({ path }) => {
      const result = path === '/createInvoice' ? invoice : { items: [] }
      return { status: 200, json: { ok: true, result } }
    }
  }
  answering(active)
  expect(await deceived.create(charge)).toEqual({ providerPaymentId: '7', link: active.bot_invoice_url })
  answering({ ...active, ...bent })
  await expect(deceived.create(charge)).rejects.toThrow(ProviderUnreachable)
})

test('an invoice is found behind several hundred others, and not made again', async () => {
  const ours = { ...paid, status: 'active', bot_invoice_url: 'https://t.me/CryptoBot?start=IV' }
  const all = Array.from({ length: 450 }, (_, n) => ({
    ...ours,
    invoice_id: 1000 - n,
    payload: `other-${n}`,
  }))
  const asked: string[] = []
  liar.reply = ({ path, query }) => {
    asked.push(`${path} ${query.get('asset')} ${query.get('status')}`)
    const offset = Number(query.get('offset'))
    const items = [...all, ours].slice(offset, offset + Number(query.get('count')))
    return { status: 200, json: { ok: true, result: { items } } }
  }
  expect(await deceived.create(charge)).toMatchObject({ providerPaymentId: '7' })
  expect(asked).toEqual(Array(3).fill('/getInvoices TON active'))
})

test.each<[string, object]>([
  ['another recipient', { user_id: '1' }],
  ['another amount', { amount: '0.01' }],
  ['another asset', { asset: 'USDT' }],
  ['another spend_id', { spend_id: 'x' }],
  ['another state', { status: 'pending' }],
])('a transfer with %s is not believed', async (_what, bent) => {
  const answering = (changes: object) => {
    liar.reply = ({ body }) => {
      const { user_id, ...asked } = JSON.parse(body)
      const transfer = { ...asked, user_id: String(user_id), status: 'completed', ...changes }
      return { status: 200, json: { ok: true, result: transfer } }
    }
  }
  answering({})
  expect(await deceived.refund(refund)).toBe('done')
  answering(bent)
  await expect(deceived.refund(refund)).rejects.toThrow(ProviderUnreachable)
})

test.each([
  ['not JSON', '{', 'ignored'],
  ['null', 'null', 'ignored'],
  ['another update', '{"update_id":1,"update_type":"other","payload":{"invoice_id":7}}', 'ignored'],
  ['no invoice', '{"update_id":1,"update_type":"invoice_paid"}', 'ignored'],
  ['a paid invoice', webhookOf(paid).body, 'event'],
])('%s, signed', (_what, body, kind) => {
  const own = new CryptoPay({ token: standIn.token })
  const { headers } = standIn.sign(body)
  expect(own.judge({ headers, body: Buffer.from(body), ip: '', now: 0 }).kind).toBe(kind)
})

test('an invoice that is not ours names nobody’s payment', () => {
  const [fact] = deceived.interpret(webhookOf({ ...paid, payload: { payment: 'ours' } }).body)
  expect(fact).toMatchObject({ kind: 'received', paymentId: null, providerPaymentId: '7' })
})

test('only a whole positive amount in a known asset is ever received', () => {
  const leaf = fc.oneof(fc.constantFrom('paid', 'crypto', 'TON', 'USDT', '1.25', '-1', 7), fc.jsonValue())
  const invoice = fc.record({
    invoice_id: leaf,
    status: leaf,
    currency_type: leaf,
    asset: leaf,
    amount: leaf,
    paid_asset: fc.option(leaf),
    paid_amount: fc.option(leaf),
    payload: leaf,
  })
  fc.assert(
    fc.property(invoice, (payload) => {
      for (const fact of deceived.interpret(webhookOf(payload).body)) {
        if (fact.kind !== 'received') continue
        expect(fact.currency).toMatch(/^(TON|USDT)$/)
        expect(Number.isSafeInteger(fact.amount) && fact.amount > 0).toBe(true)
      }
    }),
  )
})
