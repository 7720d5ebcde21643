import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { placeAgain } from '../../core/fleet/placements.ts'
import { expireTerms } from '../../core/terms/expiry.ts'
import { inTransaction } from '../../db/client.ts'

/** What only many connections at once can show. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const buy = (user: TestUser, body?: object) => service.buy(user, body)
const customer = () => service.createUser({ balance: 1_000_000 })
const statuses = (answers: { status: number }[]) => [...new Set(answers.map((answer) => answer.status))]

test('customers who change places on two servers at once all get there', async () => {
  const users = await Promise.all(Array.from({ length: 16 }, customer))
  const rows = await service.db.selectFrom('servers').select('id').where('location_id', '=', 3).execute()
  const servers = rows.map((row) => row.id)
  const configs: { id: number }[] = []
  for (const [at, user] of users.entries()) {
    configs.push(await buy(user, { location_id: 3, server_id: servers[at % 2] }))
  }
  const answers = await Promise.all(
    users.map((user, at) =>
      service.customer(user, 'PATCH', `/configs/${configs[at]?.id}/settings`, {
        location_id: 3,
        protocol: 'vless',
        server_id: servers[(at + 1) % 2],
      }),
    ),
  )
  expect(statuses(answers)).toEqual([200])
  const slots = await service.db
    .selectFrom('servers')
    .select('used_slots')
    .where('location_id', '=', 3)
    .execute()
  expect(slots.map((row) => row.used_slots)).toEqual([8, 8])
})

test('bridges and renewals of one customer do not wait for each other', async () => {
  const user = await customer()
  const [first, second] = [await buy(user), await buy(user)]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2
        ? service.customer(user, 'POST', '/configs/makeBridge', {
            first_config_id: first.id,
            second_config_id: second.id,
          })
        : service.customer(user, 'POST', `/configs/renewal/${first.id}`, { payment_method_id: 1 }),
    ),
  )
  expect(statuses(answers)).toEqual([201])
})

test('a renewal that waits for a move finds what was moved', async () => {
  const user = await customer()
  const config = await buy(user)
  const [moved, renewed] = await Promise.all([
    service.customer(user, 'PATCH', `/configs/${config.id}/settings`, { location_id: 2, protocol: 'trojan' }),
    service.customer(user, 'POST', `/configs/renewal/${config.id}`, { payment_method_id: 1 }),
  ])
  expect([moved.status, renewed.status]).toEqual([200, 201])
})

test('an entry that ends while its exit ends elsewhere is not put back on its node', async () => {
  const { db, clock, running } = service
  const node = await enrolNode(service, 2)
  await node.report()
  const user = await customer()
  const entry = await buy(user)
  const exit = await buy(user, { location_id: 2, server_id: node.serverId })
  const bridge = { first_config_id: entry.id, second_config_id: exit.id }
  await service.customer(user, 'POST', '/configs/makeBridge', bridge)
  const now = clock.now()
  await db
    .updateTable('terms')
    .set({ expires_at: now - 5 })
    .where('item_id', 'in', [entry.id, exit.id])
    .execute()
  // One scheduler is at the entry when another takes the exit: it leaves it for the next round, and waits for nobody.
  const { second } = await inTransaction(db, async (tx) => {
    await sql`update terms set state = 'expired' where item_id = ${entry.id}`.execute(tx)
    await placeAgain(tx, running.services.bus, [entry.id], false)
    const second = outside(() => expireTerms(running.services, now))
    await untilWaits(tx, second)
    return { second }
  })
  await second
  const listPresent = async () => {
    const rows = await db
      .selectFrom('placements')
      .select('access_id')
      .where('access_id', 'in', [entry.id, exit.id])
      .where('is_present', '=', true)
      .execute()
    return rows.map((row) => row.access_id)
  }
  expect(await listPresent()).toEqual([exit.id])
  await expireTerms(running.services, now)
  expect(await listPresent()).toEqual([])
})

test('what was taken away while somebody waited to tell it again stays away', async () => {
  const { db, running } = service
  const config = await buy(await customer())
  const { bus } = running.services
  const { telling } = await inTransaction(db, async (removing) => {
    await placeAgain(removing, bus, [config.id], false)
    const telling = outside(() => inTransaction(db, (tx) => placeAgain(tx, bus, [config.id], true)))
    await untilWaits(removing, telling)
    return { telling }
  })
  await telling
  const row = await db
    .selectFrom('placements')
    .select('is_present')
    .where('access_id', '=', config.id)
    .executeTakeFirstOrThrow()
  expect(row.is_present).toBe(false)
})
