import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault, ProviderReply } from '../../../../../test/support/providers/stand-in.ts'
import { StarsStandIn } from '../../../../../test/support/providers/stars.ts'
import { ProviderRefusal, ProviderUnreachable } from '../../../ports/payments.ts'
import { TelegramStars } from './stars.ts'

let now: number
let telegram: StarsStandIn
let stars: TelegramStars

const charge = (change = {}) => ({
  paymentId: 'pay_1',
  method: 'stars',
  amount: 150,
  currency: 'XTR',
  title: { ru: 'VLESS, 30 дней', en: 'VLESS, 30 days' },
  returnUrl: 'https://vpn.example/',
  createdAt: now,
  expiresAt: now + 3600,
  ...change,
})
const refundOf = (receiptId: string, change = {}) => ({
  refundId: 'ref_1',
  receiptId,
  providerPaymentId: null,
  amount: 150,
  currency: 'XTR',
  payer: '5000001' as string | null,
  recipient: null as string | null,
  ...change,
})
const made = () => {
  const payment = telegram.findByPaymentId('pay_1')
  if (!payment) throw new Error('no link was made')
  return payment
}
const says = (status: number, json: unknown): void => {
  telegram.says = (): ProviderReply => ({ status, json })
}
const failsOnce = (fault: Fault): void => {
  telegram.fault = () => {
    telegram.fault = () => 'none'
    return fault
  }
}

beforeAll(async () => {
  telegram = await new StarsStandIn(() => now).start()
})
afterAll(() => telegram.stop())
beforeEach(() => {
  now = 1_800_000_000
  telegram.payments.clear()
  telegram.transactions.length = 0
  telegram.webhooks.length = 0
  telegram.requests.length = 0
  telegram.fault = () => 'none'
  telegram.says = () => undefined
  stars = new TelegramStars({
    botToken: telegram.token,
    webhookSecret: telegram.webhookSecret,
    url: telegram.url,
    timeoutMs: 1000,
  })
})

describe('create', () => {
  test('gives a link that carries our id', async () => {
    const created = await stars.create(charge())
    expect(created).toEqual({ providerPaymentId: null, link: made().link })
    expect(made()).toMatchObject({
      paymentId: 'pay_1',
      amount: 150,
      currency: 'XTR',
      title: 'VLESS, 30 дней',
      description: 'VLESS, 30 дней\nVLESS, 30 days',
    })
    expect(JSON.parse(telegram.requests[0]?.body ?? '')).toMatchObject({ provider_token: '' })
  })

  test('cuts what is too long for Telegram, and no character in two', async () => {
    const long = `${'я'.repeat(30)}😀${'я'.repeat(300)}`
    await stars.create(charge({ title: { ru: long, en: long } }))
    expect(made().title).toBe(`${'я'.repeat(30)}…`)
    expect(made().description).toHaveLength(255)
  })

  test.each<[Fault]>([
    ['error-before'],
    ['error-after'],
    ['cut-before'],
    ['cut-after'],
  ])('%s leaves the outcome unknown; every link repeated names the one payment', async (fault) => {
    failsOnce(fault)
    await expect(stars.create(charge())).rejects.toThrow(ProviderUnreachable)
    await stars.create(charge())
    expect([...telegram.payments.values()].every(({ paymentId }) => paymentId === 'pay_1')).toBe(true)
  })

  test.each([
    ['a wrong amount', { amount: 0 }],
    ['another currency', { currency: 'RUB' }],
    ['an id that is too long', { paymentId: 'я'.repeat(65) }],
  ])('%s is refused', async (_what, change) => {
    await expect(stars.create(charge(change))).rejects.toThrow(ProviderRefusal)
  })

  test.each([
    [
      'too many requests',
      429,
      { ok: false, error_code: 429, description: 'x', parameters: { retry_after: 7 } },
    ],
    ['an error of its own', 502, { ok: false, error_code: 502, description: 'Bad Gateway' }],
    ['a page of something else', 403, '<html>'],
    ['a yes that is an error', 500, { ok: true, result: 'https://t.me/$x' }],
    ['no link', 200, { ok: true }],
    ['a link that runs', 200, { ok: true, result: 'javascript:alert(1)' }],
    ['a link that is a number', 200, { ok: true, result: 7 }],
    ['not an object', 200, null],
    ['a no without a status', 200, { ok: false, error_code: 400, description: 'x' }],
  ])('%s says nothing about the outcome', async (_what, status, json) => {
    says(status, json)
    await expect(stars.create(charge())).rejects.toThrow(ProviderUnreachable)
  })

  test('says how long Telegram asks to wait', async () => {
    says(429, {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: 7 },
    })
    await expect(stars.create(charge())).rejects.toThrow(/429.*wait 7 s/)
  })
})

