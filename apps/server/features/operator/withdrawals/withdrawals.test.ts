import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { eraseOldAccounts } from '../../../core/settlement/withdrawals.ts'

const daySeconds = 86_400
const card = '2200150000001237'
const phone = '+79161234567'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

/** Cached balances are the sums of entries; what was asked for is held, paid out, or back. */
afterEach(async () => {
  const { rows } = await sql`
    select a.id from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    where a.user_id is not null group by a.id having a.balance <> coalesce(sum(e.amount), 0)
    union all select a.id from ledger_accounts a where a.kind = 'withdrawal_hold' and a.balance <>
      (select coalesce(sum(w.amount), 0) from withdrawals w where w.user_id = a.user_id and w.status = 'pending')
    union all select a.id from ledger_accounts a where a.kind = 'payouts' and
      (select coalesce(sum(e.amount), 0) from ledger_entries e where e.account_id = a.id) <>
      (select coalesce(sum(w.amount), 0) from withdrawals w where w.status = 'paid')`.execute(service.db)
  expect(rows).toEqual([])
})

const newUser = () => service.createUser({ referral_balance: 10_000 })
const ask = async (user: TestUser, method: 'sbp' | 'card' = 'card', amount = 1500): Promise<number> => {
  const account = method === 'card' ? { card_number: card } : { phone_number: phone, bank_id: '100000000004' }
  const path = `/profile/referral/withdraw/${method}`
  const answer = await service.customer(user, 'POST', path, { amount, ...account })
  expect(answer.status).toBe(201)
  return answer.body.data.id
}
const approve = (id: number) => service.operator('POST', `/withdrawals/${id}/approve`)
const reject = (id: number, reason = 'Номер не найден.') =>
  service.operator('POST', `/withdrawals/${id}/reject`, { reason })
const reveal = (id: number) => service.operator('POST', `/withdrawals/${id}/account`)
const balance = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/profile')).body.data.referral_balance
const statusOf = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/profile/referral')).body.data[0].status
const noticesOf = (user: TestUser) =>
  service.db
    .selectFrom('notifications')
    .select(['cause', 'content', 'content_en'])
    .where('user_id', '=', user.id)
    .execute()
const auditOf = (id: number) =>
  service.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject', '=', `withdrawal:${id}`)
    .orderBy('id')
    .execute()

test('the list shows who, how much and where to, masked; by status and page', async () => {
  const user = await service.createUser({ referral_balance: 10_000, email: 'payee@example.com' })
  const ids = [await ask(user), await ask(user, 'sbp', 2000), await ask(user, 'card', 3000)] as const
  await approve(ids[2])
  const own = async (query: string) => {
    const { status, body } = await service.operator('GET', `/withdrawals${query}`)
    expect(status).toBe(200)
    return body.data.filter((row: { user_id: number }) => row.user_id === user.id)
  }
  expect((await own('')).map((row: { id: number }) => row.id)).toEqual(ids.toReversed())
  expect(await own('?status=pending&limit=1')).toEqual([
    {
      id: ids[1],
      user_id: user.id,
      email: 'payee@example.com',
      method: 'sbp',
      amount: 2000,
      bank_id: '100000000004',
      bank_name: 'Т-Банк',
      account: '+7 *** ***-45-67',
      status: 'pending',
      reason: null,
      approved_by: [],
      created_at: expect.any(Number),
      decided_at: null,
    },
  ])
  expect(await own(`?before=${ids[1]}&limit=1`)).toMatchObject([
    { id: ids[0], account: '220015******1237', bank_id: null, bank_name: null },
  ])
  expect(await own('?status=paid')).toMatchObject([{ id: ids[2], decided_at: service.clock.now() }])
  expect(await own('?status=rejected')).toEqual([])
})

