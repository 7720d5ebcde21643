import { secondsInDay } from '@sallyport/domain/time/period'
import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { type Bought, checkout } from '../sales/checkout.ts'
import { type Product, purchaseReader } from '../sales/products.ts'
import { holdRenewable, renewalDays } from './prolonging.ts'
import { soldForATime } from './sold-for-a-time.ts'
import type { TermProduct } from './term-product.ts'
import { insertTerm, type Term } from './terms.ts'

/** A product that the house has never heard of goes through everything that happens to terms. */

let service: TestService
let usual: Product | undefined
let calls: string[] = []

const readWish = purchaseReader<{ colour: string }>(Type.Object({ colour: Type.String() }))
const sold = { productClass: 'cloud_servers', productId: 5 } as const
const note = (what: string, terms: readonly Pick<Term, 'item_id'>[]) => {
  calls.push(...terms.map((term) => `${what} ${term.item_id}`))
}

const balloons: TermProduct = {
  name: 'cloud_servers',
  graceSeconds: 2 * secondsInDay,
  words: {
    subject: { ru: 'Шар', en: 'The balloon' },
    genitive: { ru: 'шара', en: 'balloon' },
    paid: 'оплачен',
    renewed: 'продлён',
    pronoun: 'Он',
    object: 'его',
  },
  describe: ({ days }) => ({ ru: `Шар на ${days} дн.`, en: `A balloon for ${days} days` }),
  grant: async (tx, at, order) => {
    const { colour } = readWish(order)
    const { itemId } = await insertTerm(tx, {
      userId: order.userId,
      product: 'cloud_servers',
      productId: 5,
      itemId: sql<number>`nextval('accesses_id_seq') + 1000000`,
      autoRenewalDays: await renewalDays(tx, sold, order.days),
      expiresAt: at.now + order.days * secondsInDay,
      now: at.now,
    })
    calls.push(`blown up ${colour}`)
    return itemId
  },
  prolonged: async (_tx, _at, term) => note('prolonged', [term]),
  switchOff: async (_tx, _at, terms) => note('off', terms),
  bringBack: async (_tx, _at, term) => note('back', [term]),
  destroy: async (_tx, _at, terms) => note('gone', terms),
  namesOf: async (_tx, terms) => {
    const name = { ru: 'красный', en: 'red' }
    return new Map(terms.map((term) => [term.id, { short: name, long: name }]))
  },
}

beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  const products = service.running.services.products as Map<string, Product>
  usual = products.get('cloud_servers')
  products.set('cloud_servers', soldForATime(balloons))
  const tariff = { id: 801, product: 'cloud_servers', product_id: 5, days: 30 }
  await service.db.insertInto('tariffs').values(tariff).execute()
  const price = { tariff_id: 801, payment_method_id: 1, price: 300, old_price: null }
  await service.db.insertInto('tariff_prices').values(price).execute()
})
beforeEach(() => {
  calls = []
})
afterAll(() => {
  // Whatever is sold is one list for all that runs in this process.
  const products = service.running.services.products as Map<string, Product>
  products.set('cloud_servers', usual as Product)
  return service.stop()
})

const till = () => ({ ...service.running.services, now: service.clock.now() })
const payment = { paymentMethodId: 1, tariffId: 801 }

const buy = async (user: TestUser): Promise<number> => {
  const what = { userId: user.id, product: 'cloud_servers', productId: 5, itemId: null } as const
  const basket = { ...what, purchase: { colour: 'red' }, isRenewal: false, asKey: false }
  const bought = await inTransaction(service.db, (tx) => checkout(tx, till(), basket, payment))
  return (bought as Bought).itemId as number
}

const renew = (user: TestUser, itemId: number) =>
  inTransaction(service.db, async (tx) => {
    await holdRenewable(tx, balloons, { userId: user.id, itemId, now: service.clock.now() })
    const what = { userId: user.id, product: 'cloud_servers', productId: 5, itemId } as const
    return checkout(tx, till(), { ...what, purchase: {}, isRenewal: true, asKey: false }, payment)
  })

const termOf = (itemId: number) =>
  service.db
    .selectFrom('terms')
    .select(['user_id', 'state', 'expires_at', 'auto_renewal'])
    .where('product', '=', 'cloud_servers')
    .where('item_id', '=', itemId)
    .executeTakeFirstOrThrow()

const pass = async (days: number) => {
  service.clock.advance(days * secondsInDay)
  await service.running.runJobs()
}
const notes = async (user: TestUser) => {
  await service.db.updateTable('notifications').set({ visible_at: 0 }).execute()
  const headers = { 'accept-language': 'en' }
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((row: { content: string }) => row.content)
}

test('bought, reminded of, renewed by itself, ended, brought back and gone', async () => {
  const user = await service.createUser({ balance: 900 })
  const id = await buy(user)
  const { expires_at: firstEnd } = await termOf(id)
  await pass(28)
  expect(await notes(user)).toEqual([expect.stringContaining('The balloon "red" is paid for until')])
  await pass(1.5)
  expect(await termOf(id)).toMatchObject({ state: 'active', expires_at: firstEnd + 30 * secondsInDay })
  expect(await notes(user)).toContainEqual(
    '"red" was renewed for 30 days; 300 RUB were taken from the balance.',
  )
  await service.db.updateTable('terms').set({ auto_renewal: false }).where('item_id', '=', id).execute()
  await pass(31)
  expect(await termOf(id)).toMatchObject({ state: 'expired' })
  await renew(user, id)
  expect(await termOf(id)).toMatchObject({ state: 'active' })
  await service.db.updateTable('terms').set({ auto_renewal: false }).where('item_id', '=', id).execute()
  await pass(30)
  await pass(2)
  expect(await termOf(id)).toMatchObject({ state: 'deleted' })
  await expect(renew(user, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(calls).toEqual([
    'blown up red',
    `prolonged ${id}`,
    `off ${id}`,
    `back ${id}`,
    `prolonged ${id}`,
    `off ${id}`,
    `gone ${id}`,
  ])
})

test('a refund takes its days back, and whoever has it now is told', async () => {
  const [source, target] = [await service.createUser({ balance: 600 }), await service.createUser()]
  const id = await buy(source)
  await renew(source, id)
  const { expires_at: end } = await termOf(id)
  expect((await accountOf(service).move(source, target)).status).toBe(200)
  expect(await termOf(id)).toMatchObject({ user_id: target.id, state: 'active' })
  const order = await service.db
    .selectFrom('orders')
    .select('id')
    .where('item_id', '=', id)
    .where('is_renewal', '=', true)
    .executeTakeFirstOrThrow()
  const wish = { to: 'balance', reason: 'asked' }
  expect((await service.operator('POST', `/payments/${order.id}/refund`, wish)).status).toBe(201)
  expect((await termOf(id)).expires_at).toBe(end - 30 * secondsInDay)
  expect(await notes(target)).toContainEqual(expect.stringContaining(`balloon ${id} ends earlier (days: 30)`))
})

test('a deleted account’s are gone at once', async () => {
  const user = await service.createUser({ balance: 300 })
  const id = await buy(user)
  await accountOf(service).erase(user)
  expect(await termOf(id)).toMatchObject({ state: 'deleted', auto_renewal: false })
  expect(calls).toEqual(['blown up red', `gone ${id}`])
})
