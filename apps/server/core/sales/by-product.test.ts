import type { PricingRuleType } from '@sallyport/contract/product-types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { findLastTariff, insertOrder, listGrants } from './orders.ts'
import { findPricingRules, listPrices, listTariffDays, priceOf, quoteFromBalance } from './prices.ts'
import { issuePromocode, redeemPromocode } from './promocodes.ts'

/** A product is a class and one of it: nothing of one option is taken for another's, nor for a configuration's. */

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 100_000 })
  const tariffs = [
    { id: 701, product: 'paid_options', product_id: 801, days: 30 },
    { id: 702, product: 'paid_options', product_id: 802, days: 30 },
    { id: 703, product: 'paid_options', product_id: 802, days: 60 },
  ] as const
  await service.db.insertInto('tariffs').values(tariffs).execute()
  const prices = [
    { tariff_id: 701, payment_method_id: 1, price: 100 },
    { tariff_id: 702, payment_method_id: 1, price: 500 },
    { tariff_id: 703, payment_method_id: 1, price: 900 },
  ]
  await service.db
    .insertInto('tariff_prices')
    .values(prices.map((price) => ({ ...price, old_price: null })))
    .execute()
})
afterAll(() => service.stop())

const first = { product: 'paid_options', productId: 801 } as const
const second = { product: 'paid_options', productId: 802 } as const
const buyer = () => ({ userId: user.id, now: service.clock.now(), providers: new Map() })

describe('prices', () => {
  test('two options of a class have each their own tariffs', async () => {
    const idsOf = async (sold: typeof first | typeof second) =>
      (await listPrices(service.db, buyer(), sold)).map((price) => price.tariff_id)
    expect([await idsOf(first), await idsOf(second)]).toEqual([[701], [702, 703]])
    expect(await listTariffDays(service.db, first)).toEqual([30])
    expect(await listTariffDays(service.db, { product: 'configs', productId: null })).not.toContain(60)
    const quoted = await quoteFromBalance(service.db, buyer(), second, 30)
    expect([quoted?.tariffId, quoted?.price.charged]).toEqual([702, 500])
  })

  test('a rule for one option names the option and not a tariff', async () => {
    const rule = (product_id: number, percent: number) => ({ type: 'paid_option', product_id, percent })
    await service.operator('POST', `/users/${user.id}/pricing-rules`, rule(801, -50))
    await service.operator('POST', `/users/${user.id}/pricing-rules`, rule(702, -90))
    const rules = await findPricingRules(service.db, user.id)
    const charged = async (sold: typeof first | typeof second) =>
      (await listPrices(service.db, buyer(), sold)).map((listed) => priceOf(listed, rules).charged)
    expect([await charged(first), await charged(second)]).toEqual([[50], [500, 900]])
  })

  test('a rule for what another release sells changes no price', async () => {
    const other = await service.createUser()
    const type = 'airship' as string as PricingRuleType
    const rule = { user_id: other.id, type, product_id: null, percent: -50, comment: null, created_at: 1 }
    await service.db.insertInto('pricing_rules').values(rule).execute()
    expect(await findPricingRules(service.db, other.id)).toEqual([])
    const { body } = await service.customer(other, 'GET', '/profile')
    expect(body.data.pricing_rules).toEqual([])
  })

  test('a key for one option does not open another, and one for the class opens any', async () => {
    const { vault } = service.running.services
    const now = service.clock.now()
    const issue = async (productId: number | null) => {
      const key = { product: 'paid_options', productId, days: 30, buyerId: user.id, now } as const
      return (await issuePromocode(service.db, vault, key)).code
    }
    const redeem = (code: string, productId: number | null) =>
      inTransaction(service.db, (tx) =>
        redeemPromocode(tx, vault, { code, product: 'paid_options', productId, userId: user.id, now }),
      )
    const code = await issue(801)
    await expect(redeem(code, 802)).rejects.toMatchObject({ code: 'PROMOCODE_INVALID' })
    expect((await redeem(code, 801)).days).toBe(30)
    expect((await redeem(await issue(null), 802)).days).toBe(30)
  })
})

describe('orders', () => {
  /** An option that happens to have a configuration's number. */
  const orderOption = async (itemId: number) => {
    const now = service.clock.now()
    const id = await insertOrder(service.db, {
      userId: user.id,
      product: 'paid_options',
      productId: 802,
      state: 'paid',
      paymentMethodId: 1,
      tariffId: 703,
      days: 60,
      price: 900,
      currency: 'RUB',
      valueRub: 900,
      priceSteps: {},
      purchase: {},
      itemId,
      isRenewal: false,
      asKey: false,
      now,
    })
    await service.db
      .updateTable('orders')
      .set({ state: 'fulfilled', fulfilled_at: now })
      .where('id', '=', id)
      .execute()
  }

  test('an option with a configuration’s number leaves that configuration’s tariff and refund alone', async () => {
    await service.heartbeat()
    const config = await service.buy(user, { tariff_id: 2 })
    await orderOption(config.id)
    const item = { product: 'configs', itemId: config.id } as const
    expect(await findLastTariff(service.db, item)).toBe(2)
    expect((await listGrants(service.db, item, 0)).map((grant) => grant.days)).toEqual([90])
    const order = await service.db
      .selectFrom('orders')
      .select('id')
      .where('product', '=', 'configs')
      .where('item_id', '=', config.id)
      .executeTakeFirstOrThrow()
    const wish = { to: 'balance', reason: 'asked' }
    expect((await service.operator('POST', `/payments/${order.id}/refund`, wish)).status).toBe(201)
    const term = await service.db
      .selectFrom('terms')
      .select('expires_at')
      .where('item_id', '=', config.id)
      .executeTakeFirstOrThrow()
    expect(term.expires_at).toBe(service.clock.now())
  })
})
