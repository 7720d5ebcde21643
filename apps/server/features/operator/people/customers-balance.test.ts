import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const operatorAs = (role: 'owner' | 'finance' | 'support') =>
  createOperator(service.db, { name: role, role, now: service.clock.now() })
const auditOf = async (action: string, userId: number) =>
  (await service.operator('GET', `/audit?action=${action}&subject=user:${userId}`)).body.data
const notificationsOf = async (user: TestUser, language: string) => {
  const headers = { 'accept-language': language }
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((row: { content: string }) => row.content)
}

const adjust = (user: TestUser, body: object, headers?: Record<string, string>) =>
  service.call('POST', `/operator/v1/users/${user.id}/balance`, {
    token: service.operatorToken,
    body: { account: 'wallet', reason: 'why', ...body },
    ...(headers && { headers }),
  })
const transfersOf = (user: TestUser) =>
  service.db
    .selectFrom('ledger_transfers as t')
    .innerJoin('ledger_accounts as a', (join) =>
      join.on((eb) =>
        eb.or([eb('a.id', '=', eb.ref('t.from_account_id')), eb('a.id', '=', eb.ref('t.to_account_id'))]),
      ),
    )
    .select(['t.kind', 't.amount', 't.cause'])
    .where('a.user_id', '=', user.id)
    .orderBy('t.id')
    .execute()

test('gives and takes, on either account; the books, the log and the customer know', async () => {
  const user = await service.createUser({ balance: 100 })
  const given = await adjust(user, { amount: 250, reason: 'two days without a server' })
  expect([given.status, given.body.data]).toEqual([201, { balance: 350, referral_balance: 0 }])
  expect((await adjust(user, { amount: -350 })).body.data).toEqual({ balance: 0, referral_balance: 0 })
  const referral = { account: 'referral' }
  expect((await adjust(user, { ...referral, amount: 70 })).body.data.referral_balance).toBe(70)
  expect((await adjust(user, { ...referral, amount: -20 })).body.data.referral_balance).toBe(50)
  const profile = await service.customer(user, 'GET', '/profile')
  expect(profile.body.data).toMatchObject({ balance: 0, referral_balance: 50 })

  const [, ...moves] = await transfersOf(user)
  expect(moves.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['operator_grant', 250],
    ['operator_taking', 350],
    ['operator_grant', 70],
    ['operator_taking', 20],
  ])
  const log = await auditOf('adjustBalance', user.id)
  expect(log.map((entry: { details: object }) => entry.details).toReversed()).toMatchObject([
    {
      account: 'wallet',
      amount: 250,
      reason: 'two days without a server',
      cause: moves[0]?.cause,
      before: { balance: 100 },
      after: { balance: 350 },
    },
    { account: 'wallet', amount: -350, reason: 'why', cause: moves[1]?.cause },
    { account: 'referral', amount: 70, reason: 'why', cause: moves[2]?.cause },
    {
      account: 'referral',
      amount: -20,
      reason: 'why',
      cause: moves[3]?.cause,
      before: { referral_balance: 70 },
      after: { referral_balance: 50 },
    },
  ])
  expect(await notificationsOf(user, 'ru')).toEqual([
    'Поддержка зачислила 250\u00a0₽ на ваш баланс.',
    'Поддержка уменьшила ваш баланс на 350\u00a0₽.',
    'Поддержка зачислила 70\u00a0₽ на ваш реферальный баланс.',
    'Поддержка уменьшила ваш реферальный баланс на 20\u00a0₽.',
  ])
})

test('tells an English customer in English', async () => {
  const user = await service.createUser()
  await adjust(user, { amount: 5 })
  await adjust(user, { account: 'referral', amount: 6 })
  await adjust(user, { account: 'referral', amount: -6 })
  expect(await notificationsOf(user, 'en')).toEqual([
    'Support added 5\u00a0RUB to your balance.',
    'Support added 6\u00a0RUB to your referral balance.',
    'Support took 6\u00a0RUB from your referral balance.',
  ])
})

test('taking more than there is changes nothing', async () => {
  const user = await service.createUser({ balance: 10, referral_balance: 20 })
  const before = await transfersOf(user)
  const wallet = await adjust(user, { amount: -11 })
  expect([wallet.status, wallet.body.errorCode]).toEqual([402, 20])
  expect(wallet.body.details).toEqual([
    { path: 'amount', problem: 'takes more than there is; the account has 10' },
  ])
  const referral = await adjust(user, { account: 'referral', amount: -21 })
  expect([referral.status, referral.body.errorCode]).toEqual([400, 47])
  expect(await transfersOf(user)).toEqual(before)
  expect(await auditOf('adjustBalance', user.id)).toEqual([])
  expect(await notificationsOf(user, 'ru')).toEqual([])
})

test.each([
  [{ amount: 0 }],
  [{ amount: 1.5 }],
  [{ amount: 1, reason: '' }],
  [{ amount: 1, account: 'referral_hold' }],
  [{ amount: 1_000_000_001 }],
])('refuses %j', async (body) => {
  const user = await service.createUser()
  const answer = await adjust(user, body)
  expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
})

test('an unknown customer is 404', async () => {
  const answer = await service.operator('POST', '/users/999999999/balance', {
    account: 'wallet',
    amount: 1,
    reason: 'x',
  })
  expect([answer.status, answer.body.errorCode]).toEqual([404, 1])
})

test('the same key works once; with another body it is a conflict', async () => {
  const user = await service.createUser()
  const key = { 'idempotency-key': `adjust-${user.id}` }
  const answers = await Promise.all(Array.from({ length: 5 }, () => adjust(user, { amount: 40 }, key)))
  expect(answers.map(({ body }) => body.data)).toEqual(Array(5).fill({ balance: 40, referral_balance: 0 }))
  const other = await adjust(user, { amount: 41 }, key)
  expect([other.status, other.body.errorCode]).toEqual([409, 6])
  expect((await adjust(user, { amount: 40 })).body.data.balance).toBe(80)
})

test('takings at once never take more than there is', async () => {
  const user = await service.createUser({ balance: 100 })
  const answers = await Promise.all(Array.from({ length: 10 }, () => adjust(user, { amount: -30 })))
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...Array(3).fill(201), ...Array(7).fill(402)])
  const profile = await service.customer(user, 'GET', '/profile')
  expect(profile.body.data.balance).toBe(10)
  expect(await auditOf('adjustBalance', user.id)).toHaveLength(3)
})

test('owner and finance may, support may not', async () => {
  const user = await service.createUser()
  const body = { account: 'wallet', amount: 1, reason: 'x' }
  for (const [role, status] of [
    ['owner', 201],
    ['finance', 201],
    ['support', 403],
  ] as const) {
    const token = await operatorAs(role)
    const path = `/operator/v1/users/${user.id}/balance`
    expect((await service.call('POST', path, { token, body })).status, role).toBe(status)
  }
})
