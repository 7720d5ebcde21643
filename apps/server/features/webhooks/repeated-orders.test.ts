import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'
import { obtainLink } from '../../core/settlement/payment-links.ts'
import type { Db } from '../../db/client.ts'
import { type PaymentProvider, ProviderUnreachable } from '../../ports/payments.ts'

/** What a browser gets that never saw its answer, was reloaded, and asks again with the key it had kept. */

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 1000 })
})
afterAll(() => service.stop())

const sbp = { ...usualOrder, payment_method_id: 2 }
const key = { 'idempotency-key': 'kept over a reload' }
const post = (path: string, body: object, token = user.api_key) =>
  service.call('POST', `/v1${path}`, { token, body, headers: key })
const history = async () => (await service.customer(user, 'GET', '/profile/payments-history')).body.data

describe('the first answer, link and payment_id and all', () => {
  test.each<[string, string, () => Promise<object>]>([
    ['a purchase', '/configs', async () => sbp],
    ['a top-up', '/profile/balance/topup', async () => ({ amount: 100, payment_method_id: 2 })],
    ['an option', '/paid-options', async () => ({ paid_option_id: 1, payment_method_id: 2, tariff_id: 11 })],
    [
      'a cloud server',
      '/cloud-servers',
      async () => ({ location_id: 1, payment_method_id: 2, tariff_id: 31 }),
    ],
  ])('%s', async (_what, path, bodyOf) => {
    const body = await bodyOf()
    const first = await post(path, body)
    expect(first.body.data).toEqual({ link: expect.any(String), payment_id: (await history())[0].id })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    // Signed in anew meanwhile.
    const again = await post(path, body, user.session_token)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await history()).toHaveLength(1)
  })

  test('a renewal', async () => {
    const { id } = await service.buy(user)
    const renew = () => post(`/configs/renewal/${id}`, { payment_method_id: 2, tariff_id: 1 })
    const first = await renew()
    expect(first.body.data).toEqual({ link: expect.any(String), payment_id: (await history())[0].id })
    expect((await renew()).body).toEqual(first.body)
    expect(await history()).toHaveLength(2)
  })

  test('and what the balance paid', async () => {
    const first = await post('/configs', usualOrder)
    expect((await post('/configs', usualOrder)).body).toEqual(first.body)
    expect(await history()).toHaveLength(1)
  })
})

test('the provider is asked to send people back to the payment', async () => {
  const { body } = await post('/configs', sbp)
  const page = await service.call('GET', new URL(body.data.link).pathname)
  expect(page.body).toContain(`href="${service.running.url}/payments/${body.data.payment_id}"`)
})

test('while the link is being made, a repeat waits for it', async () => {
  const first = await post('/configs', sbp)
  const payments = () => service.db.updateTable('payments').where('order_id', '=', first.body.data.payment_id)
  const { link } = await service.db
    .selectFrom('payments')
    .select('link')
    .where('order_id', '=', first.body.data.payment_id)
    .executeTakeFirstOrThrow()
  const lease = service.clock.now() + 60
  await payments().set({ state: 'creating', link: null, leased_until: lease }).execute()
  await service.db
    .updateTable('idempotency_keys')
    .set({ status: null, response_sealed: null })
    .where('actor', '=', `customer:${user.id}`)
    .execute()
  const repeat = post('/configs', sbp)
  await sleep(150)
  await payments().set({ state: 'pending', link }).execute()
  expect((await repeat).body).toEqual(first.body)
})

test('a link that could not be made is soon made for whoever repeats, even if the database failed meanwhile', async () => {
  const first = await post('/configs', sbp)
  const payment = () =>
    service.db
      .selectFrom('payments')
      .select(['id', 'leased_until'])
      .where('order_id', '=', first.body.data.payment_id)
      .executeTakeFirstOrThrow()
  const { id } = await payment()
  await service.db
    .updateTable('payments')
    .set({ state: 'creating', link: null })
    .where('id', '=', id)
    .execute()
  const { services } = service.running
  const failures = { left: 0 }
  const db = new Proxy(services.db, {
    get: (target, name: keyof Db) => {
      if (name === 'updateTable' && failures.left-- > 0) throw new Error('the database is away')
      const value = target[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const silent = {
    create: async () => {
      failures.left = 2
      throw new ProviderUnreachable('it does not answer')
    },
  } as unknown as PaymentProvider
  const now = service.clock.now()
  const link = obtainLink({ ...services, db, providers: new Map([['sandbox', silent]]) }, id, now)
  await expect(link).rejects.toMatchObject({ message: 'UNAVAILABLE' })
  expect(await payment()).toMatchObject({ leased_until: now + 60 })
  await expect.poll(payment, { timeout: 5000 }).toMatchObject({ leased_until: null })
})