describe('decisions', () => {
  test('approved: paid out, told, kept in the audit log', async () => {
    const user = await newUser()
    const id = await ask(user)
    expect((await approve(id)).body.data).toEqual({ id, status: 'paid' })
    expect([await balance(user), await statusOf(user)]).toEqual([8500, 'paid'])
    expect(await noticesOf(user)).toEqual([
      {
        cause: `withdrawal:${id}:paid`,
        content: 'Вывод 1\u00a0500\u00a0₽ на карту 220015******1237 выполнен.',
        content_en: 'Your withdrawal of 1,500\u00a0RUB to card 220015******1237 has been paid.',
      },
    ])
    expect(await auditOf(id)).toEqual([
      {
        action: 'approveWithdrawal',
        details: {
          user_id: user.id,
          method: 'card',
          amount: 1500,
          before: { status: 'pending' },
          after: { status: 'paid' },
        },
      },
    ])
  })

  test('rejected: the money is back, and the customer reads why', async () => {
    const user = await newUser()
    const id = await ask(user, 'sbp')
    expect(await balance(user)).toBe(8500)
    expect((await reject(id)).body.data).toEqual({ id, status: 'rejected' })
    expect([await balance(user), await statusOf(user)]).toEqual([10_000, 'rejected'])
    const [notice] = await noticesOf(user)
    expect(notice?.cause).toBe(`withdrawal:${id}:rejected`)
    for (const text of [notice?.content, notice?.content_en]) {
      expect(text).toMatch(/1[\u00a0,]500\u00a0(₽|RUB)/)
      expect(text).toContain('+7 *** ***-45-67')
      expect(text).toContain('Номер не найден.')
    }
    expect(await auditOf(id)).toMatchObject([
      { action: 'rejectWithdrawal', details: { user_id: user.id, reason: 'Номер не найден.' } },
    ])
  })

  test('a second decision is 409 and changes nothing; an unknown withdrawal is 404; a reason is needed', async () => {
    const user = await newUser()
    const [paid, rejected] = [await ask(user), await ask(user)]
    await approve(paid)
    await reject(rejected)
    for (const id of [paid, rejected]) {
      for (const again of [await approve(id), await reject(id)]) {
        expect([again.status, again.body.errorCode]).toEqual([409, 6])
      }
      expect(await auditOf(id)).toHaveLength(1)
    }
    expect(await balance(user)).toBe(8500)
    expect(await noticesOf(user)).toHaveLength(2)
    for (const answer of [await approve(999_999), await reject(999_999), await reveal(999_999)]) {
      expect([answer.status, answer.body.errorCode]).toEqual([404, 1])
    }
    expect((await reject(await ask(user), '')).status).toBe(400)
  })

  test('20 operators at once: one decision has effect', async () => {
    const user = await newUser()
    for (let round = 0; round < 3; round++) {
      const before = await balance(user)
      const id = await ask(user)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? approve(id) : reject(id))),
      )
      const effective = answers.filter((answer) => answer.status === 200)
      expect(effective).toHaveLength(1)
      expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19)
      const isPaid = effective[0]?.body.data.status === 'paid'
      expect(await balance(user)).toBe(isPaid ? before - 1500 : before)
      expect(await auditOf(id)).toHaveLength(1)
    }
    expect(await noticesOf(user)).toHaveLength(3)
  })

  test('rejections and new withdrawals of one customer at once all come through', async () => {
    const user = await newUser()
    const ids = await Promise.all(Array.from({ length: 4 }, () => ask(user, 'card', 1000)))
    await Promise.all([
      ...ids.map(async (id) => expect((await reject(id)).status).toBe(200)),
      ...Array.from({ length: 4 }, () => ask(user, 'sbp', 1000)),
    ])
    expect(await balance(user)).toBe(6000)
  })
})

describe('the account', () => {
  test('is shown whole while pending, and every look is kept without it', async () => {
    const user = await newUser()
    const [byCard, bySbp] = [await ask(user), await ask(user, 'sbp')]
    expect((await reveal(byCard)).body.data).toEqual({ account: card, bank_id: null })
    expect((await reveal(bySbp)).body.data).toEqual({ account: phone, bank_id: '100000000004' })
    await reveal(bySbp)
    expect(await auditOf(bySbp)).toEqual(
      Array(2).fill({ action: 'revealWithdrawalAccount', details: { method: 'sbp' } }),
    )
    await approve(byCard)
    await reject(bySbp)
    for (const id of [byCard, bySbp]) {
      const { status, body } = await reveal(id)
      expect([status, body.errorCode]).toEqual([409, 6])
      expect(body.details[0].problem).toContain('hidden once a withdrawal is decided')
      expect(JSON.stringify(body)).not.toContain('9161234567')
    }
  })

  test('is bound to its row: moved to another it cannot be opened', async () => {
    const user = await newUser()
    const [own, other] = [await ask(user), await ask(user)]
    await sql`update withdrawals w set account_sealed = o.account_sealed from withdrawals o
      where w.id = ${own} and o.id = ${other}`.execute(service.db)
    expect((await reveal(own)).status).toBe(500)
    expect(await auditOf(own)).toEqual([])
  })

  test('is erased 30 days after the decision, and never while it is pending', async () => {
    const user = await newUser()
    const [paid, rejected, pending] = [await ask(user), await ask(user, 'sbp'), await ask(user)]
    await approve(paid)
    await reject(rejected)
    const kept = async () => {
      await eraseOldAccounts(service.db, service.clock.now())
      const rows = await service.db
        .selectFrom('withdrawals')
        .select('id')
        .where('user_id', '=', user.id)
        .where('account_sealed', 'is not', null)
        .orderBy('id')
        .execute()
      return rows.map((row) => row.id)
    }
    service.clock.advance(30 * daySeconds - 1)
    expect(await kept()).toEqual([paid, rejected, pending])
    service.clock.advance(1)
    expect(await kept()).toEqual([pending])
    service.clock.advance(60 * daySeconds)
    expect(await kept()).toEqual([pending])
    expect((await reveal(paid)).status).toBe(409)
    expect((await reveal(pending)).body.data.account).toBe(card)
  })
})

