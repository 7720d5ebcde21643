import type { ProductClass, ProductNames } from '@sallyport/contract/products'
import { secondsInDay } from '@sallyport/domain/time/period'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CustomTests } from '../../../../test/support/custom-subscriptions.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { linksOf } from '../../../../test/support/subscription.ts'
import { inTransaction } from '../../db/client.ts'
import { claimSlot } from '../fleet/servers.ts'
import { type Bought, checkout, type Payment } from '../sales/checkout.ts'
import { type Product, purchaseReader } from '../sales/products.ts'
import { nextAccessId } from '../vpn/access/rows.ts'
import { createAccess } from '../vpn/operations/create-access.ts'
import { destroyAccesses, returnAccesses, switchAccessesOff } from '../vpn/operations/server-slots.ts'
import { lockRenewable, renewalDays } from './extend-term.ts'
import { soldForATime } from './sold-for-a-time.ts'
import { inQuotes, type TermProduct } from './term-product.ts'
import { insertTerm, type Term } from './terms.ts'

/**
 * A product that the house has never heard of goes through everything that happens to one. It is added where anybody would add
 * it: a literal to the contract's, and a registration. The contract is made anew of that, which takes a process of its own.
 */

vi.mock('@sallyport/contract/products', async (original) => {
  const balloons: ProductNames = {
    payments: { bought: 'new_balloon', renewed: 'balloon_refill' },
    rule: 'balloon',
    titles: { one: { ru: 'Шар', en: 'Balloon' }, many: { ru: 'Шары', en: 'Balloons' } },
    counted: { ru: 'шаров', en: 'balloons' },
    bridge: 'balloon',
    items: { access: 'balloon_basket' },
  }
  const { products } = await original<typeof import('@sallyport/contract/products')>()
  return { products: { ...products, balloons } }
})
const product = 'balloons' as string as ProductClass

let service: TestService
let calls: string[] = []

const readWish = purchaseReader<{ colour: string }>(Type.Object({ colour: Type.String() }))
const sold = { product, productId: 5 } as const
const idsOf = (terms: readonly Term[]) => terms.map((term) => term.id)
const note = (what: string, terms: readonly Pick<Term, 'item_id'>[]) => {
  calls.push(...terms.map((term) => `${what} ${term.item_id}`))
}

const balloons: TermProduct = {
  name: product,
  graceSeconds: 2 * secondsInDay,
  words: {
    subject: { ru: 'Шар', en: 'The balloon' },
    genitive: { ru: 'шара', en: 'balloon' },
    paid: 'оплачен',
    renewed: 'продлён',
    pronoun: 'Он',
    object: 'его',
  },
  describe: ({ days }) => ({ ru: `Шар на ${days}`, en: `A balloon for ${days}` }),
  grant: async (tx, at, order) => {
    const { colour } = readWish(order)
    const where = { locationId: 1, protocol: 'vless' } as const
    const server = await claimSlot(tx, { ...where, preferredId: undefined, isNew: true, now: at.now })
    if (!server) throw new Error('No server is there for a balloon')
    const { id: termId, itemId: id } = await insertTerm(tx, {
      ...sold,
      userId: order.userId,
      itemId: nextAccessId,
      autoRenewalDays: await renewalDays(tx, sold, order),
      expiresAt: at.now + order.days * secondsInDay,
      now: at.now,
    })
    const on = { id, termId, nodeId: server.node_id, serverId: server.id, options: [] }
    await createAccess(tx, at, { ...where, ...on })
    calls.push(`blown up ${colour}`)
    return id
  },
  prolonged: async (_tx, _at, term) => note('prolonged', [term]),
  switchOff: async (tx, at, terms) => {
    note('off', terms)
    await switchAccessesOff(tx, at, idsOf(terms))
  },
  bringBack: async (tx, at, term) => {
    note('back', [term])
    await returnAccesses(tx, at.bus, term.id)
  },
  destroy: async (tx, at, terms) => {
    note('gone', terms)
    await destroyAccesses(tx, at, terms)
  },
  namesOf: async (_tx, terms) => {
    const name = inQuotes('красный', 'red')
    return new Map(terms.map((term) => [term.id, { short: name, long: name }]))
  },
}

beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  const products = service.running.services.products as Map<ProductClass, Product>
  products.set(product, soldForATime(balloons))
  const tariff = { id: 801, product, product_id: 5, days: 30 }
  await service.db.insertInto('tariffs').values(tariff).execute()
  const price = { tariff_id: 801, payment_method_id: 1, price: 300, old_price: null }
  await service.db.insertInto('tariff_prices').values(price).execute()
})
beforeEach(async () => {
  calls = []
  await service.heartbeat()
})
afterAll(() => service.stop())

const till = () => ({ ...service.running.services, now: service.clock.now() })
const payment = { paymentMethodId: 1, tariffId: 801 }

const buy = async (user: TestUser, by: Payment = payment): Promise<number> => {
  const what = { ...sold, userId: user.id, itemId: null }
  const basket = { ...what, purchase: { colour: 'red' }, isRenewal: false, asKey: false }
  const bought = await inTransaction(service.db, (tx) => checkout(tx, till(), basket, by))
  return (bought as Bought).itemId as number
}

const renew = (user: TestUser, itemId: number) =>
  inTransaction(service.db, async (tx) => {
    await lockRenewable(tx, balloons, { userId: user.id, itemId, now: service.clock.now() })
    const what = { ...sold, userId: user.id, itemId }
    return checkout(tx, till(), { ...what, purchase: {}, isRenewal: true, asKey: false }, payment)
  })

