import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountOf } from '../../../../test/support/people/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'

/** Accounts that are emptied or deleted while everything else goes on with them. */

let service: TestService
let account: ReturnType<typeof accountOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(() => service.heartbeat())
afterEach(async () => {
  await jobs()
  expect(await account.broken()).toEqual([])
})
afterAll(() => service.stop())

const jobs = () => service.running.runJobs()
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const create = (count: number, fields: object = {}) =>
  Promise.all(times(count, () => service.createUser({ ...fields })))
const post = (user: TestUser, path: string, body: object) => service.customer(user, 'POST', path, body)
const money = async (user: TestUser) => {
  const { balance, referral_balance } = await account.get(user, '/profile')
  return balance + referral_balance
}
const total = async (users: readonly TestUser[]) =>
  (await Promise.all(users.map(money))).reduce((sum, amount) => sum + amount, 0)
const configsOf = async (users: readonly TestUser[]): Promise<number> =>
  (await Promise.all(users.map((user) => account.get(user, '/configs')))).flat().length
const byStatus = (answers: readonly { status: number }[]) =>
  Object.groupBy(
    answers.map(({ status }) => status),
    (status) => status,
  )
const refund = async (user: TestUser) => {
  const { body } = await service.operator('GET', `/payments?user_id=${user.id}&limit=1`)
  const wish = { to: 'balance', reason: 'asked' }
  return service.operator('POST', `/payments/${body.data[0].id}/refund`, wish)
}
const withdraw = (user: TestUser) =>
  post(user, '/profile/referral/withdraw/card', { card_number: '2200150000001237', amount: 1000 })

describe('a transfer', () => {
  test('of twenty that use one key at once, one gets everything', async () => {
    const source = await service.createUser({ balance: 1000, referral_balance: 50 })
    await service.buy(source)
    const targets = await create(10)
    const key = await account.createKey(source)
    const answers = await Promise.all([...targets, ...targets].map((target) => account.activate(target, key)))
    // Each asks twice, and the one that got it may hear so twice.
    const winners = answers.flatMap(({ status }, at) => (status === 200 ? [at % targets.length] : []))
    expect(new Set(winners).size).toBe(1)
    expect(byStatus(answers)[400]).toHaveLength(20 - winners.length)
    expect([await total(targets), await configsOf(targets), await total([source])]).toEqual([850, 1, 0])
  })

  test('asked for three times at once by one account happens once, and all three hear of it', async () => {
    const [source, target] = (await create(2, { balance: 500 })) as [TestUser, TestUser]
    const key = await account.createKey(source)
    const answers = await Promise.all(times(3, () => account.activate(target, key)))
    expect(answers.map(({ body }) => body.data?.balance)).toEqual([500, 500, 500])
    expect(await total([target])).toBe(1000)
  })

  test('both ways at once loses nothing', async () => {
    const pairs = await Promise.all(times(6, () => create(2, { balance: 500, referral_balance: 10 })))
    for (const users of pairs) for (const user of users) await service.buy(user)
    const answers = await Promise.all(
      pairs.flatMap(([one, other]) => [
        account.move(one as TestUser, other as TestUser),
        account.move(other as TestUser, one as TestUser),
      ]),
    )
    expect(byStatus(answers)[200]).toHaveLength(12)
    for (const users of pairs) {
      expect([await total(users), await configsOf(users)]).toEqual([620, 2])
    }
  })

  test('while the source buys, renews, withdraws and is refunded keeps every rouble and item', async () => {
    const [source, target] = (await create(2, { balance: 4000, referral_balance: 3000 })) as [
      TestUser,
      TestUser,
    ]
    const { id } = await service.buy(source)
    const { promocode } = await service.buy(source, { as_key: true })
    const key = await account.createKey(source)
    const answers = await Promise.all([
      ...times(6, () => post(source, '/configs', usualOrder)),
      ...times(4, () => post(source, `/configs/renewal/${id}`, { payment_method_id: 1 })),
      refund(source),
      withdraw(source),
      post(target, '/configs', { location_id: 1, protocol: 'vless', promocode }),
      account.activate(target, key),
      ...times(6, () => post(source, '/configs', usualOrder)),
      withdraw(target),
      ...times(4, () => post(target, '/configs', usualOrder)),
    ])
    const unexpected = answers.filter(({ status }) => ![200, 201, 400, 402, 404, 409].includes(status))
    expect(unexpected.map(({ body }) => body)).toEqual([])
    expect(answers[13]?.status).toBe(200)
    const history = (
      await Promise.all([source, target].map((user) => account.get(user, '/profile/payments-history')))
    ).flat()
    const paid = history.filter((row: { method: string | null }) => row.method === 'balance').length
    const refunded = answers[10]?.status === 201 ? 1 : 0
    const withdrawn = [answers[11], answers[20]].filter((answer) => answer?.status === 201).length
    expect(await total([source, target])).toBe(14_000 - 200 * (paid - refunded) - 1000 * withdrawn)
    for (const { id: withdrawalId } of (await service.operator('GET', '/withdrawals?status=pending')).body
      .data) {
      await service.operator('POST', `/withdrawals/${withdrawalId}/approve`)
    }
  })

  test('while earnings come in and are released', async () => {
    const [source, target] = (await create(2)) as [TestUser, TestUser]
    const friends = await create(6, { referral_code: source.referral_code })
    const topUp = { amount: 1000 }
    const early = await Promise.all(
      friends.map((friend) => account.order(friend, '/profile/balance/topup', topUp)),
    )
    await Promise.all(early.map((link) => account.pay(link)))
    await jobs()
    service.clock.advance(15 * 86_400)
    const late = await Promise.all(
      friends.map((friend) => account.order(friend, '/profile/balance/topup', topUp)),
    )
    const [from, to] = [await account.signInAgain(source), await account.signInAgain(target)]
    const key = await account.createKey(from)
    const paying = Promise.all(late.map((link) => account.pay(link))).then(jobs)
    const [answer] = await Promise.all([account.activate(to, key), jobs(), paying])
    expect(answer.status).toBe(200)
    service.clock.advance(15 * 86_400)
    await jobs()
    expect(await total([source, target])).toBe(12 * 200)
  })
})

