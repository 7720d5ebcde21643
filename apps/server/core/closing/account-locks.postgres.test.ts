import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { countDeadlocks } from '../../../../test/support/databases/deadlocks.ts'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { startService } from '../../main.ts'
import { lockUser } from '../accounts/users.ts'
import { grantPaidOrders } from '../settlement/paid-orders.ts'
import { settleReceived } from '../settlement/settlement.ts'
import { renewAutomatically } from '../terms/auto-renewal-job.ts'
import { expireTerms } from '../terms/expiry.ts'
import { deleteAccount } from './deletion.ts'

/** Who waits for whom, when an account is held by whoever deletes or empties it. */

let service: TestService
let account: ReturnType<typeof accountOf>
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 5000, referral_balance: 5000 })
})
afterEach(async () => {
  await later()
  expect(await account.broken()).toEqual([])
})
afterAll(() => service.stop())

const post = (path: string, body: object) => service.customer(user, 'POST', path, body)
const at = () => ({ ...service.running.services, now: service.clock.now() })

/** Begins something while the account is held, and comes back to it when that something waits. */
const whileHeld = async <T>(begin: () => Promise<T>, then: (tx: Db) => Promise<void>): Promise<T> => {
  const { begun } = await inTransaction(service.db, async (tx) => {
    await lockUser(tx, user.id)
    const begun = outside(begin)
    await untilWaits(tx, begun)
    await then(tx)
    return { begun }
  })
  return begun
}
/** Until what was put off because somebody held it is done. */
const later = async () => {
  for (let rounds = 0; rounds < 4; rounds++) {
    service.clock.advance(60)
    await service.running.runJobs()
  }
}
const erase = (tx: Db) => deleteAccount(tx, at(), user.id)

test('what was let in before a deletion and comes after it is refused, and leaves nothing', async () => {
  const { id } = await service.buy(user)
  const { promocode } = await service.buy(user, { as_key: true })
  const { body } = await account.own(user, 'POST', '/profile/signInCode')
  const waiting = () =>
    Promise.all([
      post('/configs', usualOrder),
      post('/configs', { ...usualOrder, payment_method_id: 2 }),
      post('/configs', { location_id: 1, protocol: 'vless', promocode }),
      post('/profile/balance/topup', { amount: 100, payment_method_id: 2 }),
      post('/profile/referral/withdraw/card', { card_number: '2200150000001237', amount: 1000 }),
      account.own(user, 'POST', '/profile/api-keys', {}),
      account.own(user, 'POST', '/profile/transfer/createKey'),
      service.call('POST', '/v1/auth/signInCode', { body: { code: body.data.code } }),
      post(`/configs/renewal/${id}`, { payment_method_id: 1 }),
      service.operator('POST', `/users/${user.id}/sessions`),
    ])
  const answers = await whileHeld(waiting, erase)
  expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill(401), 404, 404])
  const unused = sql<{ used_at: number | null }>`select used_at from promocodes where buyer_id = ${user.id}`
  expect((await unused.execute(service.db)).rows).toEqual([{ used_at: null }])
  const { rows } = await sql`select id from orders where user_id = ${user.id} and id > (
    select max(order_id) from promocodes where buyer_id = ${user.id})`.execute(service.db)
  expect(rows).toEqual([])
})

test.each<[string, 'terms' | 'promocodes', () => object]>([
  ['a renewal', 'terms', () => ({ payment_method_id: 1 })],
  ['a purchase by promocode', 'promocodes', () => ({ location_id: 1, protocol: 'vless', promocode })],
])('%s that waits for the account has nothing that whoever holds it needs', async (_name, table, bodyOf) => {
  const { id } = await service.buy(user)
  promocode = (await service.buy(user, { as_key: true })).promocode
  const path = table === 'terms' ? `/configs/renewal/${id}` : '/configs'
  const { status } = await whileHeld(
    () => post(path, bodyOf()),
    async (tx) => {
      const owner = sql.ref(table === 'terms' ? 'user_id' : 'buyer_id')
      const { rows } = await sql`select id from ${sql.table(table)} where ${owner} = ${user.id}
        for update nowait`.execute(tx)
      expect(rows).toHaveLength(1)
    },
  )
  expect(status).toBe(201)
})
let promocode: string

test('an automatic renewal does not wait for an account that is held', async () => {
  const { id, expires_at: end } = await service.buy(user, { enable_auto_renewal: true })
  service.clock.advance(29.5 * 86_400)
  await service.heartbeat()
  let isOver = false
  await whileHeld(
    async () => {
      await renewAutomatically(service.running.services, service.clock.now())
      isOver = true
    },
    async () => expect(isOver).toBe(true),
  )
  await service.running.runJobs()
  const [config] = await account.get(user, '/configs')
  expect([config.id, config.expires_at]).toEqual([id, end + 30 * 86_400])
})

test('what ended is not switched off before its renewal was tried, though the account was held', async () => {
  const { id } = await service.buy(user, { enable_auto_renewal: true })
  service.clock.advance(30 * 86_400 + 60)
  await service.heartbeat()
  const { services } = service.running
  const now = service.clock.now()
  let isOver = false
  await whileHeld(
    async () => {
      await expireTerms(at(), now, await renewAutomatically(services, now))
      isOver = true
    },
    async () => expect(isOver).toBe(true),
  )
  await service.running.runJobs()
  const [config] = await account.get(user, '/configs')
  expect([config.id, config.expires_at]).toEqual([id, now + 30 * 86_400])
})