const termOf = (itemId: number) =>
  service.db
    .selectFrom('terms')
    .select(['user_id', 'state', 'expires_at', 'auto_renewal'])
    .where('product', '=', product)
    .where('item_id', '=', itemId)
    .executeTakeFirstOrThrow()

const pass = async (days: number) => {
  service.clock.advance(days * secondsInDay)
  await service.running.runJobs()
}
const historyOf = async (user: TestUser) =>
  (await accountOf(service).get(user, '/profile/payments-history')).map((row: { type: string }) => row.type)
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
  expect(await notes(user)).toEqual([expect.stringContaining('The balloon “red” is paid for until')])
  await pass(1.5)
  expect(await termOf(id)).toMatchObject({ state: 'active', expires_at: firstEnd + 30 * secondsInDay })
  expect(await notes(user)).toContainEqual(
    'The balloon “red” was renewed for 30\u00a0days, and 300\u00a0RUB taken from the balance.',
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
  expect(await historyOf(user)).toEqual(['balloon_refill', 'renewal', 'new_balloon'])
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
  const { body } = await accountOf(service).move(source, target)
  expect(body.data).toMatchObject({ configs: 0, balloons: 1, balance: 0 })
  expect(await notes(target)).toEqual([
    expect.stringContaining('servers of your own: 0, balloons: 1, gifts: 0'),
  ])
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
  expect(await notes(target)).toContainEqual(
    expect.stringContaining(`balloon ${id} ends 30\u00a0days earlier`),
  )
})

test('a deleted account’s are gone at once', async () => {
  const user = await service.createUser({ balance: 300 })
  const id = await buy(user)
  await accountOf(service).erase(user)
  expect(await termOf(id)).toMatchObject({ state: 'deleted', auto_renewal: false })
  expect(calls).toEqual(['blown up red', `gone ${id}`])
})

test('prices follow rules for one and for all of them, in the words of the literal', async () => {
  const user = await service.createUser({ balance: 1000 })
  const rule = (body: object) => service.operator('POST', `/users/${user.id}/pricing-rules`, body)
  const spent = async () => {
    const [before] = await accountOf(service).money(user)
    await buy(user)
    return before - (await accountOf(service).money(user))[0]
  }
  expect((await rule({ type: 'balloons', percent: -10 })).status).toBe(201)
  expect(await spent()).toBe(270)
  expect((await rule({ type: 'balloon', product_id: 6, percent: -90 })).status).toBe(201)
  expect(await spent()).toBe(270)
  expect((await rule({ type: 'balloon', product_id: 5, percent: -50 })).status).toBe(201)
  expect(await spent()).toBe(150)
  const { pricing_rules: rules } = await accountOf(service).get(user, '/profile')
  const titles = rules.map((each: { product_title: string }) => each.product_title)
  expect(titles).toEqual(['Шары', 'Шар', 'Шар'])
  const prices = (await service.operator('GET', `/prices?user_id=${user.id}`)).body.data
  expect(prices.filter((each: { product_type: string }) => each.product_type === 'balloons')).toMatchObject([
    { product_id: 5, title: 'Шар', days: 30, method: 'balance', list_price: 300, price: 150 },
  ])
  const { body } = await rule({ type: 'balloons', product_id: 5, percent: 1 })
  expect(JSON.stringify(body)).toContain('is only for the types config, cloud_server, paid_option, balloon')
})

test('a code for it buys it, and no other does', async () => {
  const user = await service.createUser()
  const issue = async (product_type: string) =>
    (await service.operator('POST', '/promocodes', { product_type, days: 7, count: 1 })).body.data.codes[0]
  await expect(buy(user, { promocode: await issue('configs') })).rejects.toMatchObject({
    code: 'PROMOCODE_INVALID',
  })
  const id = await buy(user, { promocode: await issue('balloons') })
  expect((await termOf(id)).expires_at).toBe(service.clock.now() + 7 * secondsInDay)
})

test('offered for custom subscriptions, put into one, delivered there and to the account', async () => {
  const user = await service.createUser({ balance: 300 })
  const id = await buy(user)
  const custom = new CustomTests(service)
  const { configs } = (await custom.call(user, 'GET', '/available-items')).body.data
  expect(configs).toMatchObject([{ id, source: 'balloon_basket', protocol: 'vless', is_online: true }])
  expect((await custom.create(user, [{ item_type: 'user_config', item_reference_id: id }])).status).toBe(404)
  const made = await custom.made(user, { item_type: 'balloon_basket', item_reference_id: id })
  expect((await custom.show(user, made.id)).items).toMatchObject([
    { item_type: 'balloon_basket', resolved_title: configs[0].title, is_valid: true, server_config: {} },
  ])
  const fetched = async (key: string) => linksOf((await service.call('GET', `/sub/${key}`)).body)
  const links = await fetched(made.subscription_key)
  expect(links).toEqual([expect.stringMatching(/^vless:/)])
  expect(await fetched(user.subscription_key)).toEqual(links)
})

test('an end of a bridge', async () => {
  const user = await service.createUser({ balance: 1000 })
  const [first_config_id, { id: second_config_id }] = [await buy(user), await service.buy(user)]
  const bridge = { first_config_id, second_config_id, first_type: 'balloon' }
  expect((await service.customer(user, 'POST', '/configs/makeBridge', bridge)).status).toBe(201)
  const { body } = await service.customer(user, 'GET', '/configs/bridges')
  expect(body.data).toMatchObject([{ ...bridge, second_type: 'config' }])
})
