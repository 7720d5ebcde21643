import { readFile } from 'node:fs/promises'
import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { CloudTests } from '../../../../../../test/support/cloud-servers.ts'
import { CustomTests, configItem } from '../../../../../../test/support/custom-subscriptions.ts'
import { testEngine } from '../../../../../../test/support/databases/database.ts'
import { enrolNode } from '../../../../../../test/support/node.ts'
import { accountOf } from '../../../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../../test/support/service.ts'
import { readConfig } from '../../../../config.ts'
import { type RunningService, startService } from '../../../../main.ts'

/** What closing an account takes off nodes, and what opening it brings back. */

let service: TestService
let account: ReturnType<typeof accountOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(() => service.heartbeat())
afterEach(async () => expect(await account.broken({ isAtRest: false })).toEqual([]))
afterAll(() => service.stop())

const day = 86_400
const block = async (user: TestUser, isBlocked = true) => {
  const answer = await service.operator('PATCH', `/users/${user.id}/blocked`, { is_blocked: isBlocked })
  expect([answer.status, answer.body.data]).toEqual([200, true])
}
const open = (user: TestUser) => block(user, false)
/** Accesses of a customer that should be on some node. */
const placed = async ({ id }: TestUser): Promise<number[]> => {
  const rows = await service.db
    .selectFrom('placements as p')
    .innerJoin('accesses as a', 'a.id', 'p.access_id')
    .innerJoin('terms as t', 't.id', 'a.term_id')
    .select('p.access_id')
    .where('t.user_id', '=', id)
    .where('p.is_present', '=', true)
    .orderBy('p.access_id')
    .execute()
  return rows.map((row) => row.access_id)
}
const buyOption = (user: TestUser, tariff = 11) =>
  service.customer(user, 'POST', '/paid-options', {
    paid_option_id: 1,
    payment_method_id: 1,
    tariff_id: tariff,
  })
const balanceOf = async (user: TestUser): Promise<number> =>
  (await service.operator('GET', `/users?search=${user.id}`)).body.data.items[0].balance

test('everything of every product goes from every node, and comes back as it was', async () => {
  const [user, neighbour] = [
    await service.createUser({ balance: 100_000 }),
    await service.createUser({ balance: 1000 }),
  ]
  const clouds = new CloudTests(service)
  const [first, second] = [await service.buy(user), await service.buy(user, { location_id: 2 })]
  await service.customer(user, 'POST', `/configs/${first.id}/subconfig`, { protocol: 'http' })
  await service.customer(user, 'POST', '/configs/makeBridge', {
    first_config_id: first.id,
    second_config_id: second.id,
  })
  await buyOption(user)
  const machine = await clouds.active(user)
  await clouds.call(user, 'POST', `/${machine.id}/configs`, { protocol: 'vless' })
  await service.buy(neighbour)
  const [before, others] = [await placed(user), await placed(neighbour)]
  expect(before.length).toBeGreaterThan(5)
  const urls = async () =>
    (await service.customer(user, 'GET', '/configs')).body.data.map(
      (config: { connection_url: string }) => config.connection_url,
    )
  const links = await urls()

  await block(user)
  expect(await placed(user)).toEqual([])
  expect(await placed(neighbour)).toEqual(others)
  await service.running.runJobs()
  expect(await placed(user)).toEqual([])
  expect((await clouds.machine(machine.id))?.wanted).toBe('on')
  await block(user)
  expect(await placed(user)).toEqual([])

  await open(user)
  expect(await placed(user)).toEqual(before)
  expect(await urls()).toEqual(links)
  expect((await service.customer(user, 'GET', '/configs/bridges')).body.data).toHaveLength(1)
  await open(user)
  expect(await placed(user)).toEqual(before)
})

test('an agent that waits is told at once', async () => {
  const node = await enrolNode(service, 1)
  await node.report()
  const user = await service.createUser({ balance: 1000 })
  const { id } = await service.buy(user, { server_id: node.serverId })
  const { revision } = await node.poll(0)
  const waiting = node.poll(revision, 20)
  await block(user)
  expect(await waiting).toMatchObject({ removed: [`a${id}`] })
})

test('only what would be on comes back: not what ended, is used up or switched off meanwhile', async () => {
  const user = await service.createUser({ balance: 100_000 })
  await service.buy(user)
  const longer = await service.buy(user, { tariff_id: 2 })
  await buyOption(user, 12)
  await block(user)
  const path = `/users/${user.id}/paid-options/1`
  const off = await service.operator('PATCH', path, { is_disabled: true, reason: 'abuse' })
  expect(off.status, JSON.stringify(off.body)).toBe(200)
  service.clock.advance(31 * day)
  await service.heartbeat()
  await service.running.runJobs()
  expect(await placed(user)).toEqual([])
  await open(user)
  expect(await placed(user)).toEqual([longer.id])
  await block(user)
  await service.operator('PATCH', path, { is_disabled: false, reason: 'sorry' })
  expect(await placed(user)).toEqual([])
  await open(user)
  expect((await placed(user)).length).toBeGreaterThan(1)
})