describe('the token', () => {
  const isSilent = async (broken: TelegramStars, token: string): Promise<void> => {
    const error = await broken.create(charge()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(token)
  }

  test('of another bot is refused and stays out of the message', async () => {
    const token = '7:wrong-token'
    const broken = new TelegramStars({ botToken: token, webhookSecret: 's', url: telegram.url })
    await expect(broken.create(charge())).rejects.toThrow(/Unauthorized/)
    await isSilent(broken, token)
  })

  test('stays out of messages when nobody answers, when it is echoed and when one is sent elsewhere', async () => {
    const nowhere = { botToken: telegram.token, webhookSecret: 's', url: 'http://127.0.0.1:9' }
    await isSilent(new TelegramStars(nowhere), telegram.token)
    for (const before of [10, 170]) {
      says(400, {
        ok: false,
        error_code: 400,
        description: `${'x'.repeat(before)} /bot${telegram.token}/ no`,
      })
      await isSilent(stars, 'stand-in_bot')
    }
    says(302, {})
    await isSilent(stars, telegram.token)
    failsOnce('cut-before')
    await isSilent(stars, telegram.token)
  })

  test('with a line end or an address that is none is refused at once, unnamed', () => {
    const at = { webhookSecret: 's', url: telegram.url }
    expect(() => new TelegramStars({ ...at, botToken: 'secret\n' })).toThrow(/^(?!.*secret).*$/)
    const nowhere = { botToken: 'secret', webhookSecret: 's', url: 'nowhere' }
    expect(() => new TelegramStars(nowhere)).toThrow(/^(?!.*secret).*$/)
    expect(() => new TelegramStars({ botToken: 't', webhookSecret: '' })).toThrow(/empty/)
  })
})

describe('refund', () => {
  const paid = async (): Promise<string> => {
    await stars.create(charge())
    telegram.pay(made().id)
    return made().charges[0]?.chargeId ?? ''
  }

  test('gives back once, however often it is asked', async () => {
    const receiptId = await paid()
    expect(await stars.refund(refundOf(receiptId))).toBe('done')
    expect(await stars.refund(refundOf(receiptId))).toBe('done')
    expect(telegram.transactions.filter(({ receiver }) => receiver)).toHaveLength(1)
  })

  test.each<[Fault]>([
    ['error-before'],
    ['error-after'],
    ['cut-before'],
    ['cut-after'],
  ])('%s and a repetition give back once', async (fault) => {
    const receiptId = await paid()
    failsOnce(fault)
    await expect(stars.refund(refundOf(receiptId))).rejects.toThrow(ProviderUnreachable)
    expect(await stars.refund(refundOf(receiptId))).toBe('done')
    expect(telegram.transactions.filter(({ receiver }) => receiver)).toHaveLength(1)
  })

  test('needs somebody to give it to: the payer, or whom the operator named', async () => {
    const receiptId = await paid()
    const nobody = { payer: null, recipient: null }
    await expect(stars.refund(refundOf(receiptId, nobody))).rejects.toThrow(ProviderRefusal)
    const wrong = { payer: null, recipient: '@customer' }
    await expect(stars.refund(refundOf(receiptId, wrong))).rejects.toThrow(/numeric id/)
    expect(await stars.refund(refundOf(receiptId, { payer: null, recipient: '5000001' }))).toBe('done')
  })

  test('of what was never paid is refused; a strange yes is none', async () => {
    await expect(stars.refund(refundOf('stx_unknown'))).rejects.toThrow(ProviderRefusal)
    says(200, { ok: true, result: 'true' })
    await expect(stars.refund(refundOf('stx_unknown'))).rejects.toThrow(ProviderUnreachable)
  })
})
