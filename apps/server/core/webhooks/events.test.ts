import { eventTypes } from '@sallyport/contract/operator/webhooks/webhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { localOrder, orderMachine } from '../../../../test/support/machines.ts'
import { enrolNode } from '../../../../test/support/node.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'
import { countStatementsDuring } from '../../../../test/support/statements.ts'
import { raiseAlert } from '../kernel/alerts.ts'

/** What happens is written down with the change itself, and only where an endpoint wants to know. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterEach(async () => {
  await service.db.deleteFrom('webhooks').execute()
  await service.db.deleteFrom('outbox').execute()
})
afterAll(() => service.stop())

/** One that nobody delivers to: its address is refused when it is dialled. */
const endpoint = async (events: readonly string[] = eventTypes, isActive = true) => {
  const body = { url: 'https://crm.example.com/', events, is_active: isActive }
  const { id } = (await service.operator('POST', '/webhooks', body)).body.data
  await service.db.updateTable('webhooks').set({ url: 'https://127.0.0.1/' }).where('id', '=', id).execute()
  return id
}

const told = async (...types: string[]) => {
  const rows = await service.db.selectFrom('outbox').selectAll().orderBy('id').execute()
  return rows.filter(({ type }) => types.length === 0 || types.includes(type))
}
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await service.running.runJobs()
}
const orderOf = async (user: TestUser) =>
  (await service.operator('GET', `/payments?user_id=${user.id}`)).body.data[0]
const day = 86_400

test('nothing is written when no endpoint that is on wants it', async () => {
  await endpoint(['node.offline'])
  await endpoint(['user.created', 'order.paid', 'term.started'], false)
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user)
  expect(await told()).toEqual([])
})

test('a purchase asks the database as often with endpoints as without', async () => {
  const user = await service.createUser({ balance: 100_000 })
  const without = await countStatementsDuring(service, () => service.buy(user))
  await endpoint()
  await endpoint()
  expect(await countStatementsDuring(service, () => service.buy(user))).toBe(without)
  expect((await told('order.paid')).length).toBeGreaterThan(0)
})

test('a purchase that is undone is not told of', async () => {
  await endpoint()
  const poor = await service.createUser()
  const answer = await service.customer(poor, 'POST', '/configs', usualOrder)
  expect(answer.status).toBe(402)
  expect((await told()).map(({ type }) => type)).toEqual(['user.created'])
})

test('each endpoint is told of what it wants, once', async () => {
  const both = [await endpoint(['user.created']), await endpoint(['user.created', 'order.paid'])]
  const user = await service.createUser({ email: 'somebody@example.com' })
  const [event] = await told()
  expect(event).toMatchObject({
    event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    type: 'user.created',
    subject: `user:${user.id}`,
    data: { user_id: user.id, referrer_id: null, created_at: service.clock.now() },
  })
  expect(JSON.stringify(event)).not.toContain('@')
  const deliveries = await service.db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
  expect(deliveries.map((row) => [row.webhook_id, row.outbox_id, row.subject])).toEqual(
    both.map((id) => [id, event?.id, `user:${user.id}`]),
  )
})

