import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { StripeStandIn } from '../../../../test/support/providers/stripe.ts'
import { YooKassaStandIn } from '../../../../test/support/providers/yookassa.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { type RunningService, startService } from '../../main.ts'

/** Somebody has paid, stands on the page that they were sent back to, and no webhook comes. */

let service: TestService
let other: RunningService
let user: TestUser
const yookassa = new YooKassaStandIn()
const stripe = new StripeStandIn(() => service.clock.now())
beforeAll(async () => {
  for (const standIn of [yookassa, stripe]) await standIn.start()
  service = await startTestService({ withoutLimits: true, env: { ...yookassa.env, ...stripe.env } })
  for (const [id, provider] of [
    [2, 'yookassa'],
    [3, 'stripe'],
  ]) {
    await service.operator('PATCH', `/payment-methods/${id}`, { provider })
  }
  other = await startService(readConfig(service.env), { clock: service.clock })
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser()
  yookassa.fault = () => 'none'
})
afterAll(async () => {
  await other.stop()
  await service.stop()
  for (const standIn of [yookassa, stripe]) await standIn.stop()
})

const buy = async (standIn: YooKassaStandIn | StripeStandIn) => {
  const order = { ...usualOrder, payment_method_id: standIn === yookassa ? 2 : 3 }
  const { payment_id: id } = (await service.customer(user, 'POST', '/configs', order)).body.data
  const { provider_payment_id: providerId } = await service.db
    .selectFrom('payments')
    .select('provider_payment_id')
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id: id as number, providerId: providerId as string }
}

/** As the page is told. */
const poll = async (id: number, { url } = service.running) => {
  const headers = { authorization: `Bearer ${user.api_key}` }
  const response = await fetch(`${url}/v1/profile/payments/${id}`, { headers })
  return ((await response.json()) as { data: { state: string } }).data.state
}
/** How often the provider was asked about it. */
const asked = (providerId: string) =>
  yookassa.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(providerId)).length
const balance = async () => (await service.customer(user, 'GET', '/profile')).body.data.balance
const soon = { timeout: 5000, interval: 10 }

test.each([
  ['YooKassa', yookassa],
  ['Stripe', stripe],
])('a lost webhook of %s: the second question finds it paid', async (_name, standIn) => {
  const { id, providerId } = await buy(standIn)
  standIn.pay(providerId)
  expect(await poll(id)).toBe('waiting')
  service.clock.advance(10)
  expect(await poll(id)).toBe('waiting')
  await expect.poll(() => poll(id), soon).toBe('paid')
  expect((await service.customer(user, 'GET', '/configs')).body.data).toHaveLength(1)
  expect(await balance()).toBe(0)
})

test('the webhook that comes after all gives nothing twice', async () => {
  const { id, providerId } = await buy(yookassa)
  const { body } = yookassa.pay(providerId)
  service.clock.advance(10)
  await poll(id)
  await expect.poll(() => poll(id), soon).toBe('paid')
  const headers = { 'content-type': 'application/json' }
  await fetch(`${service.running.url}/webhooks/yookassa`, { method: 'POST', headers, body })
  await service.running.runJobs()
  expect(await poll(id)).toBe('paid')
  expect(await balance()).toBe(0)
  expect((await service.customer(user, 'GET', '/configs')).body.data).toHaveLength(1)
})

const paymentOf = (id: number) =>
  service.db
    .selectFrom('payments')
    .select(['created_at', 'asked_at', 'leased_until', 'is_awaited'])
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()

/** Nobody has it in hand, nor is about to. */
const settled = (id: number) =>
  expect.poll(() => paymentOf(id), soon).toMatchObject({ leased_until: null, is_awaited: false })

test('a customer who asks without end has the provider asked ever more rarely', async () => {
  const { id, providerId } = await buy(yookassa)
  const times = new Set<number>()
  for (let second = 0; second < 240; second += 2) {
    expect(new Set(await Promise.all([poll(id), poll(id), poll(id, other)]))).toEqual(new Set(['waiting']))
    const { created_at: createdAt, asked_at: askedAt } = await paymentOf(id)
    if (askedAt !== null) times.add(askedAt - createdAt)
    await settled(id)
    service.clock.advance(2)
  }
  expect([...times]).toEqual([10, 30, 70, 130, 190])
  expect(asked(providerId)).toBe(5)
})

test('two instances at once ask once', async () => {
  const { id, providerId } = await buy(yookassa)
  service.clock.advance(10)
  await Promise.all(Array.from({ length: 40 }, (_, n) => poll(id, n % 2 ? other : service.running)))
  await Promise.all([service.running.runJobs(), other.runJobs()])
  expect(asked(providerId)).toBe(1)
})

test('a provider that hangs is asked once at a time, and holds up nobody: not who asks, not who paid elsewhere', async () => {
  const hanging = await buy(yookassa)
  const released = Promise.withResolvers<'none'>()
  yookassa.fault = ({ path }) => (path.endsWith(hanging.providerId) ? released.promise : 'none')
  service.clock.advance(10)
  expect(await poll(hanging.id)).toBe('waiting')
  await expect.poll(() => asked(hanging.providerId), soon).toBe(1)
  // Long enough to be asked again, and for the usual round.
  for (const seconds of [30, 60, 205]) {
    service.clock.advance(seconds)
    await service.heartbeat()
    for (const at of [service.running, other]) expect(await poll(hanging.id, at)).toBe('waiting')
    await other.runJobs()
  }
  expect(asked(hanging.providerId)).toBe(1)
  const { id, providerId } = await buy(stripe)
  stripe.pay(providerId)
  service.clock.advance(10)
  await poll(id)
  await expect.poll(() => poll(id), soon).toBe('paid')
  yookassa.pay(hanging.providerId)
  released.resolve('none')
  await expect.poll(() => poll(hanging.id), soon).toBe('paid')
})

test('one that does not answer is asked again for whoever still waits', async () => {
  const { id, providerId } = await buy(yookassa)
  yookassa.pay(providerId)
  yookassa.fault = () => 'error-before'
  service.clock.advance(10)
  expect(await poll(id)).toBe('waiting')
  await expect.poll(() => asked(providerId), soon).toBeGreaterThan(0)
  await settled(id)
  yookassa.fault = () => 'none'
  service.clock.advance(20)
  await poll(id)
  await expect.poll(() => poll(id), soon).toBe('paid')
})
