import { errors } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  startTestService,
  type TestService,
  type TestUser,
} from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const vless = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }

type Buy = (user: TestUser, body?: object, headers?: Record<string, string>) => Promise<Answer>

const buy: Buy = (user, body = vless, headers = {}) =>
  service.call('POST', '/v1/configs', { token: user.api_key, body, headers })

/** Where a machine stands still, a hundred wait for connections for longer than they are let wait; they come again. */
const insist: Buy = async (...wish) => {
  const answer = await buy(...wish)
  return answer.status === 503 ? insist(...wish) : answer
}

const buyAtOnce = (users: readonly TestUser[], body?: object, headers?: Record<string, string>) =>
  Promise.all(users.map((user) => buy(user, body, headers)))

const countBy = (values: readonly number[]) =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]))

const expectSoundLedger = async () => {
  const { rows } = await sql`
    select a.id from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    where a.user_id is not null group by a.id having a.balance <> coalesce(sum(e.amount), 0) or a.balance < 0
    union all select 0 from ledger_entries having sum(amount) <> 0
    union all select o.id from orders o where o.state = 'fulfilled'
      and (select count(*) from ledger_transfers t where t.order_id = o.id and t.amount = o.price) <> 1
    union all select s.id from servers s
      where s.used_slots <> (
        select count(*) from accesses a join terms t on t.id = a.term_id
        where a.server_id = s.id and a.beside_id is null and t.state = 'active')
        or s.used_slots > s.capacity`.execute(service.db)
  expect(rows).toEqual([])
}

test('check 8: 100 simultaneous purchases with money for one grant exactly one', async () => {
  const user = await service.createUser({ balance: 200 })
  const answers = await Promise.all(Array.from({ length: 100 }, () => insist(user)))
  expect(countBy(answers.map((answer) => answer.status))).toEqual({ 201: 1, 402: 99 })
  const configs = await service.db.selectFrom('terms').select('id').where('user_id', '=', user.id).execute()
  expect(configs).toHaveLength(1)
  await expectSoundLedger()
})

test('the last slot of a server is sold once', async () => {
  const [server] = await service.db.selectFrom('servers').select('id').where('location_id', '=', 7).execute()
  const serverId = server?.id as number
  await service.db.updateTable('servers').set({ capacity: 0 }).where('location_id', '=', 7).execute()
  await service.db.updateTable('servers').set({ capacity: 1 }).where('id', '=', serverId).execute()
  const users = await Promise.all(Array.from({ length: 20 }, () => service.createUser({ balance: 1000 })))
  const answers = await buyAtOnce(users, { ...vless, location_id: 7, server_id: serverId })
  expect(countBy(answers.map((answer) => answer.status))).toEqual({ 201: 1, 409: 19 })
  await expectSoundLedger()
})

test('a location fills up to the last slot of its last server, and no further', async () => {
  await service.db.updateTable('servers').set({ capacity: 3 }).where('location_id', '=', 12).execute()
  const users = await Promise.all(Array.from({ length: 10 }, () => service.createUser({ balance: 1000 })))
  const answers = await buyAtOnce(users, { ...vless, location_id: 12 })
  expect(countBy(answers.map((answer) => answer.status))).toEqual({ 201: 6, 409: 4 })
  await expectSoundLedger()
})

test('check 7: one Idempotency-Key sent 50 times at once has one effect and one answer, and another body is refused', async () => {
  const user = await service.createUser({ balance: 10_000 })
  const answers = await buyAtOnce(Array<TestUser>(50).fill(user), vless, { 'idempotency-key': 'same' })
  expect(countBy(answers.map((answer) => answer.status))).toEqual({ 201: 50 })
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  const { body } = await service.customer(user, 'GET', '/profile')
  expect(body.data.balance).toBe(9800)
  const [other] = await buyAtOnce([user], { ...vless, location_id: 12 }, { 'idempotency-key': 'same' })
  expect([other?.status, other?.body.errorCode]).toEqual([409, errors.CONFLICT.code])
  expect((await service.customer(user, 'GET', '/profile')).body.data.balance).toBe(9800)
  await expectSoundLedger()
})
