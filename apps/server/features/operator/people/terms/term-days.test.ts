import type { Role } from '@sallyport/contract/operation'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../../../test/support/cloud-servers.ts'
import { addLocation, enrolNode } from '../../../../../../test/support/node.ts'
import { accountOf } from '../../../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../../test/support/service.ts'
import { createOperator } from '../../../../core/operators/operators.ts'

let service: TestService
let account: ReturnType<typeof accountOf>
const tokens = new Map<Role, string>()
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
  for (const role of ['owner', 'support', 'finance', 'technician'] as const) {
    tokens.set(role, await createOperator(service.db, { name: role, role, now: service.clock.now() }))
  }
})
beforeEach(() => service.heartbeat())
afterEach(async () => expect(await account.broken({ isAtRest: false })).toEqual([]))
afterAll(() => service.stop())

const day = 86_400
const reason = 'two days without a server'
const customer = () => service.createUser({ balance: 100_000 })
const termsOf = (user: TestUser) =>
  service.db
    .selectFrom('terms')
    .select(['id', 'item_id', 'product', 'state', 'expires_at', 'auto_renewal', 'reminders_sent'])
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()
const termOf = async (user: TestUser) => {
  const [term] = await termsOf(user)
  if (!term) throw new Error('nothing was bought')
  return term
}
const change = (id: number, days: unknown, role: Role = 'owner', headers: Record<string, string> = {}) =>
  service.call('POST', `/operator/v1/terms/${id}/days`, {
    token: tokens.get(role) as string,
    body: { days, reason },
    headers,
  })
const changed = async (id: number, days: number, role: Role = 'owner'): Promise<number> => {
  const answer = await change(id, days, role)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data.expires_at
}
const notes = async (user: TestUser, language = 'ru'): Promise<string[]> => {
  const headers = { 'accept-language': language }
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((note: { content: string }) => note.content.replaceAll('\u00a0', ' '))
}
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await service.running.runJobs()
}
const refund = async (user: TestUser, at = 0) => {
  const { body } = await service.operator('GET', `/payments?user_id=${user.id}`)
  const path = `/payments/${body.data[at].id}/refund`
  const answer = await service.operator('POST', path, { to: 'balance', reason: 'asked' })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
}

describe('giving and taking', () => {
  test('moves the end, tells the customer and is in the log', async () => {
    const user = await customer()
    const { expires_at: end } = await service.buy(user)
    const { id } = await termOf(user)
    expect(await changed(id, 3)).toBe(end + 3 * day)
    expect(await changed(id, -1)).toBe(end + 2 * day)
    expect((await service.customer(user, 'GET', '/configs')).body.data[0].expires_at).toBe(end + 2 * day)
    expect(await notes(user)).toEqual([
      'Поддержка увеличила срок подключения «Нидерланды» на 3 дня.',
      'Поддержка сократила срок подключения «Нидерланды» на 1 день.',
    ])
    const { body } = await service.operator('GET', `/audit?action=changeTermDays&subject=term:${id}`)
    expect(body.data[1].details).toEqual({
      before: { expires_at: end },
      after: { expires_at: end + 3 * day },
      reason,
    })
  })

  test('tells an English customer in English', async () => {
    const user = await customer()
    await service.buy(user)
    const { id } = await termOf(user)
    for (const days of [1, -2, -40]) await changed(id, days)
    expect(await notes(user, 'en')).toEqual([
      'Support added 1 day to the connection “Netherlands”.',
      'Support took 2 days from the connection “Netherlands”.',
      'Support ended the connection “Netherlands”.',
    ])
  })

  test('what has ended comes back from now, as a renewal would; long ended it is gone', async () => {
    const user = await customer()
    await service.buy(user)
    const { id, item_id } = await termOf(user)
    await pass(31 * day)
    expect(await termOf(user)).toMatchObject({ state: 'expired' })
    expect(await changed(id, 5)).toBe(service.clock.now() + 5 * day)
    expect(await termOf(user)).toMatchObject({ state: 'active' })
    const placed = await service.db
      .selectFrom('placements')
      .select('is_present')
      .where('access_id', '=', item_id)
      .where('is_present', '=', true)
      .execute()
    expect(placed).toHaveLength(1)
    await pass(20 * day)
    expect(await change(id, 5)).toMatchObject({ status: 404, body: { errorCode: 1 } })
  })

  test('an option and a machine have days too', async () => {
    const user = await customer()
    const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
    await service.customer(user, 'POST', '/paid-options', order)
    await new CloudTests(service).active(user)
    for (const { id, expires_at } of await termsOf(user)) {
      expect(await changed(id, 10)).toBe(expires_at + 10 * day)
    }
    await pass(40 * day + 3600)
    for (const { id, state } of await termsOf(user)) {
      expect(state).toBe('expired')
      expect(await changed(id, 1)).toBe(service.clock.now() + day)
    }
    await service.running.runJobs()
    expect((await termsOf(user)).map(({ state }) => state)).toEqual(['active', 'active'])
    expect(await notes(user)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Поддержка увеличила срок пакета серверов .+ на 10 дней\.$/),
        expect.stringMatching(/^Поддержка увеличила срок вашего сервера .+ на 10 дней\.$/),
      ]),
    )
  })

  test('an option that ended a moment ago begins afresh, as by a renewal', async () => {
    const user = await customer()
    const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
    await service.customer(user, 'POST', '/paid-options', order)
    const { id, expires_at: end } = await termOf(user)
    service.clock.advance(end - service.clock.now() + 2)
    await service.heartbeat()
    expect(await termOf(user)).toMatchObject({ state: 'active' })
    await changed(id, 3)
    const { period_began_at } = await service.db
      .selectFrom('option_terms')
      .select('period_began_at')
      .where('term_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(period_began_at).toBeGreaterThan(end)
  })

  test('taking more than is left ends it now, and nothing renews it', async () => {
    const user = await customer()
    await service.buy(user, { enable_auto_renewal: true })
    const { id, item_id } = await termOf(user)
    expect(await changed(id, -3650)).toBe(service.clock.now())
    await service.running.runJobs()
    expect(await termOf(user)).toMatchObject({ state: 'expired', auto_renewal: false })
    const placed = await service.db
      .selectFrom('placements')
      .select('is_present')
      .where('access_id', '=', item_id)
      .execute()
    expect(placed).toEqual([{ is_present: false }])
    expect(await notes(user)).toEqual(['Поддержка завершила срок подключения «Нидерланды».'])
    expect(await change(id, -1)).toMatchObject({ status: 409, body: { errorCode: 6 } })
    expect((await account.money(user))[0]).toBe(100_000 - 200)
  })

  test('reminders and automatic renewal follow the new end', async () => {
    const user = await customer()
    const { expires_at: end } = await service.buy(user, { enable_auto_renewal: true })
    const { id } = await termOf(user)
    await pass(27 * day + 60)
    expect((await termOf(user)).reminders_sent).toBe(1)
    await changed(id, 10)
    expect((await termOf(user)).reminders_sent).toBe(0)
    await pass(3 * day)
    expect((await termOf(user)).expires_at).toBe(end + 10 * day)
    await changed(id, -9)
    await service.running.runJobs()
    expect((await termOf(user)).expires_at).toBe(end + 31 * day)
  })
})

