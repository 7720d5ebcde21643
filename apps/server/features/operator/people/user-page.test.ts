import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lettersTo } from '../../../../../test/support/people/mailbox.ts'
import { TestSessions } from '../../../../../test/support/people/sessions.ts'
import { botToken } from '../../../../../test/support/people/telegram.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let people: TestSessions
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { TELEGRAM_BOT_TOKEN: botToken } })
  people = new TestSessions(service)
  await service.heartbeat()
})
afterAll(() => service.stop())

const page = async (id: number) => (await service.operator('GET', `/users/${id}`)).body.data
const change = (id: number, body: object) => service.operator('PATCH', `/users/${id}`, body)
const auditOf = async (action: string, id: number) =>
  (await service.operator('GET', `/audit?action=${action}&subject=user:${id}`)).body.data
const operatorAs = (role: 'owner' | 'finance' | 'support' | 'technician') =>
  createOperator(service.db, { name: `${role} ${crypto.randomUUID()}`, role, now: service.clock.now() })

describe('GET /users/:id', () => {
  test('shows everything of a customer', async () => {
    const user = await service.createUser({ email: 'page@example.com', balance: 5000, referral_balance: 20 })
    const config = await service.buy(user)
    await service.call('GET', `/sub/${user.subscription_key}`, {
      headers: { 'x-hwid': 'a-tablet-of-page', 'user-agent': 'Happ/3.7.0' },
    })
    await service.operator('POST', `/users/${user.id}/notifications`, { content: 'Hello' })
    await service.operator('POST', `/users/${user.id}/pricing-rules`, { type: 'all', percent: -5 })
    await service.running.runJobs()
    const shown = await page(user.id)
    expect(shown).toMatchObject({
      id: user.id,
      email: 'page@example.com',
      is_blocked: false,
      deleted_at: null,
      last_seen_at: expect.any(Number),
      balances: { wallet: 4800, referral: 20, referral_hold: 0, withdrawal_hold: 0 },
      identities: [],
      flags: { noChangeCountry: false },
      note: null,
      is_note_internal: false,
      version: 1,
      sessions: [{ id: expect.any(String), expires_at: expect.any(Number) }],
      subscriptions: [{ kind: 'account', last_fetch: { app: 'Happ/3.7.0', outcome: 'served' } }],
      devices: [{ is_blocked: false, is_fingerprinted: false }],
      pricing_rules: [{ type: 'all', percent: -5 }],
      orders: [
        { product: 'configs', state: 'fulfilled', method: 'balance', amount: 200, currency: 'RUB', days: 30 },
      ],
      events: [],
    })
    expect(shown.notifications.map((one: { content: string }) => one.content)).toContain('Hello')
    expect(shown.terms).toEqual([
      {
        term_id: expect.any(Number),
        product_type: 'configs',
        product_id: null,
        item_id: config.id,
        title: expect.any(String),
        state: 'active',
        expires_at: config.expires_at,
        stopped_at: null,
        auto_renewal: false,
        auto_renewal_days: null,
        created_at: expect.any(Number),
        place: expect.objectContaining({ location_id: 1, server_id: config.server_id, is_online: true }),
        traffic: { up: 0, down: 0 },
        accesses: [
          expect.objectContaining({ id: config.id, protocol: 'vless', is_placed: true, problem: null }),
        ],
      },
    ])
    expect(JSON.stringify(shown)).not.toContain(user.subscription_key)
  })

  test('of nobody is 404, of a deleted account what is left; a technician sees none', async () => {
    expect((await service.operator('GET', '/users/999999999')).status).toBe(404)
    const user = await service.createUser({ email: 'leaves@example.com' })
    await change(user.id, { note: 'personal', flags: { noChangeCountry: true } })
    expect((await service.call('DELETE', '/v1/profile', { token: user.session_token })).status).toBe(200)
    expect(await page(user.id)).toMatchObject({
      email: null,
      note: null,
      deleted_at: expect.any(Number),
      sessions: [],
    })
    for (const [role, status] of [
      ['support', 200],
      ['finance', 200],
      ['technician', 403],
    ] as const) {
      const token = await operatorAs(role)
      expect((await service.call('GET', `/operator/v1/users/${user.id}`, { token })).status).toBe(status)
    }
  })
})

