import { sql } from 'kysely'
import { type Logger, symbols } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { lockBalance } from '../../core/ledger/ledger.ts'
import { inTransaction } from '../../db/client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

/** Cached balances are the sums of entries, and what is held is what pending withdrawals ask for. */
afterEach(async () => {
  const { rows } = await sql`
    select a.id from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    where a.user_id is not null group by a.id having a.balance <> coalesce(sum(e.amount), 0)
    union all select a.id from ledger_accounts a where a.kind = 'withdrawal_hold' and a.balance <>
      (select coalesce(sum(w.amount), 0) from withdrawals w where w.user_id = a.user_id and w.status = 'pending')`.execute(
    service.db,
  )
  expect(rows).toEqual([])
})

const card = '2200150000001237'
const phone = '+79161234567'
const sber = '100000000111'
const byCard = (amount: unknown, card_number: unknown = card) => ({ amount, card_number })
const bySbp = (amount: unknown, phone_number: unknown = phone, bank_id: unknown = sber) => ({
  amount,
  phone_number,
  bank_id,
})

const withdraw = (user: TestUser, method: 'sbp' | 'card', body: object, headers?: Record<string, string>) =>
  service.customer(user, 'POST', `/profile/referral/withdraw/${method}`, body, headers)
const recordsOf = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/profile/referral')).body.data
const referralBalance = async (user: TestUser): Promise<number> =>
  (await service.customer(user, 'GET', '/profile')).body.data.referral_balance
const rowsOf = (user: TestUser) =>
  service.db.selectFrom('withdrawals').selectAll().where('user_id', '=', user.id).execute()

test('the list of banks has ids and Russian names', async () => {
  const user = await service.createUser()
  const { status, body } = await service.customer(user, 'GET', '/profile/referral/withdraw/sbp-bank-list')
  expect(status).toBe(200)
  expect(body.data).toContainEqual({ id: sber, name: 'Сбербанк' })
})

test('a withdrawal holds its amount at once and shows masked', async () => {
  const user = await service.createUser({ referral_balance: 5000 })
  const { status, body } = await withdraw(user, 'card', byCard(1500, '2200 1500-0000 1237'))
  expect(status).toBe(201)
  expect(body.data).toEqual({ id: expect.any(Number), created_at: service.clock.now() })
  expect(await referralBalance(user)).toBe(3500)
  const second = await withdraw(user, 'sbp', bySbp(2000))
  expect(second.status).toBe(201)
  expect(await referralBalance(user)).toBe(1500)
  expect(await recordsOf(user)).toEqual([
    {
      amount: 2000,
      method: 'sbp',
      account: '+7 *** ***-45-67',
      status: 'pending',
      created_at: second.body.data.created_at,
    },
    {
      amount: 1500,
      method: 'card',
      account: '220015******1237',
      status: 'pending',
      created_at: body.data.created_at,
    },
  ])
})

describe('refusals keep nothing', () => {
  test.each([
    ['card', byCard(999), 'amount'],
    ['card', byCard(75_001), 'amount'],
    ['card', byCard(1000.5), 'amount'],
    ['card', byCard('1000'), 'amount'],
    ['card', byCard(1000, '2200150000001238'), 'card_number'],
    ['card', byCard(1000, '220015000000'), 'card_number'],
    ['card', byCard(1000, '0000 0000 0000 0000'), 'card_number'],
    ['card', byCard(1000, '22001500000012 э9'), 'card_number'],
    ['sbp', bySbp(999), 'amount'],
    ['sbp', bySbp(75_001), 'amount'],
    ['sbp', bySbp(1000, '89161234567'), 'phone_number'],
    ['sbp', bySbp(1000, '79161234567'), 'phone_number'],
    ['sbp', bySbp(1000, '+7916123456'), 'phone_number'],
    ['sbp', bySbp(1000, '+791612345678'), 'phone_number'],
    ['sbp', bySbp(1000, '+7 916 123-45-67'), 'phone_number'],
    ['sbp', bySbp(1000, '+79161234567\n'), 'phone_number'],
    ['sbp', bySbp(1000, phone, '100000000999'), 'bank_id'],
    ['sbp', bySbp(1000, phone, 'Сбербанк'), 'bank_id'],
    ['sbp', bySbp(1000, phone, ''), 'bank_id'],
  ] as const)('%s %j is 400 naming %s', async (method, body, path) => {
    const user = await service.createUser({ referral_balance: 100_000 })
    const answer = await withdraw(user, method, body)
    expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
    expect(answer.body.details.map((problem: { path: string }) => problem.path)).toContain(path)
    expect(await referralBalance(user)).toBe(100_000)
    expect(await recordsOf(user)).toEqual([])
  })

  test('more than was earned is errorCode 47; the wallet and the edges of the range count as they should', async () => {
    const user = await service.createUser({ referral_balance: 76_000, balance: 90_000 })
    expect((await withdraw(user, 'card', byCard(75_000))).status).toBe(201)
    const short = await withdraw(user, 'sbp', bySbp(1001))
    expect([short.status, short.body.errorCode]).toEqual([400, 47])
    expect(await rowsOf(user)).toHaveLength(1)
    expect((await withdraw(user, 'sbp', bySbp(1000))).status).toBe(201)
    expect(await referralBalance(user)).toBe(0)
  })
})