test('nothing comes to a node by another door: what is paid by link later, new or ended, stays off until then', async () => {
  const user = await service.createUser({ balance: 100_000 })
  const { id } = await service.buy(user)
  service.clock.advance(30 * day - 60)
  await service.heartbeat()
  const bought = await account.order(user, '/configs', { location_id: 1, protocol: 'vless', tariff_id: 1 })
  const renewal = await account.order(user, `/configs/renewal/${id}`, { tariff_id: 1 })
  await block(user)
  service.clock.advance(120)
  await service.heartbeat()
  await service.running.runJobs()
  for (const link of [bought, renewal]) await account.pay(link)
  await service.running.runJobs()
  expect(await placed(user)).toEqual([])
  const live = await service.db
    .selectFrom('terms')
    .select('id')
    .where('user_id', '=', user.id)
    .where('state', '=', 'active')
    .execute()
  expect(live).toHaveLength(2)
  await open(user)
  expect(await placed(user)).toHaveLength(2)
})

test('what fails on its node is not moved for a closed account', async () => {
  const node = await enrolNode(service, 2)
  await node.report()
  const user = await service.createUser({ balance: 1000 })
  const { id } = await service.buy(user, { location_id: 2, server_id: node.serverId })
  const inbounds = [{ tag: `vless-${node.serverId}`, reason: 'port 443 is taken' }]
  await node.report({ not_carried: { inbounds, accesses: [], unfit: [] } })
  await block(user)
  service.clock.advance(150)
  await service.heartbeat()
  await service.running.runJobs()
  const access = await service.db
    .selectFrom('accesses')
    .select('server_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(access.server_id).toBe(node.serverId)
  expect(await placed(user)).toEqual([])
})

test('nobody pays for a closed account, and what ends then is renewed by hand', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user, { enable_auto_renewal: true })
  const paid = await balanceOf(user)
  await block(user)
  for (let at = 0; at < 3; at++) {
    service.clock.advance(10 * day + 1)
    await service.heartbeat()
    await service.running.runJobs()
  }
  expect(await balanceOf(user)).toBe(paid)
  const term = await service.db
    .selectFrom('terms')
    .select(['id', 'state'])
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(term.state).toBe('expired')
  await open(user)
  expect(await placed(user)).toEqual([])
})

test('opened again within the last day it is renewed as ever', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user, { enable_auto_renewal: true })
  const paid = await balanceOf(user)
  await block(user)
  service.clock.advance(29.5 * day)
  await service.heartbeat()
  await service.running.runJobs()
  await open(user)
  await service.running.runJobs()
  expect(await balanceOf(user)).toBe(paid - 200)
})

test('apps are refused from the next fetch on, on every instance, by every kind of key', async () => {
  const user = await service.createUser({ balance: 100_000 })
  const { id } = await service.buy(user)
  await buyOption(user)
  const custom = await new CustomTests(service).made(user, configItem(id))
  let other: RunningService | undefined
  // The embedded database belongs to one process.
  if (testEngine() === 'postgres')
    other = await startService(readConfig(service.env), { clock: service.clock })
  const urls = [service.running.url, ...(other ? [other.url] : [])]
  const keys = [user.subscription_key, custom.subscription_key]
  const fetched = async (headers: Record<string, string> = {}) => {
    const answers: Response[] = []
    for (const url of urls) {
      for (const key of keys) answers.push(await fetch(`${url}/sub/${key}`, { headers }))
    }
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
    return answers
  }
  const app = { 'user-agent': 'Happ/3.1.0', 'x-hwid': 'phone-of-the-closed' }
  try {
    const kept = await fetched(app)
    expect(kept.map(({ status }) => status)).toEqual(kept.map(() => 200))
    await fetched(app)
    await block(user)
    const etag = kept[0]?.headers.get('etag') ?? '"none"'
    for (const headers of [app, { ...app, 'if-none-match': etag }]) {
      const refused = await fetched(headers)
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404))
    }
    await open(user)
    expect((await fetched(app)).map(({ status }) => status)).toEqual(kept.map(() => 200))
  } finally {
    await other?.stop()
  }
})

test('closed by an instance of the release before, which leaves it there: the next round takes it off', async () => {
  const [user, neighbour] = [
    await service.createUser({ balance: 1000 }),
    await service.createUser({ balance: 1000 }),
  ]
  for (const each of [user, neighbour]) await service.buy(each)
  const [before, others] = [await placed(user), await placed(neighbour)]
  await service.db.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute()
  await service.running.runJobs()
  expect([await placed(user), await placed(neighbour)]).toEqual([[], others])
  await open(user)
  expect(await placed(user)).toEqual(before)
})

test('accounts that were closed before closing took anything off: the migration does it', async () => {
  const users = [
    await service.createUser({ balance: 1000 }),
    await service.createUser({ balance: 1000 }),
  ] as const
  for (const user of users) {
    await service.buy(user)
    await service.buy(user, { location_id: 2 })
  }
  const ids = users.map((user) => user.id)
  await service.db.updateTable('users').set({ is_blocked: true }).where('id', 'in', ids).execute()
  expect(await account.broken({ isAtRest: false })).not.toEqual([])
  const file = new URL('../../../../db/migrations/0029_days_gifts_and_closed_accounts.sql', import.meta.url)
  const text = await readFile(file, 'utf8')
  await service.db.executeQuery(CompiledQuery.raw(text.slice(text.indexOf('with gone'))))
  for (const user of users) expect(await placed(user)).toEqual([])
  expect(await account.broken({ isAtRest: false })).toEqual([])
  for (const user of users) await open(user)
  expect(await placed(users[0])).toHaveLength(2)
})