describe('the life of what is bought', () => {
  test('started, ending, ended, started again', async () => {
    await endpoint()
    const user = await service.createUser({ balance: 1000 })
    const { id } = await service.buy(user)
    const order = await orderOf(user)
    expect(
      (await told('order.paid', 'term.started')).map(({ type, subject, data }) => [type, subject, data]),
    ).toEqual([
      [
        'order.paid',
        `order:${order.id}`,
        expect.objectContaining({
          order_id: order.id,
          user_id: user.id,
          product: 'configs',
          days: 30,
          price: 200,
          currency: 'RUB',
          value_rub: 200,
          is_renewal: false,
          is_gift: false,
        }),
      ],
      [
        'term.started',
        expect.stringMatching(/^term:\d+$/),
        expect.objectContaining({ user_id: user.id, product: 'configs', item_id: id, auto_renewal: false }),
      ],
    ])
    await pass(27 * day + 60)
    await pass(2 * day)
    await pass(day)
    const renewal = { payment_method_id: 1, tariff_id: 1 }
    const renewed = await service.customer(user, 'POST', `/configs/renewal/${id}`, renewal)
    expect(renewed.status, JSON.stringify(renewed.body)).toBeLessThan(300)
    const ofTerm = (await told('term.started', 'term.ending', 'term.ended')).filter(
      ({ data }) => data.user_id === user.id,
    )
    expect(new Set(ofTerm.map(({ subject }) => subject)).size).toBe(1)
    // The first is forgotten by now.
    expect(ofTerm.map(({ type }) => type)).toEqual(['term.ending', 'term.ended', 'term.started'])
    expect((await told('order.paid')).at(-1)?.data).toMatchObject({ is_renewal: true, item_id: id })
  })

  test('refunded', async () => {
    await endpoint()
    const user = await service.createUser({ balance: 1000 })
    await service.buy(user)
    const { id } = await orderOf(user)
    await service.operator('POST', `/payments/${id}/refund`, { to: 'balance', reason: 'asked' })
    await service.running.runJobs()
    const events = await told('order.paid', 'order.refunded')
    expect(events.map(({ type, subject }) => [type, subject])).toEqual([
      ['order.paid', `order:${id}`],
      ['order.refunded', `order:${id}`],
    ])
    expect(events[1]?.data).toMatchObject({ refunded_to: 'balance', refunded_at: service.clock.now() })
    expect(await told('term.ended')).toHaveLength(1)
  })

  test('given, ended and begun again by an operator', async () => {
    await endpoint()
    const user = await service.createUser()
    const gift = { product_type: 'configs', location_id: 1, protocol: 'vless', days: 5, reason: 'sorry' }
    expect((await service.operator('POST', `/users/${user.id}/grants`, gift)).status).toBe(201)
    const [{ term_id: term }] = (await service.operator('GET', `/users/${user.id}`)).body.data.terms
    const change = (days: number) =>
      service.operator('POST', `/terms/${term}/days`, { days, reason: 'asked' })
    expect((await change(-100)).status).toBe(200)
    await service.running.runJobs()
    expect((await change(3)).status).toBe(200)
    const events = await told('user.created', 'order.paid', 'term.started', 'term.ended')
    expect(events.map(({ type }) => type)).toEqual([
      'user.created',
      'order.paid',
      'term.started',
      'term.ended',
      'term.started',
    ])
  })

  test('gone with its account', async () => {
    await endpoint()
    const user = await service.createUser({ balance: 1000 })
    await service.buy(user)
    const gone = await service.call('DELETE', '/v1/profile', { token: user.session_token })
    expect(gone.status).toBe(200)
    expect(await told('term.ended')).toHaveLength(1)
  })

  test('limited, when its traffic is used up', async () => {
    await endpoint()
    const user = await service.createUser({ balance: 10_000 })
    const { body } = await service.operator('GET', '/paid-options')
    const [option] = body.data
    const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0].id }
    const bought = await service.customer(user, 'POST', '/paid-options', order)
    expect(bought.status, JSON.stringify(bought.body)).toBe(201)
    const { term_id: termId } = await service.db
      .selectFrom('option_terms')
      .select('term_id')
      .orderBy('term_id', 'desc')
      .executeTakeFirstOrThrow()
    await service.db
      .updateTable('option_terms')
      .set({ traffic_limit: 10, period_base: -100 })
      .where('term_id', '=', termId)
      .execute()
    // As the release before notes it.
    await service.db.insertInto('moved_meters').values({ term_id: termId }).execute()
    await service.running.runJobs()
    await service.running.runJobs()
    expect((await told('term.limited')).map(({ subject }) => subject)).toEqual([`term:${termId}`])
  })
})

test('an order that was given says so', async () => {
  await endpoint(['order.paid'])
  const user = await service.createUser()
  const gift = {
    product_type: 'configs',
    location_id: 1,
    protocol: 'vless',
    days: 30,
    reason: 'a mistake of ours',
  }
  await service.heartbeat()
  expect((await service.operator('POST', `/users/${user.id}/grants`, gift)).status).toBe(201)
  expect((await told('order.paid')).at(-1)?.data).toMatchObject({ user_id: user.id, is_gift: true, price: 0 })
})

