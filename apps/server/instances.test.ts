import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngine } from '../../test/support/databases/database.ts'
import { enrolNode } from '../../test/support/node.ts'
import { startTestService, type TestService, type TestUser, usualOrder } from '../../test/support/service.ts'
import { readConfig } from './config.ts'
import { type RunningService, startService } from './main.ts'

/** Two instances on one PostgreSQL. The embedded database belongs to one process, so there is nothing to share. */
const isShared = testEngine() === 'postgres'

let service: TestService
let other: RunningService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  if (isShared) other = await startService(readConfig(service.env), { clock: service.clock })
})
afterAll(async () => {
  await other?.stop()
  await service.stop()
})

const statusAt = async (url: string, token: string): Promise<number> => {
  const response = await fetch(`${url}/v1/profile`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}

const urls = () => (isShared ? [service.running.url, other.url] : [service.running.url])

/** What each of the instances lists. */
const listedTo = (user: TestUser) =>
  Promise.all(
    urls().map(async (url) => {
      const headers = { authorization: `Bearer ${user.api_key}` }
      const response = await fetch(`${url}/v1/configs`, { headers })
      return ((await response.json()) as { data: { id: number; connection_url: string }[] }).data
    }),
  )

test('a revoked key is dead at once on every instance', async () => {
  const user = await service.createUser()
  for (const url of urls()) expect(await statusAt(url, user.api_key)).toBe(200)
  const keys = await service.call('GET', '/v1/profile/api-keys', { token: user.session_token })
  await service.call('DELETE', `/v1/profile/api-keys/${keys.body.data[0].id}`, { token: user.session_token })
  for (const url of urls()) await expect.poll(() => statusAt(url, user.api_key), { timeout: 1000 }).toBe(401)
})

let owners: TestUser[]

test('what one instance sold every instance shows', async () => {
  owners = await Promise.all(Array.from({ length: 30 }, () => service.createUser({ balance: 200 })))
  for (const owner of owners) {
    const sold = await service.call('POST', '/v1/configs', { token: owner.api_key, body: usualOrder })
    expect(sold.status).toBe(201)
    const { id, connection_url } = sold.body.data
    for (const list of await listedTo(owner)) expect(list).toMatchObject([{ id, connection_url }])
  }
})

test('jobs on several instances expire each configuration once', async () => {
  const revision = async () => {
    const node = await service.db.selectFrom('nodes').select('desired_revision').executeTakeFirstOrThrow()
    return node.desired_revision
  }
  const before = await revision()
  service.clock.advance(30 * 86_400)
  await Promise.all([service.running.runJobs(), (isShared ? other : service.running).runJobs()])
  expect((await revision()) - before).toBe(30)
  const states = await service.db.selectFrom('terms').select('state').distinct().execute()
  expect(states).toEqual([{ state: 'expired' }])
  const used = await service.db
    .selectFrom('servers')
    .select((eb) => eb.fn.sum<number>('used_slots').as('n'))
    .executeTakeFirstOrThrow()
  expect(Number(used.n)).toBe(0)
})

test('two weeks after its end a configuration is deleted with its credentials', async () => {
  service.clock.advance(14 * 86_400 - 1)
  await service.running.runJobs()
  const count = async (state: 'expired' | 'deleted') =>
    (await service.db.selectFrom('terms').select('id').where('state', '=', state).execute()).length
  expect(await count('expired')).toBe(30)
  for (const owner of owners) for (const list of await listedTo(owner)) expect(list).toHaveLength(1)
  service.clock.advance(1)
  await service.running.runJobs()
  expect(await count('deleted')).toBe(30)
  const kept = await service.db.selectFrom('accesses').select('id').execute()
  expect(kept).toEqual([])
  for (const owner of owners) for (const list of await listedTo(owner)) expect(list).toEqual([])
})

test('traffic that was reported to one instance every instance tells', async () => {
  const node = await enrolNode(service, 7)
  await node.report()
  const user = await service.createUser({ balance: 1000 })
  const { id } = await service.buy(user, { location_id: 7, server_id: node.serverId })
  const told = async (url: string) => {
    const answer = await fetch(`${url}/sub/${user.subscription_key}`)
    return answer.headers.get('subscription-userinfo')
  }
  for (const down of [1000, 2000]) {
    await node.report({ traffic: [{ boot_id: 'boot', id: `a${id}`, up: 0, down }] })
    for (const url of urls())
      await expect.poll(() => told(url), { timeout: 1000 }).toMatch(`download=${down};`)
  }
})