describe('refunds', () => {
  test('given days stay when the order before or behind them is refunded', async () => {
    const user = await customer()
    const { id: item, expires_at: end } = await service.buy(user)
    const { id } = await termOf(user)
    service.clock.advance(day)
    await changed(id, 7)
    const givenAt = service.clock.now()
    await service.customer(user, 'POST', `/configs/renewal/${item}`, { payment_method_id: 1 })
    expect((await termOf(user)).expires_at).toBe(end + 37 * day)
    await refund(user)
    expect((await termOf(user)).expires_at).toBe(end + 7 * day)
    await refund(user, 1)
    expect((await termOf(user)).expires_at).toBe(givenAt + 7 * day)
    await pass(0)
    expect((await termOf(user)).state).toBe('active')
  })

  test('taken days are not given back by a refund, nor taken twice', async () => {
    const user = await customer()
    const { id: item, expires_at: end } = await service.buy(user)
    await service.customer(user, 'POST', `/configs/renewal/${item}`, { payment_method_id: 1 })
    const { id } = await termOf(user)
    await changed(id, -10)
    await refund(user)
    expect((await termOf(user)).expires_at).toBe(end - 10 * day)
  })

  test('days that brought it back count from the moment they came', async () => {
    const user = await customer()
    const { id: item } = await service.buy(user)
    const { id } = await termOf(user)
    await pass(35 * day)
    const back = await changed(id, 10)
    service.clock.advance(5 * day)
    await service.heartbeat()
    await service.customer(user, 'POST', `/configs/renewal/${item}`, { payment_method_id: 1 })
    await refund(user)
    expect((await termOf(user)).expires_at).toBe(back)
  })

  test('days of an option that went into another go with its orders', async () => {
    const [from, to] = [await customer(), await customer()]
    const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
    for (const user of [from, to]) await service.customer(user, 'POST', '/paid-options', order)
    const [given, own] = [await termOf(from), await termOf(to)]
    await changed(given.id, 4)
    expect((await account.move(from, to)).status).toBe(200)
    const longer = own.expires_at + 34 * day
    // The two were bought some seconds apart.
    expect(Math.abs((await termOf(to)).expires_at - longer)).toBeLessThan(10)
    await refund(to)
    expect(Math.abs((await termOf(to)).expires_at - longer + 30 * day)).toBeLessThan(10)
  })
})