test('support sees the list and nothing more; finance may do all', async () => {
  const user = await newUser()
  const ids = [await ask(user), await ask(user)] as const
  const operator = (role: 'support' | 'finance') =>
    createOperator(service.db, { name: role, role, now: service.clock.now() })
  const statuses = async (token: string) => {
    const call = async (method: string, path: string, body?: object) =>
      (await service.call(method, `/operator/v1/withdrawals${path}`, { token, ...(body && { body }) })).status
    return [
      await call('GET', ''),
      await call('POST', `/${ids[0]}/account`),
      await call('POST', `/${ids[0]}/approve`),
      await call('POST', `/${ids[1]}/reject`, { reason: 'x' }),
    ]
  }
  expect(await statuses(await operator('support'))).toEqual([200, 403, 403, 403])
  expect(await statuses(await operator('finance'))).toEqual([200, 200, 200, 200])
})

describe('above the amount of the settings', () => {
  const two = (amount: number | null) => service.operator('PATCH', '/settings', { two_person_amount: amount })
  const colleague = async (name: string) => {
    const token = await createOperator(service.db, { name, role: 'finance', now: service.clock.now() })
    return (id: number) => service.call('POST', `/operator/v1/withdrawals/${id}/approve`, { token })
  }

  test('two different people approve; the first alone pays nothing', async () => {
    await two(1000)
    const other = await colleague('second')
    const user = await newUser()
    const [large, small] = [await ask(user, 'card', 1001), await ask(user, 'card', 1000)]
    expect((await approve(small)).body.data).toEqual({ id: small, status: 'paid' })
    expect((await approve(large)).body.data).toEqual({ id: large, status: 'pending' })
    const again = await approve(large)
    expect([again.status, again.body.errorCode]).toEqual([409, 6])
    const rows = (await service.operator('GET', '/withdrawals?status=pending')).body.data
    expect(rows.find((row: { id: number }) => row.id === large).approved_by).toHaveLength(1)
    expect(await noticesOf(user)).toHaveLength(1)
    expect((await other(large)).body.data).toEqual({ id: large, status: 'paid' })
    expect((await other(large)).status).toBe(409)
    const details = { user_id: user.id, method: 'card', amount: 1001 }
    expect(await auditOf(large)).toEqual([
      {
        action: 'approveWithdrawal',
        details: { ...details, before: { approvals: 0 }, after: { approvals: 1 } },
      },
      {
        action: 'approveWithdrawal',
        details: { ...details, before: { status: 'pending' }, after: { status: 'paid' } },
      },
    ])
    await two(null)
  })

  test('one who has approved may still reject', async () => {
    await two(1000)
    const id = await ask(await newUser(), 'card', 2000)
    await approve(id)
    expect((await reject(id)).body.data).toEqual({ id, status: 'rejected' })
    await two(null)
  })

  test.each([
    ['raised', 1000, 3000, 'pending'],
    ['taken away', 1000, null, 'pending'],
    ['lowered', 3000, 1000, 'pending'],
    ['set for the first time', null, 1000, 'pending'],
    ['raised, and enough before', 2000, 3000, 'paid'],
    ['never set', null, null, 'paid'],
  ])('the lower amount of then and now holds: %s', async (_, then, now, status) => {
    await two(then)
    const user = await newUser()
    const id = await ask(user, 'card', 2000)
    await two(now)
    expect((await approve(id)).body.data).toEqual({ id, status })
    const later = await ask(user, 'card', 2000)
    const isEnough = now === null || now >= 2000
    expect((await approve(later)).body.data.status).toBe(isEnough ? 'paid' : 'pending')
    await two(null)
  })

  test('raising it while many approve pays nothing to one person alone', async () => {
    const user = await newUser()
    for (let round = 0; round < 3; round++) {
      await two(1000)
      const id = await ask(user, 'card', 1500)
      const answers = await Promise.all([
        two(null),
        ...Array.from({ length: 8 }, () => approve(id)),
        two(5000),
        ...Array.from({ length: 4 }, () => approve(id)),
      ])
      const said = answers.map(({ body }) => body.data?.status).filter((status) => status !== undefined)
      expect(said).toEqual(['pending'])
    }
    expect(await noticesOf(user)).toEqual([])
    await two(null)
  })

  test('many at once: it is paid once, by the second person', async () => {
    await two(1000)
    const other = await colleague('third')
    const user = await newUser()
    for (let round = 0; round < 3; round++) {
      const id = await ask(user, 'card', 1500)
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => (n % 2 ? approve(id) : other(id))),
      )
      const said = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.status)
      expect(said.sort()).toEqual(['paid', 'pending'])
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
    }
    expect(await balance(user)).toBe(5500)
    await two(null)
  })
})