describe('at once', () => {
  test('check 21: 20 withdrawals with money for one: exactly one is held', async () => {
    const user = await service.createUser({ referral_balance: 1999 })
    const withdrawAll = () =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          n % 2 ? withdraw(user, 'card', byCard(1000)) : withdraw(user, 'sbp', bySbp(1000)),
        ),
      )
    // Nobody gets at the earnings before several have come for them.
    const { begun } = await inTransaction(service.db, async (tx) => {
      await lockBalance(tx, user.id, 'referral')
      const begun = outside(withdrawAll)
      await untilWaits(tx, begun, 2)
      return { begun }
    })
    const answers = await begun
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.errorCode === 47)).toHaveLength(19)
    expect(await referralBalance(user)).toBe(999)
    expect(await rowsOf(user)).toHaveLength(1)
  })

  test('check 21: one Idempotency-Key sent 10 times withdraws once', async () => {
    const user = await service.createUser({ referral_balance: 50_000 })
    const once = { 'idempotency-key': 'payout' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => withdraw(user, 'card', byCard(1000), once)),
    )
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1)
    expect(await referralBalance(user)).toBe(49_000)
  })
})

describe('card numbers and phones stay secret', () => {
  const forms = [card, phone.slice(2)].flatMap((secret) => [secret, Buffer.from(secret).toString('hex')])

  /** Every row of every table, as text; bytea comes in hex. */
  const dump = async (): Promise<string> => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(service.db)
    expect(tables.map((table) => table.name)).toContain('withdrawals')
    const texts = tables.map(async ({ name }) => {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
        service.db,
      )
      return rows.map((row) => row.text).join('\n')
    })
    return (await Promise.all(texts)).join('\n')
  }

  test('no table has them in plain, whatever was done with them', async () => {
    const user = await service.createUser({ referral_balance: 10_000 })
    const ids: number[] = []
    for (const [method, body] of [
      ['card', byCard(1000)],
      ['sbp', bySbp(1000)],
      ['card', byCard(1000, '2200 1500 0000 1237')],
    ] as const) {
      const answer = await withdraw(user, method, body, { 'idempotency-key': `secret ${ids.length}` })
      ids.push(answer.body.data.id)
    }
    const revealed = await service.operator('POST', `/withdrawals/${ids[0]}/account`)
    expect(revealed.body.data.account).toBe(card)
    await service.operator('POST', `/withdrawals/${ids[0]}/approve`)
    await service.operator('POST', `/withdrawals/${ids[1]}/reject`, { reason: 'no such number' })
    const text = await dump()
    expect(text).toContain('220015******1237')
    for (const form of forms) expect(text).not.toContain(form)
  })

  test('no log line has them, even when the request fails inside', async () => {
    const log = service.running.services.log as Logger & { [symbols.streamSym]: unknown }
    const lines: string[] = []
    const before = { level: log.level, stream: log[symbols.streamSym] }
    const user = await service.createUser({ referral_balance: 10_000 })
    await sql`alter table withdrawals add constraint broken check (amount <> 1234)`.execute(service.db)
    try {
      log[symbols.streamSym] = { write: (line: string) => lines.push(line) }
      log.level = 'trace'
      expect((await withdraw(user, 'card', byCard(1234))).status).toBe(500)
      expect((await withdraw(user, 'sbp', bySbp(1234))).status).toBe(500)
      expect((await withdraw(user, 'card', byCard(1000, '2200150000001238'))).status).toBe(400)
    } finally {
      log.level = before.level
      log[symbols.streamSym] = before.stream
      await sql`alter table withdrawals drop constraint broken`.execute(service.db)
    }
    expect(lines.filter((line) => line.includes('request failed'))).toHaveLength(2)
    for (const form of [...forms, '2200150000001238']) expect(lines.join('\n')).not.toContain(form)
  })
})