test('money that is settled while the account is deleted is credited, and the message goes nowhere', async () => {
  const [paidBefore, paidDuring] = [
    await account.order(user, '/configs', usualOrder),
    await account.order(user, '/configs', usualOrder),
  ]
  // Without a server neither is granted before the deletion has begun.
  await service.db.updateTable('node_status').set({ last_seen_at: 0 }).execute()
  await account.pay(paidBefore)
  await service.running.runJobs()
  await account.pay(paidDuring)
  const { working } = await inTransaction(service.db, async (tx) => {
    await erase(tx)
    service.clock.advance(60)
    const working = outside(async () => {
      await service.heartbeat()
      await service.running.runJobs()
    })
    await untilWaits(tx, working)
    return { working }
  })
  await working
  await later()
  const [row] = (await service.operator('GET', `/users?search=${user.id}`)).body.data.items
  expect(row.balance).toBe(5000 + 2 * 200)
})

/** Deletes the account, and stops in the middle, where it needs a row that somebody else holds, until the end. */
const whileHalfErased = async (work: () => Promise<unknown>): Promise<void> => {
  const begun = await inTransaction(service.db, async (tx) => {
    await sql`select id from api_keys where user_id = ${user.id} for update`.execute(tx)
    const erasing = outside(() => inTransaction(service.db, erase))
    await untilWaits(tx, erasing)
    const working = outside(work)
    await untilWaits(tx, working)
    return [erasing, working]
  })
  await Promise.all(begun)
}

test.each<[string, string, object]>([
  ['a configuration', '/configs', usualOrder],
  ['a key', '/configs', { ...usualOrder, as_key: true }],
  ['a top-up', '/profile/balance/topup', { amount: 200 }],
])('%s whose link had ended is not given when it is paid for in the midst of a deletion', async (_name, path, body) => {
  const link = await account.order(user, path, body)
  service.clock.advance(3700)
  await service.running.runJobs()
  await service.heartbeat()
  const now = service.clock.now()
  const paid = { amount: 200, currency: 'RUB', payer: null, providerPaymentId: null }
  const paymentId = new URL(link).pathname.split('/').at(-1) as string
  await whileHalfErased(async () => {
    const fact = { kind: 'received', paymentId, receiptId: `late-${paymentId}`, ...paid } as const
    await settleReceived(service.db, 'sandbox', fact, now)
    await grantPaidOrders(service.running.services, now)
  })
  await later()
  const [row] = (await service.operator('GET', `/users?search=${user.id}`)).body.data.items
  expect(row.balance).toBe(5000 + 200)
  const told = (await account.alerts('paid_after_deletion')).map(
    (alert: { details: object }) => alert.details,
  )
  expect(told).toContainEqual(expect.objectContaining({ user_id: user.id, value_rub: 200 }))
})

test('a payment does not wait in a ring with a transfer between who pays and who brought them', async () => {
  const friend = await service.createUser({ referral_code: user.referral_code })
  const links = [
    await account.order(friend, '/profile/balance/topup', { amount: 100 }),
    await account.order(friend, '/configs', usualOrder),
  ]
  const key = await account.createKey(user)
  const before = await countDeadlocks(service)
  await whileHeld(
    () => Promise.all([account.activate(friend, key), ...links.map((link) => account.pay(link))]),
    async () => undefined,
  )
  await Promise.all([service.running.runJobs(), account.move(friend, user)])
  expect(await countDeadlocks(service)).toBe(before)
})

test('a commission that would be earned while its referrer is deleted is not', async () => {
  const friend = await service.createUser({ referral_code: user.referral_code })
  const link = await account.order(friend, '/profile/balance/topup', { amount: 1000 })
  await whileHeld(() => account.pay(link).then(() => service.running.runJobs()), erase)
  await later()
  const { rows } = await sql`select id from commissions where referrer_id = ${user.id}`.execute(service.db)
  expect(rows).toEqual([])
})

test('a transfer that waits for a deletion of either account moves nothing', async () => {
  const other = await service.createUser({ balance: 300 })
  const { id } = await service.buy(other)
  const into = await account.createKey(other)
  const out = await account.createKey(user)
  const answers = await whileHeld(
    () => Promise.all([account.activate(user, into), account.activate(other, out)]),
    erase,
  )
  expect(answers.map(({ status }) => status)).toEqual([401, 400])
  expect(await account.get(other, '/configs')).toMatchObject([{ id }])
  expect(await account.get(other, '/profile')).toMatchObject({ balance: 100 })
})

test('what another instance remembers of the account is forgotten when it is deleted', async () => {
  const second = await startService(readConfig(service.env), { clock: service.clock })
  onTestFinished(() => second.stop())
  const statusOf = async (token: string) =>
    (await fetch(`${second.url}/v1/profile`, { headers: { authorization: `Bearer ${token}` } })).status
  const tokens = [user.api_key, user.session_token]
  expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200])
  await account.erase(user)
  const now = () => Promise.all(tokens.map(statusOf))
  await expect.poll(now, { timeout: 1000, interval: 10 }).toEqual([401, 401])
})
