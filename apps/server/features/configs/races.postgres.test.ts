import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countDeadlocks } from '../../../../test/support/databases/deadlocks.ts'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { placeAgain } from '../../core/fleet/placements.ts'
import { renewAutomatically } from '../../core/terms/auto-renewal-job.ts'
import { expireTerms } from '../../core/terms/expiry.ts'
import { type Db, inTransaction } from '../../db/client.ts'

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

test('who buys while others take slots of the best server gets one of the next, and waits for one that was asked for', async () => {
  const servers = await service.db
    .selectFrom('servers')
    .select('id')
    .where('location_id', '=', 7)
    .orderBy(sql`capacity - used_slots desc`)
    .orderBy('id')
    .execute()
  const [best, next] = servers.map(({ id }) => id)
  const user = await customer()
  const serverOf = async (config: { id: number }) =>
    (await service.db.selectFrom('accesses').select('server_id').where('id', '=', config.id).execute())[0]
  const { waiting } = await inTransaction(service.db, async (tx) => {
    await sql`select 1 from servers where id = ${best} for no key update`.execute(tx)
    const config = await outside(() => buy(user, { location_id: 7 }))
    expect(await outside(() => serverOf(config))).toEqual({ server_id: next })
    const waiting = outside(() => buy(user, { location_id: 7, server_id: best }))
    await untilWaits(tx, waiting)
    return { waiting }
  })
  expect(await serverOf(await waiting)).toEqual({ server_id: best })
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

test('a bridge that is made while its exit is waited for closes no ring', async () => {
  const { clock } = service
  const user = await customer()
  const [entry, exit] = [await buy(user), await buy(user)]
  const before = await countDeadlocks(service)
  const lock = (tx: Db, id: number) =>
    sql`select from terms where product = 'configs' and item_id = ${id} for update`.execute(tx)
  const { reset } = await inTransaction(service.db, async (holding) => {
    await lock(holding, entry.id)
    const begun = await outside(() =>
      inTransaction(service.db, async (making) => {
        await lock(making, exit.id)
        const bridge = { user_id: user.id, entry_id: entry.id, exit_id: exit.id, created_at: clock.now() }
        await making.insertInto('bridges').values(bridge).execute()
        const reset = outside(() => service.customer(user, 'POST', `/configs/${exit.id}/resetCredentials`))
        await untilWaits(making, reset)
        return { reset }
      }),
    )
    // By now the exit is found to have an entry, and that is here.
    await setTimeout(300)
    await lock(holding, exit.id)
    return begun
  })
  expect((await reset).status).toBe(200)
  expect(await countDeadlocks(service)).toBe(before)
})

/** What comes of the work while somebody has the term of this configuration, unless the work waits for them. */
const whileHeld = <T>(configId: number, work: () => Promise<T>) =>
  inTransaction(service.db, async (tx) => {
    await sql`select from terms where product = 'configs' and item_id = ${configId} for update`.execute(tx)
    return Promise.race([outside(work), setTimeout(1500, 'waited')])
  })

test("a bridge to what is another customer's is refused without waiting for whoever has that", async () => {
  const [user, other] = [await customer(), await customer()]
  const [own, others] = [await buy(user), await buy(other)]
  const bridge = { first_config_id: own.id, second_config_id: others.id }
  const make = () => service.customer(user, 'POST', '/configs/makeBridge', bridge)
  expect(await whileHeld(others.id, make)).toMatchObject({ status: 404 })
})

const bridged = async () => {
  const user = await customer()
  const [entry, exit] = [await buy(user), await buy(user)]
  const bridge = { first_config_id: entry.id, second_config_id: exit.id }
  expect((await service.customer(user, 'POST', '/configs/makeBridge', bridge)).status).toBe(201)
  return { user, entry, exit }
}

test('what renews itself does not wait for whoever has what leads to it, and is renewed in the next round', async () => {
  const { db, clock, running } = service
  const { entry, exit } = await bridged()
  const now = clock.now()
  const due = { expires_at: now + 3600, auto_renewal: true, auto_renewal_days: 30 }
  const { id } = await db
    .updateTable('terms')
    .set(due)
    .where('product', '=', 'configs')
    .where('item_id', '=', exit.id)
    .returning('id')
    .executeTakeFirstOrThrow()
  const renew = () => renewAutomatically(running.services, now)
  expect(await whileHeld(entry.id, renew)).toEqual([id])
  expect(await renew()).toEqual([])
  const end = db.selectFrom('terms').select('expires_at').where('id', '=', id).executeTakeFirst()
  expect((await end)?.expires_at).toBe(due.expires_at + 30 * 86_400)
})

/** As many exits as a round takes at once, which have ended; all begin in the term of one configuration. */
const addExits = async (user: TestUser, entryId: number, endedAt: number): Promise<void> => {
  const made = sql`server_id, location_id, protocol, credential_nonce, created_at from accesses where id = ${entryId}`
  await sql`
    with ended as (
      insert into terms (user_id, product, item_id, expires_at, created_at)
      select ${user.id}, 'configs', 2000000 + n, ${endedAt}, 0 from generate_series(1, 200) n returning id
    ), exits as (
      insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, created_at)
      select ended.id, made.* from ended cross join (select ${made}) made returning id
    ), entries as (
      insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, created_at)
      select made.* from generate_series(1, 200) cross join (select term_id, ${made}) made returning id
    )
    insert into bridges (user_id, entry_id, exit_id, created_at)
    select ${user.id}, entry.id, exit.id, 0 from (select id, row_number() over () from exits) exit
    join (select id, row_number() over () from entries) entry using (row_number)`.execute(service.db)
}

const removeExits = async (userId: number, kept: readonly number[]): Promise<void> => {
  await sql`
    delete from accesses where id <> all(${kept}::bigint[]) and term_id in (
      select id from terms where user_id = ${userId})`.execute(service.db)
  await sql`delete from terms where user_id = ${userId} and item_id > 2000000`.execute(service.db)
}

test('many that cannot be switched off yet keep nobody on who comes after them', async () => {
  const { db, clock, running } = service
  const { user, entry, exit } = await bridged()
  const later = await buy(await customer())
  const now = clock.now()
  const ofLater = db.updateTable('terms').where('product', '=', 'configs').where('item_id', '=', later.id)
  await ofLater.set({ expires_at: now - 5 }).execute()
  await addExits(user, entry.id, now - 100)
  try {
    expect(await whileHeld(entry.id, () => expireTerms(running.services, now))).toBe(1)
  } finally {
    await removeExits(user.id, [entry.id, exit.id])
  }
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