describe('money from outside', () => {
  const act = (link: string, action: string) =>
    service.call('POST', new URL(link).pathname, { body: { action } })

  test('is told of when it came, in the currency that it came in', async () => {
    await endpoint()
    const user = await service.createUser()
    const order = { ...usualOrder, payment_method_id: 4 }
    const { body } = await service.customer(user, 'POST', '/configs', order)
    expect(await told('order.paid')).toEqual([])
    await act(body.data.link, 'pay')
    await service.running.runJobs()
    const [paid, ...others] = await told('order.paid')
    expect(others).toEqual([])
    expect(paid?.data).toMatchObject({ user_id: user.id, currency: 'TON', price: 0.7 })
  })

  test('is told of once when it does not come', async () => {
    await endpoint()
    const user = await service.createUser()
    const { body } = await service.customer(user, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
    await act(body.data.link, 'decline')
    await service.running.runJobs()
    await pass(7200)
    const failed = await told('payment.failed')
    const { id } = await orderOf(user)
    expect(failed.map(({ subject, data }) => [subject, data])).toEqual([
      [
        `order:${id}`,
        {
          payment_id: expect.any(String),
          order_id: id,
          user_id: user.id,
          provider: 'sandbox',
          method: 'sbp',
          amount: 200,
          currency: 'RUB',
          reason: 'canceled',
        },
      ],
    ])
  })
})

test('a withdrawal that is asked for', async () => {
  await endpoint()
  const user = await service.createUser({ referral_balance: 5000 })
  const card = { amount: 1000, card_number: '4111111111111111' }
  expect((await service.customer(user, 'POST', '/profile/referral/withdraw/card', card)).status).toBe(201)
  const [event] = await told('withdrawal.requested')
  expect(event).toMatchObject({
    subject: expect.stringMatching(/^withdrawal:\d+$/),
    data: { user_id: user.id, method: 'card', amount: 1000 },
  })
  expect(JSON.stringify(event)).not.toContain('1111')
})

test('a node that is gone and comes back, in that order, each once', async () => {
  await endpoint()
  const node = await enrolNode(service, 1)
  await node.report()
  await service.running.runJobs()
  expect(await told('node.offline')).toEqual([])
  service.clock.advance(91)
  await service.running.runJobs()
  await service.running.runJobs()
  await node.report()
  await service.running.runJobs()
  const events = (await told('node.offline', 'node.online')).filter(
    ({ subject }) => subject === `node:${node.nodeId}`,
  )
  expect(events.map(({ type }) => type)).toEqual(['node.offline', 'node.online'])
  expect(events[0]?.data).toMatchObject({ node_id: node.nodeId, name: expect.any(String) })
})

test('the node of a cloud is the operator’s, also while it carries a customer’s machine', async () => {
  await endpoint(['node.offline'])
  const { user, id } = await orderMachine(service, localOrder)
  await pass(0)
  const [machine] = (await service.customer(user, 'GET', '/cloud-servers')).body.data
  expect(machine).toMatchObject({ id, status: 'active' })
  const { node_id: nodeId } = await service.db
    .selectFrom('clouds')
    .select('node_id')
    .where('kind', '=', 'local')
    .executeTakeFirstOrThrow()
  await service.db
    .updateTable('nodes')
    .set({ public_key: crypto.randomUUID() })
    .where('id', '=', nodeId as number)
    .execute()
  service.clock.advance(91)
  await service.running.runJobs()
  expect((await told('node.offline')).map(({ subject }) => subject)).toContain(`node:${nodeId}`)
})

test('an alert is told of when it opens, with what to do, and not again while it is open', async () => {
  await endpoint()
  const alert = {
    kind: 'dispute',
    subject: `sandbox:${crypto.randomUUID()}`,
    details: {},
    now: service.clock.now(),
  } as const
  await raiseAlert(service.db, alert)
  await raiseAlert(service.db, alert)
  expect((await told('alert.opened')).map(({ data }) => data)).toEqual([
    expect.objectContaining({
      kind: 'dispute',
      subject: alert.subject,
      text_ru: expect.stringContaining('спор'),
      text_en: expect.stringContaining('dispute'),
    }),
  ])
})
