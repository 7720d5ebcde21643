import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../../../test/support/databases/waiting.ts'
import { enrolNode } from '../../../../../../test/support/node.ts'
import { accountOf } from '../../../../../../test/support/people/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../../../test/support/service.ts'
import { inTransaction } from '../../../../db/client.ts'

/** Closing an account against everything that places: whichever comes first, nothing of it is left on a node. */

let service: TestService
let account: ReturnType<typeof accountOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const block = (user: TestUser, isBlocked = true) =>
  service.operator('PATCH', `/users/${user.id}/blocked`, { is_blocked: isBlocked })
const countPlaced = async (users: readonly TestUser[]): Promise<number> => {
  const rows = await service.db
    .selectFrom('placements as p')
    .innerJoin('accesses as a', 'a.id', 'p.access_id')
    .innerJoin('terms as t', 't.id', 'a.term_id')
    .select('p.access_id')
    .where(
      't.user_id',
      'in',
      users.map((user) => user.id),
    )
    .where('p.is_present', '=', true)
    .execute()
  return rows.length
}
const customers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => service.createUser({ balance: 100_000 })))
const fine = (answers: readonly { readonly status: number }[]) =>
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])

test('a purchase that is under way is waited for, and what it placed is taken off', async () => {
  const [user] = (await customers(1)) as [TestUser]
  const node = await enrolNode(service, 1)
  await node.report()
  const order = { ...usualOrder, server_id: node.serverId }
  const { buying, blocking } = await inTransaction(service.db, async (tx) => {
    await tx.selectFrom('nodes').select('id').where('id', '=', node.nodeId).forUpdate().execute()
    const buying = outside(() => service.customer(user, 'POST', '/configs', order))
    await untilWaits(tx, buying)
    const blocking = outside(() => block(user))
    await untilWaits(tx, blocking, 2)
    return { buying, blocking }
  })
  expect([(await buying).status, (await blocking).status]).toEqual([201, 200])
  expect(await countPlaced([user])).toBe(0)
  expect(await account.broken({ isAtRest: false })).toEqual([])
})

test('against purchases, renewals and changes at once', async () => {
  const users = await customers(12)
  const configs = await Promise.all(users.map((user) => service.buy(user, { location_id: 3 })))
  const work = users.flatMap((user, at) => [
    service.customer(user, 'POST', `/configs/renewal/${configs[at]?.id}`, { payment_method_id: 1 }),
    service.customer(user, 'POST', '/configs', {
      location_id: 3,
      protocol: 'vless',
      payment_method_id: 1,
      tariff_id: 1,
    }),
    block(user),
    service.customer(user, 'POST', `/configs/${configs[at]?.id}/resetCredentials`),
    service.customer(user, 'PATCH', `/configs/${configs[at]?.id}/settings`, {
      location_id: 3,
      protocol: 'trojan',
    }),
  ])
  fine(await Promise.all(work))
  await service.running.runJobs()
  expect(await countPlaced(users)).toBe(0)
  expect(await account.broken({ isAtRest: false })).toEqual([])
  fine(await Promise.all(users.map((user) => block(user, false))))
  expect(await countPlaced(users)).toBeGreaterThanOrEqual(users.length)
  expect(await account.broken({ isAtRest: false })).toEqual([])
}, 60_000)

test('against failover', async () => {
  const [failing, good] = [await enrolNode(service, 2), await enrolNode(service, 2)]
  await failing.report()
  await good.report()
  const users = await customers(10)
  for (const user of users) await service.buy(user, { location_id: 2, server_id: failing.serverId })
  const inbounds = [{ tag: `vless-${failing.serverId}`, reason: 'port 443 is taken' }]
  const said = { not_carried: { inbounds, accesses: [], unfit: [] } }
  await failing.report(said)
  service.clock.advance(120)
  await good.report()
  await failing.report(said)
  const [answers] = await Promise.all([
    Promise.all(users.map((user) => block(user))),
    service.running.runJobs(),
  ])
  fine(answers)
  expect(await countPlaced(users)).toBe(0)
  expect(await account.broken({ isAtRest: false })).toEqual([])
}, 60_000)

test('against limits that are used up and raised, and options that are switched off and on', async () => {
  const users = await customers(8)
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
  await Promise.all(users.map((user) => service.customer(user, 'POST', '/paid-options', order)))
  const disable = (user: TestUser, isDisabled: boolean) =>
    service.operator('PATCH', `/users/${user.id}/paid-options/1`, {
      is_disabled: isDisabled,
      reason: 'abuse',
    })
  const work = users.map(async (user) => {
    const turns = [
      disable(user, true),
      service.operator('PATCH', `/users/${user.id}/paid-options/1`, { reset_traffic: true, reason: 'asked' }),
      block(user),
      disable(user, false),
    ]
    fine(await Promise.all(turns))
    fine([await disable(user, false)])
  })
  await Promise.all([...work, service.running.runJobs()])
  expect(await countPlaced(users)).toBe(0)
  expect(await account.broken({ isAtRest: false })).toEqual([])
  fine(await Promise.all(users.map((user) => block(user, false))))
  expect(await account.broken({ isAtRest: false })).toEqual([])
}, 60_000)
