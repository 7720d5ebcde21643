import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { referralRecords } from './referral-queries.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

interface Earnings {
  readonly referrer: TestUser
  readonly friend: TestUser
  readonly count: number
  readonly amount?: number
  readonly state?: string
  readonly createdAt: number
}

/** Each a second after the one before. */
const insertEarnings = async ({
  referrer,
  friend,
  count,
  amount = 100,
  state = 'released',
  createdAt,
}: Earnings) => {
  const name = crypto.randomUUID()
  await sql`
    with placed as (
      insert into orders (user_id, product, state, days, price, value_rub, price_steps, purchase,
        created_at)
      values (${friend.id}, 'balance', 'fulfilled', 0, 500, 500, '{}', '{}', ${createdAt}) returning id
    ), asked as (
      insert into payments (public_id, order_id, provider, method_key, amount, currency, state, created_at, expires_at)
      select ${name}, id, 'sandbox', 'sbp', 500, 'RUB', 'succeeded', ${createdAt}, ${createdAt} from placed
      returning id, order_id
    ), received as (
      insert into receipts (payment_id, order_id, provider, receipt_id, amount, currency, value_rub, verdict, created_at)
      select id, order_id, 'sandbox', ${name} || n, 500, 'RUB', 500, 'accepted', ${createdAt} + n - 1
      from asked, generate_series(1, ${count}::int) n
      returning id, created_at
    )
    insert into commissions (referrer_id, referred_id, receipt_id, amount, state, release_at, created_at)
    select ${referrer.id}, ${friend.id}, id, ${amount}, ${state}, created_at + 1000000, created_at
    from received order by id`.execute(service.db)
}

const insertWithdrawals = (user: TestUser, count: number, createdAt: number) =>
  sql`
    insert into withdrawals (user_id, method, amount, account_masked, status, created_at)
    select ${user.id}, 'card', 1000 + n, '220015******1237', 'paid', ${createdAt} + n - 1
    from generate_series(1, ${count}::int) n`.execute(service.db)

const list = async (user: TestUser, query = '') => {
  const { status, body } = await service.customer(user, 'GET', `/profile/referral${query}`)
  expect(status).toBe(200)
  return body.data
}

const newPair = async (email: string | null) => {
  const referrer = await service.createUser()
  const friend = await service.createUser({
    referral_code: referrer.referral_code,
    ...(email !== null && { email }),
  })
  return { referrer, friend }
}

test('earnings show their state and whom they came from, masked; nobody else sees them', async () => {
  const { referrer, friend } = await newPair('anna@example.com')
  const silent = await service.createUser({ referral_code: referrer.referral_code })
  const at = service.clock.now()
  await insertEarnings({ referrer, friend, count: 1, amount: 1, state: 'held', createdAt: at })
  await insertEarnings({ referrer, friend, count: 1, amount: 2, state: 'released', createdAt: at })
  await insertEarnings({
    referrer,
    friend: silent,
    count: 1,
    amount: 3,
    state: 'reversed',
    createdAt: at + 2,
  })
  expect(await list(referrer)).toEqual([
    { amount: 3, status: 'cancelled', created_at: at + 2 },
    { amount: 2, status: 'available', email: 'a•••@example.com', created_at: at },
    {
      amount: 1,
      status: 'held',
      email: 'a•••@example.com',
      created_at: at,
      available_at: at + 1_000_000,
    },
  ])
  expect(await list(friend)).toEqual([])
})

test("the terms are those that hold now, with what is held of one's own earnings", async () => {
  const { referrer, friend } = await newPair(null)
  const terms = async (user: TestUser) =>
    (await service.customer(user, 'GET', '/profile/referral/terms')).body.data
  expect(await terms(referrer)).toEqual({ percent: 20, hold_days: 14, held: 0 })
  await sql`
    update ledger_accounts set balance = 180 where user_id = ${referrer.id} and kind = 'referral_hold'`.execute(
    service.db,
  )
  const changed = { referral_percent: 25, referral_hold_days: 7 }
  expect((await service.operator('PATCH', '/settings', changed)).status).toBe(200)
  expect(await terms(referrer)).toEqual({ percent: 25, hold_days: 7, held: 180 })
  expect(await terms(friend)).toMatchObject({ held: 0 })
})

test('earnings and withdrawals are one list, newest first, in pages without gaps or repeats', async () => {
  const { referrer, friend } = await newPair(null)
  const at = service.clock.now()
  await insertEarnings({ referrer, friend, count: 80, createdAt: at })
  // The same seconds as the later earnings, so that only the second rule of order tells them apart.
  await insertWithdrawals(referrer, 60, at + 50)
  const usual = await list(referrer)
  expect(usual).toHaveLength(100)
  const all = [...usual, ...(await list(referrer, '?offset=100'))]
  expect(all).toHaveLength(140)
  const moments = all.map((record) => record.created_at)
  expect(moments).toEqual(moments.toSorted((a, b) => b - a))
  const paged = []
  for (let offset = 0; offset < 147; offset += 7)
    paged.push(...(await list(referrer, `?limit=7&offset=${offset}`)))
  expect(paged).toEqual(all)
  expect(await list(referrer, `?offset=${Number.MAX_SAFE_INTEGER}`)).toEqual([])
  for (const query of ['?limit=0', '?limit=101', '?offset=-1', '?limit=x']) {
    expect((await service.customer(referrer, 'GET', `/profile/referral${query}`)).status).toBe(400)
  }
})

test('the list is read from its indexes, however long it and the tables are', async () => {
  const [few, many] = [await newPair(null), await newPair(null)]
  await insertEarnings({ ...many, count: 5000, createdAt: 1_700_000_000 })
  await insertEarnings({ ...few, count: 20, createdAt: 1_700_000_000 })
  await insertWithdrawals(many.referrer, 5000, 1_700_000_000)
  await insertWithdrawals(few.referrer, 20, 1_700_000_000)
  await sql`analyze commissions, withdrawals`.execute(service.db)
  for (const { referrer } of [few, many]) {
    const explained = await service.db.executeQuery(
      CompiledQuery.raw(`explain ${referralRecords.sql}`, [referrer.id, 100, 0]),
    )
    const plan = explained.rows.map((row) => Object.values(row as object)[0]).join('\n')
    expect(plan).toContain('commissions_referrer')
    expect(plan).toContain('withdrawals_user')
    expect(plan).not.toMatch(/Seq Scan on (commissions|withdrawals)/)
  }
})