describe('PATCH /users/:id', () => {
  test('keeps a note and flags, and the log says of the note only that it changed', async () => {
    const user = await service.createUser()
    const answer = await change(user.id, { note: 'Paid by a friend', flags: { noChangeCountry: true } })
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      { id: user.id, note: 'Paid by a friend', flags: { noChangeCountry: true }, version: 2 },
    ])
    const [entry] = await auditOf('changeUser', user.id)
    expect(entry.details).toEqual({
      before: { flags: { noChangeCountry: false } },
      after: { flags: { noChangeCountry: true } },
      changed: ['note'],
    })
    expect((await change(user.id, { note: 'Paid by a friend' })).body.data.version).toBe(2)
    const [again] = await auditOf('changeUser', user.id)
    expect(again.details).toEqual({ before: {}, after: {} })
    expect((await change(user.id, { note: null })).body.data).toMatchObject({ note: null, version: 3 })
  })

  test('a version that is no longer the one is 409 with the page as it is', async () => {
    const user = await service.createUser()
    await change(user.id, { note: 'first', version: 1 })
    const late = await change(user.id, { note: 'second', version: 1 })
    expect([late.status, late.body.data]).toMatchObject([409, { id: user.id, note: 'first', version: 2 }])
    expect((await page(user.id)).note).toBe('first')
  })

  test('a flag holds for everything that the customer has, and shows', async () => {
    const user = await service.createUser({ balance: 5000 })
    const { id } = await service.buy(user)
    const move = () =>
      service.customer(user, 'PATCH', `/configs/${id}/settings`, { location_id: 2, protocol: 'vless' })
    const flagsOf = async () => (await service.customer(user, 'GET', `/configs`)).body.data[0].flags
    await service.db
      .updateTable('accesses')
      .set({ flags: ['other'] })
      .where('id', '=', id)
      .execute()
    await change(user.id, { flags: { noChangeCountry: true } })
    expect(await flagsOf()).toEqual(['other', 'noChangeCountry'])
    const refused = await move()
    expect([refused.status, refused.body.details?.[0].path]).toEqual([400, 'location_id'])
    const later = await service.buy(user)
    const [, second] = (await service.customer(user, 'GET', `/configs`)).body.data
    expect([second.id, second.flags]).toEqual([later.id, ['noChangeCountry']])
    await change(user.id, { flags: { noChangeCountry: false } })
    expect(await flagsOf()).toEqual(['other'])
    expect((await move()).status).toBe(200)
  })

  test('a new e-mail is one spelling, is told at both ends, and opens the account', async () => {
    const user = await service.createUser({ email: 'old@example.com' })
    const answer = await change(user.id, { email: 'New.Address@Example.com' })
    expect([answer.status, answer.body.data.email]).toEqual([200, 'new.address@example.com'])
    const [entry] = await auditOf('changeUser', user.id)
    expect(JSON.stringify(entry)).not.toContain('example.com')
    expect(entry.details).toMatchObject({ changed: ['email'] })
    await expect.poll(() => lettersTo(service, 'old@example.com').at(-1)).toContain('указан другой адрес')
    expect(lettersTo(service, 'old@example.com').at(-1)).not.toContain('new.address')
    expect((await page(user.id)).events).toMatchObject([
      { kind: 'email_changed', details: { by: 'operator' } },
    ])
    const told = await service.customer(user, 'GET', '/profile/notifications')
    expect(told.body.data[0].content).toContain('новый адрес почты')
    expect((await service.customer(user, 'GET', '/profile')).body.data.email).toBe('new.address@example.com')
  })

  test('an e-mail of another customer is 409, also of two at once', async () => {
    await service.createUser({ email: 'taken@example.com' })
    const [one, other] = [await service.createUser({ email: 'mine@example.com' }), await service.createUser()]
    const refused = await change(one.id, { email: 'TAKEN@example.com', note: 'lost with it' })
    expect([refused.status, refused.body.details[0].path]).toEqual([409, 'email'])
    expect(await page(one.id)).toMatchObject({ email: 'mine@example.com', note: null, version: 1 })
    const both = await Promise.all([one, other].map(({ id }) => change(id, { email: 'wanted@example.com' })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('nonsense is 400, nobody is 404, and finance may not', async () => {
    const { id } = await service.createUser()
    for (const body of [
      { email: 'no address' },
      { email: null },
      { note: '' },
      { flags: { other: true } },
      { is_blocked: true },
    ]) {
      expect((await change(id, body)).status, JSON.stringify(body)).toBe(400)
    }
    expect((await change(999_999_999, { note: 'x' })).status).toBe(404)
    for (const [role, status] of [
      ['support', 200],
      ['finance', 403],
      ['technician', 403],
    ] as const) {
      const token = await operatorAs(role)
      const body = { note: role }
      expect((await service.call('PATCH', `/operator/v1/users/${id}`, { token, body })).status).toBe(status)
    }
  })
})

describe('POST /users/:id/sign-out', () => {
  const signOut = (id: number) => service.operator('POST', `/users/${id}/sign-out`)

  test('ends sessions and refresh tokens at once, and leaves API keys', async () => {
    const [first, second] = [await people.signIn(), await people.signInAgain()]
    const apiKey = await people.apiKeyOf(first)
    const code = await service.call('POST', '/v1/profile/signInCode', { token: first.session_token })
    expect(code.status).toBeLessThan(300)
    expect((await signOut(first.user_id)).body.data).toBe(true)
    for (const { session_token, refresh_token } of [first, second]) {
      expect(await people.statusOf(session_token)).toBe(401)
      expect((await people.refresh(refresh_token)).status).toBe(401)
    }
    expect(await people.statusOf(apiKey)).toBe(200)
    expect(
      await service.db
        .selectFrom('sign_in_codes')
        .select('kind')
        .where('user_id', '=', first.user_id)
        .execute(),
    ).toEqual([])
    expect((await page(first.user_id)).sessions).toEqual([])
    expect((await auditOf('signUserOut', first.user_id))[0].details).toEqual({
      before: { sessions: 2 },
      after: { sessions: 0 },
    })
    expect((await signOut(first.user_id)).status).toBe(200)
    expect((await signOut(999_999_999)).status).toBe(404)
  })
})

describe('GET /users/:id/diagnosis', () => {
  const diagnosis = async (user: Pick<TestUser, 'id'>) => {
    const { status, body } = await service.operator('GET', `/users/${user.id}/diagnosis`)
    expect(status).toBe(200)
    return body.data as { check: string; state: string; text_en: string; operation?: string }[]
  }
  const reasonOf = async (user: Pick<TestUser, 'id'>) => {
    const found = (await diagnosis(user)).find(({ state }) => state === 'problem')
    return found && [found.check, found.operation]
  }

  test('goes from the account to the last traffic', async () => {
    const user = await service.createUser({ balance: 9000 })
    expect((await diagnosis(user)).map(({ check }) => check)).toEqual(
      'account term payment access placement node engine limit devices last_fetch last_traffic'.split(' '),
    )
    expect(await reasonOf(user)).toEqual(['term', 'grantProduct'])
    const { id } = await service.buy(user)
    await service.heartbeat()
    expect(await reasonOf(user)).toEqual(['last_fetch', 'createNotification'])
    await service.call('GET', `/sub/${user.subscription_key}`, { headers: { 'user-agent': 'Happ/3.7.0' } })
    await service.running.runJobs()
    expect(await reasonOf(user)).toEqual(['last_traffic', 'createNotification'])
    const placed = await service.db
      .selectFrom('placements')
      .select('node_id')
      .where('access_id', '=', id)
      .executeTakeFirstOrThrow()
    const seen = { boot_id: 'boot', up: 1, down: 1, seen_at: service.clock.now() }
    await service.db
      .insertInto('traffic_counters')
      .values({ ...seen, ...placed, access_id: id })
      .execute()
    expect(await reasonOf(user)).toBeUndefined()
    service.clock.advance(91)
    expect(await reasonOf(user)).toEqual(['node', 'createEnrolment'])
    await service.heartbeat()
    await service.db.updateTable('terms').set({ paused: 'quota' }).where('user_id', '=', user.id).execute()
    expect(await reasonOf(user)).toEqual(['limit', 'changeUserOption'])
    await service.db
      .updateTable('terms')
      .set({ paused: null, state: 'expired' })
      .where('user_id', '=', user.id)
      .execute()
    expect(await reasonOf(user)).toEqual(['term', 'changeTermDays'])
    await service.operator('PATCH', `/users/${user.id}/blocked`, { is_blocked: true })
    expect(await reasonOf(user)).toEqual(['account', 'blockUser'])
    expect((await service.operator('GET', '/users/999999999/diagnosis')).status).toBe(404)
  })

  test('tells times of the operators’ time zone', async () => {
    const user = await service.createUser({ balance: 9000 })
    await service.buy(user)
    const ended = { state: 'expired', expires_at: 1_800_000_000 } as const
    await service.db.updateTable('terms').set(ended).where('user_id', '=', user.id).execute()
    const said = async () => (await diagnosis(user)).find(({ check }) => check === 'term')?.text_en
    expect(await said()).toContain('2027-01-15 11:00 Europe/Moscow')
    await service.operator('PATCH', '/settings', { time_zone: 'Asia/Yekaterinburg' })
    expect(await said()).toContain('2027-01-15 13:00 Asia/Yekaterinburg')
    await service.operator('PATCH', '/settings', { time_zone: 'Europe/Moscow' })
  })

  test('tells of a payment that was not given', async () => {
    const user = await service.createUser({ balance: 9000 })
    await service.buy(user)
    const order = await service.customer(user, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
    expect(order.status).toBe(201)
    expect((await diagnosis(user)).find(({ check }) => check === 'payment')?.state).toBe('unknown')
    const paid = { state: 'paid', paid_at: service.clock.now() - 200, next_try_at: null } as const
    await service.db
      .updateTable('orders')
      .set(paid)
      .where('user_id', '=', user.id)
      .where('state', '=', 'created')
      .execute()
    expect(await reasonOf(user)).toEqual(['payment', 'refundPayment'])
  })
})
