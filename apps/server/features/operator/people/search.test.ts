import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

const day = 86_400

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  await service.heartbeat()
})
afterAll(() => service.stop())

interface Row {
  readonly id: number
  readonly email: string | null
}

const ask = async (query: Record<string, string | number>) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return service.operator('GET', `/users?${text}`)
}
const find = async (query: Record<string, string | number>) => {
  const { status, body } = await ask(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data as { items: Row[]; next_cursor: string | null }
}
const idsOf = async (query: Record<string, string | number>) => (await find(query)).items.map(({ id }) => id)

/** Page after page to the end. */
const everyPage = async (query: Record<string, string | number>): Promise<number[]> => {
  const ids: number[] = []
  let cursor: string | null = null
  do {
    const page = await find({ ...query, ...(cursor && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(Number(query.limit ?? 50))
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  return ids
}

describe('a search', () => {
  test('shows what a customer has', async () => {
    const referrer = await service.createUser()
    const fields = { email: 'vera@example.com', balance: 3000, referral_balance: 40 }
    const vera = await service.createUser({ ...fields, referral_code: referrer.referral_code })
    const { expires_at } = await service.buy(vera)
    const { items, next_cursor } = await find({ search: 'vera@example.com' })
    expect(next_cursor).toBeNull()
    expect(items).toEqual([
      {
        id: vera.id,
        version: 1,
        email: 'vera@example.com',
        telegram_id: null,
        created_at: expect.any(Number),
        is_blocked: false,
        balance: 2800,
        terms: 1,
        next_end: expires_at,
        last_seen_at: expect.any(Number),
        referral_balance: 40,
        referral_code: vera.referral_code,
        referrer_id: referrer.id,
        deleted_at: null,
      },
    ])
  })

  test('finds by everything that names a customer, as a whole', async () => {
    const user = await service.createUser({ email: 'boris.petrov@example.com', balance: 5000 })
    await service.buy(user)
    const asKey = await service.customer(user, 'POST', '/configs', {
      as_key: true,
      payment_method_id: 1,
      tariff_id: 1,
      location_id: 1,
      protocol: 'vless',
    })
    const { id: identity } = { id: 700_000_123 }
    await service.db
      .insertInto('identities')
      .values({ user_id: user.id, provider: 'telegram', subject: String(identity), created_at: 1 })
      .execute()
    const headers = { 'x-hwid': 'a-phone-of-boris', 'user-agent': 'Happ/1.0' }
    await service.call('GET', `/sub/${user.subscription_key}`, { headers })
    const devices = await service.customer(user, 'GET', '/profile/devices')
    const codes = await service.customer(user, 'GET', '/profile/promocodes')
    const link = await service.customer(user, 'POST', '/profile/balance/topup', {
      payment_method_id: 2,
      amount: 100,
    })
    const paid = (await service.operator('GET', `/payments?user_id=${user.id}`)).body.data
    const names = {
      id: user.id,
      email: ' Boris.Petrov@example.com ',
      telegram: identity,
      'payment id': paid.find((row: { payment_id: string | null }) => row.payment_id)?.payment_id,
      order: paid[0].id,
      'subscription key': user.subscription_key,
      'subscription link': `${service.running.url}/sub/${user.subscription_key}?format=links`,
      promocode: JSON.stringify(codes.body.data).match(/[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/)?.[0],
      'device number': devices.body.data.devices?.[0]?.id ?? devices.body.data.items?.[0]?.id,
      hwid: 'a-phone-of-boris',
      'referral code': user.referral_code.toLowerCase(),
      'beginning of the e-mail': 'BORIS.pet',
    }
    expect([asKey.status, link.status]).toEqual([201, 200])
    for (const [name, search] of Object.entries(names)) {
      expect(search, name).toBeDefined()
      expect(await idsOf({ search: search as string }), name).toContain(user.id)
    }
    expect((await find({ search: String(identity) })).items).toMatchObject([{ telegram_id: identity }])
    for (const search of [
      'petrov',
      '%',
      'boris_petrov',
      'boris.petrov@example.co_',
      '\\',
      "' or 1=1 --",
      '999999999',
    ]) {
      expect(await idsOf({ search }), search).toEqual([])
    }
  })

  test('has the customer of that number first, whoever else the number names', async () => {
    const [older, newer] = [await service.createUser(), await service.createUser({ balance: 5000 })]
    await service.db
      .insertInto('identities')
      .values({ user_id: newer.id, provider: 'telegram', subject: String(older.id), created_at: 1 })
      .execute()
    expect((await idsOf({ search: older.id })).slice(0, 2)).toEqual([older.id, newer.id])
    const first = await find({ search: older.id, limit: 1 })
    expect(first.items[0]?.id).toBe(older.id)
    expect(await everyPage({ search: older.id, limit: 1 })).toContain(newer.id)
  })

  test('goes through e-mails by the alphabet where more begin so than can be sorted', async () => {
    const many = 1004
    await service.db
      .insertInto('users')
      .values(
        Array.from({ length: many }, (_, at) => ({
          email: `many${(at * 7919) % many}@example.com`,
          sign_in_method: 'signIn',
          referral_code: `MANY${at}`,
          referrer_id: null,
          deleted_at: null,
          created_at: 1,
        })),
      )
      .execute()
    const named = await service.createUser()
    await service.db.updateTable('users').set({ referral_code: 'MANY' }).where('id', '=', named.id).execute()
    // They have no accounts of money, so that pages show none of them and yet go on.
    const { items, next_cursor } = await find({ search: 'many' })
    expect(items.map(({ id }) => id)).toEqual([named.id])
    expect(next_cursor).not.toBeNull()
    const refused = await ask({ search: 'many', sort: 'balance' })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'search'])
    await service.db.deleteFrom('users').where('referral_code', 'like', 'MANY_%').execute()
  })
})

describe('views', () => {
  let people: Readonly<Record<string, TestUser>>
  beforeAll(async () => {
    const make = async (name: string) =>
      service.createUser({ email: `view-${name}@example.com`, balance: 9000 })
    const names = [
      'nothing',
      'connected',
      'renewed',
      'silent',
      'ending',
      'ended',
      'gone',
      'blocked',
      'paying',
    ]
    people = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await make(name)] as const)),
    )
    const at = (name: string) => people[name] as TestUser
    for (const name of ['connected', 'renewed', 'silent', 'ending', 'ended', 'gone'])
      await service.buy(at(name))
    const setTerm = (name: string, values: object) =>
      service.db.updateTable('terms').set(values).where('user_id', '=', at(name).id).execute()
    const now = service.clock.now()
    await setTerm('ending', { expires_at: now + 3 * day })
    await setTerm('renewed', { expires_at: now + 2 * day, auto_renewal: true, auto_renewal_days: 30 })
    await setTerm('ended', { state: 'expired', expires_at: now - 1 })
    await setTerm('gone', { state: 'deleted', expires_at: now - 20 * day })
    for (const name of ['connected', 'renewed']) {
      await service.call('GET', `/sub/${at(name).subscription_key}`, {
        headers: { 'user-agent': 'Happ/1.0' },
      })
    }
    await service.operator('PATCH', `/users/${at('blocked').id}/blocked`, { is_blocked: true })
    const { id: order } = await service.db
      .insertInto('orders')
      .values({
        user_id: at('paying').id,
        product: 'balance',
        product_id: null,
        item_id: null,
        state: 'fulfilled',
        payment_method_id: 2,
        promocode_id: null,
        tariff_id: null,
        days: 0,
        price: 100,
        value_rub: 100,
        price_steps: '[]',
        purchase: '{}',
        period_end: null,
        created_at: now,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: payment } = await service.db
      .insertInto('payments')
      .values({
        public_id: 'view',
        order_id: order,
        provider: 'sandbox',
        method_key: 'sbp',
        amount: 100,
        currency: 'RUB',
        state: 'succeeded',
        created_at: now,
        expires_at: now,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await service.db
      .insertInto('receipts')
      .values({
        payment_id: payment,
        order_id: order,
        provider: 'sandbox',
        receipt_id: 'view',
        amount: 100,
        currency: 'RUB',
        value_rub: 100,
        verdict: 'accepted',
        created_at: now - 30 * day + 1,
      } as never)
      .execute()
  })

  const expected = {
    active: ['connected', 'renewed', 'silent', 'ending'],
    ending: ['ending'],
    ended: ['ended', 'gone'],
    never_connected: ['silent', 'ending'],
    blocked: ['blocked'],
    paying: ['paying'],
  }

  const namesIn = (ids: readonly number[]) =>
    Object.entries(people)
      .filter(([, { id }]) => ids.includes(id))
      .map(([name]) => name)
      .sort()

  test.each(Object.entries(expected))('%s', async (view, names) => {
    const wanted = [...names].sort()
    expect(namesIn(await idsOf({ view, limit: 500 }))).toEqual(wanted)
    expect(namesIn(await idsOf({ view, search: 'view-' }))).toEqual(wanted)
    const words = { content_ru: 'Да', content_en: 'Yes' }
    const preview = await service.operator('POST', '/broadcasts', { view, ...words })
    expect(preview.body.data.total).toBe((await idsOf({ view, limit: 500 })).length)
    for (const sort of ['id', 'created_at', '-created_at', 'balance', '-balance']) {
      expect(namesIn(await everyPage({ view, sort, limit: 3 })), sort).toEqual(wanted)
    }
  })

  test('by the first end, where there is one', async () => {
    const { renewed, ending } = people as { renewed: TestUser; ending: TestUser }
    const forwards = await everyPage({ view: 'active', sort: 'next_end', limit: 2 })
    expect(forwards.slice(0, 2)).toEqual([renewed.id, ending.id])
    expect(await everyPage({ view: 'active', sort: '-next_end', limit: 2 })).toEqual(forwards.toReversed())
    for (const view of ['ended', 'blocked', 'paying']) {
      const refused = await ask({ view, sort: 'next_end' })
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'sort'])
    }
    expect((await ask({ sort: 'next_end' })).body.details[0].problem).toContain('newest, id, created_at')
  })

  test('of many ends at the same moment none is left out, and nobody comes twice', async () => {
    const end = service.clock.now() + 5 * day
    const users = []
    for (let at = 0; at < 5; at++) users.push(await service.createUser({ balance: 9000 }))
    for (const user of [...users, ...users]) await service.buy(user)
    const ids = users.map(({ id }) => id)
    await service.db.updateTable('terms').set({ expires_at: end }).where('user_id', 'in', ids).execute()
    const ours = (page: readonly number[]) => page.filter((id) => ids.includes(id))
    expect(ours(await everyPage({ view: 'active', sort: 'next_end', limit: 2 }))).toEqual(ids)
    expect(ours(await everyPage({ view: 'active', sort: '-next_end', limit: 2 }))).toEqual(ids.toReversed())
    await service.db.updateTable('terms').set({ state: 'deleted' }).where('user_id', 'in', ids).execute()
  })

  test('somebody who pays no more is not paying any more', async () => {
    service.clock.advance(1)
    expect(namesIn(await idsOf({ view: 'paying' }))).toEqual([])
    await service.heartbeat()
  })
})

describe('pages', () => {
  test('each customer is there once, in the order that is asked for', async () => {
    for (let at = 0; at < 7; at++) await service.createUser({ balance: (at * 37) % 5 })
    const all = await everyPage({ limit: 500 })
    expect(all).toEqual(all.toSorted((one, other) => other - one))
    for (const sort of ['newest', '-id', '-created_at'])
      expect(await everyPage({ sort, limit: 4 })).toEqual(all)
    for (const sort of ['id', 'created_at'])
      expect(await everyPage({ sort, limit: 4 })).toEqual(all.toReversed())
    const poorest = await everyPage({ sort: 'balance', limit: 4 })
    expect(poorest.toSorted((one, other) => other - one)).toEqual(all)
    expect(await everyPage({ sort: '-balance', limit: 4 })).toEqual(poorest.toReversed())
  })

  test('whoever comes meanwhile moves nobody', async () => {
    const first = await find({ limit: 2 })
    await service.createUser()
    const second = await find({ limit: 2, cursor: first.next_cursor as string })
    expect(second.items[0]?.id).toBeLessThan(first.items[1]?.id as number)
  })

  test('a cursor belongs to its list, and is nothing that can be made up', async () => {
    const { next_cursor: cursor } = await find({ limit: 1 })
    for (const query of [
      { cursor: 'nonsense' },
      { cursor: `${cursor}A` },
      { cursor: cursor as string, sort: 'balance' },
      { cursor: cursor as string, view: 'active' },
      { cursor: cursor as string, search: 'a' },
    ]) {
      const { status, body } = await ask(query)
      expect([status, body.details[0].path], JSON.stringify(query)).toEqual([400, 'cursor'])
    }
  })

  test('what is not offered is refused, and what is, named', async () => {
    for (const query of [
      { sort: 'last_seen_at' },
      { sort: 'email' },
      { view: 'everyone' },
      { limit: 0 },
      { before: 5 },
    ]) {
      expect((await ask(query as never)).status, JSON.stringify(query)).toBe(400)
    }
    const { body } = await ask({ sort: 'last_seen_at' })
    expect(JSON.stringify(body.details)).toContain('created_at')
  })

  test('as a table they come to the end', async () => {
    const all = await everyPage({ limit: 500 })
    const response = await fetch(`${service.running.url}/operator/v1/users?limit=2&sort=balance`, {
      headers: { authorization: `Bearer ${service.operatorToken}`, accept: 'text/csv' },
    })
    const [head, ...lines] = (await response.text()).trim().split('\r\n')
    expect(head).toContain('id,email,telegram_id')
    expect(lines).toHaveLength(all.length)
  })
})

test('every operator of customers may look, and a technician may not', async () => {
  const statuses = []
  for (const role of ['owner', 'finance', 'support', 'technician'] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    statuses.push((await service.call('GET', '/operator/v1/users', { token })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 403])
})