test('days, renewals and refunds at once: every one of them counts', async () => {
  const user = await customer()
  const { id: item, expires_at: end } = await service.buy(user)
  const { id } = await termOf(user)
  const renew = () => service.customer(user, 'POST', `/configs/renewal/${item}`, { payment_method_id: 1 })
  await renew()
  const [, order] = (await service.operator('GET', `/payments?user_id=${user.id}`)).body.data.toReversed()
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, at) => change(id, at % 3 === 2 ? -1 : 4)),
    renew(),
    renew(),
    service.operator('POST', `/payments/${order.id}/refund`, { to: 'balance', reason: 'asked' }),
  ])
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
  expect((await termOf(user)).expires_at).toBe(end + (4 * 4 - 2 + 60) * day)
})

describe('who may', () => {
  test('support gives up to 30 days to one term within 30 days, all of support together', async () => {
    const user = await customer()
    await service.buy(user, { tariff_id: 2 })
    const { id } = await termOf(user)
    const name = { name: 'other', role: 'support', now: service.clock.now() } as const
    const other = await createOperator(service.db, name)
    for (const days of [-1, -3650, 31, 3650]) {
      const answer = await change(id, days, 'support')
      expect([answer.status, answer.body.errorCode], String(days)).toEqual([403, 4])
    }
    await changed(id, 20, 'support')
    await changed(id, 300)
    const body = { days: 11, reason }
    const path = `/operator/v1/terms/${id}/days`
    const refused = await service.call('POST', path, { token: other, body })
    expect([refused.status, refused.body.errorCode]).toEqual([409, 6])
    expect(refused.body.details).toEqual([
      {
        path: 'days',
        problem:
          'support gives at most 30\u00a0days to a term within 30\u00a0days, and has given 20\u00a0days already',
      },
    ])
    const rest = await service.call('POST', path, { token: other, body: { ...body, days: 10 } })
    expect(rest.status).toBe(200)
    expect((await change(id, 1, 'support')).status).toBe(409)
    const second = await service.buy(user)
    const [, another] = await termsOf(user)
    expect(another?.item_id).toBe(second.id)
    await changed(another?.id as number, 30, 'support')
    service.clock.advance(30 * day)
    await service.heartbeat()
    await changed(id, 30, 'support')
  })

  test('at once they give no more than that either', async () => {
    const user = await customer()
    const { expires_at: end } = await service.buy(user)
    const { id } = await termOf(user)
    const answers = await Promise.all(Array.from({ length: 6 }, () => change(id, 10, 'support')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409])
    expect((await termOf(user)).expires_at).toBe(end + 30 * day)
  })

  test('nobody else', async () => {
    const user = await customer()
    await service.buy(user)
    const { id } = await termOf(user)
    for (const role of ['finance', 'technician'] as const) {
      expect((await change(id, 1, role)).status, role).toBe(403)
    }
  })
})

describe('what is refused', () => {
  test.each([[0], [3651], [-3651], [1.5], ['3'], [undefined]])('%j days', async (days) => {
    const user = await customer()
    await service.buy(user)
    const answer = await change((await termOf(user)).id, days)
    expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
  })

  test('no reason, and what is not there', async () => {
    const user = await customer()
    await service.buy(user)
    const { id } = await termOf(user)
    const silent = await service.operator('POST', `/terms/${id}/days`, { days: 1 })
    expect([silent.status, silent.body.errorCode]).toEqual([400, 3])
    expect(await change(999_999_999, 1)).toMatchObject({ status: 404, body: { errorCode: 1 } })
  })

  test('a full location has no room for what has ended, and nothing changes', async () => {
    const locationId = await addLocation(service)
    const node = await enrolNode(service, locationId, { capacity: 1 })
    await node.report()
    const [user, next] = [await customer(), await customer()]
    const { expires_at: end } = await service.buy(user, { location_id: locationId })
    await pass(31 * day)
    await node.report()
    await service.buy(next, { location_id: locationId })
    const { id } = await termOf(user)
    expect(await change(id, 5)).toMatchObject({ status: 409, body: { errorCode: 22 } })
    expect(await termOf(user)).toMatchObject({ state: 'expired', expires_at: end })
    expect(await notes(user)).not.toContainEqual(expect.stringContaining('увеличила'))
  })

  test('the same key gives them once', async () => {
    const user = await customer()
    const { expires_at: end } = await service.buy(user)
    const { id } = await termOf(user)
    const key = { 'idempotency-key': `days-${id}` }
    const answers = await Promise.all(Array.from({ length: 4 }, () => change(id, 2, 'owner', key)))
    expect(answers.map(({ body }) => body.data)).toEqual(Array(4).fill({ expires_at: end + 2 * day }))
    expect((await change(id, 3, 'owner', key)).status).toBe(409)
    expect((await termOf(user)).expires_at).toBe(end + 2 * day)
  })
})