describe('a deletion', () => {
  const signInByCode = async (code: string) => service.call('POST', '/v1/auth/signInCode', { body: { code } })

  test('leaves nothing alive of what was under way', async () => {
    const user = await service.createUser({
      balance: 10_000,
      referral_balance: 100,
      email: 'racer@example.com',
    })
    const { id } = await service.buy(user, { enable_auto_renewal: true })
    const links = [
      ...(await Promise.all(times(5, () => account.order(user, '/configs', usualOrder)))),
      ...(await Promise.all(times(5, () => account.order(user, '/profile/balance/topup', { amount: 50 })))),
    ]
    const { body } = await account.own(user, 'POST', '/profile/signInCode')
    const answers = await Promise.all([
      ...times(10, () => post(user, '/configs', usualOrder)),
      ...times(3, () => post(user, `/configs/renewal/${id}`, { payment_method_id: 1 })),
      ...times(4, () => account.own(user, 'POST', '/profile/api-keys', {})),
      ...links.slice(0, 5).map((link) => account.pay(link)),
      account.erase(user),
      jobs().then(() => ({ status: 200, body: undefined })),
      signInByCode(body.data.code),
      ...times(4, () => service.operator('POST', `/users/${user.id}/sessions`)),
      ...times(10, () => post(user, '/configs', { ...usualOrder, as_key: true })),
      ...times(10, () => post(user, '/profile/balance/topup', { amount: 100, payment_method_id: 2 })),
      ...times(3, () => service.customer(user, 'PATCH', `/configs/title/${id}`, { title: 'mine' })),
      ...times(3, () => service.operator('POST', `/users/${user.id}/notifications`, { content: 'hello' })),
      ...links.slice(5).map((link) => account.pay(link)),
    ])
    const unexpected = answers.filter(({ status }) => ![200, 201, 401, 404, 409].includes(status))
    expect(unexpected.map((answer) => answer.body)).toEqual([])
    expect(byStatus(answers)[401]?.length).toBeGreaterThan(0)
    await jobs()
    const late = await post(user, '/configs', usualOrder)
    expect(late.status).toBe(401)
  })

  test('of many who are buying at one place frees all that they had', async () => {
    const users = await create(10, { balance: 1000 })
    const answers = await Promise.all(
      users.flatMap((user) => [
        post(user, '/configs', { ...usualOrder, location_id: 2 }),
        post(user, '/configs', { ...usualOrder, location_id: 2 }),
        account.erase(user),
        post(user, '/configs', { ...usualOrder, location_id: 2 }),
      ]),
    )
    expect(answers.filter(({ status }) => ![200, 201, 401].includes(status))).toEqual([])
    const used = await service.db
      .selectFrom('servers')
      .select('used_slots')
      .where('location_id', '=', 2)
      .where('used_slots', '>', 0)
      .execute()
    expect(used).toEqual([])
  })

  test('and a transfer of the same account come one after the other', async () => {
    const pairs = await Promise.all(times(5, () => create(2, { balance: 300 })))
    for (const [from, to] of pairs as [TestUser, TestUser][]) {
      await service.buy(from)
      const key = await account.createKey(from)
      const [moved, erased] = await Promise.all([account.activate(to, key), account.erase(from)])
      expect(erased.status).toBe(200)
      expect([await configsOf([to]), await total([to])]).toEqual(moved.status === 200 ? [1, 400] : [0, 300])
    }
  })
})
