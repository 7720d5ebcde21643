import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('a credential read while its customer changes is not remembered', async () => {
  const { db, bus } = service.running.services
  const user = await service.createUser()
  const statusNow = async () => (await service.call('GET', '/v1/profile', { token: user.api_key })).status
  let reading: Promise<number> | undefined
  await inTransaction(db, async (tx) => {
    await sql`lock table api_keys in access exclusive mode`.execute(tx)
    reading = statusNow()
    const waiting = sql<{ n: number }>`
      select count(*)::int as n from pg_locks where relation = 'api_keys'::regclass and not granted`
    await expect.poll(async () => (await waiting.execute(tx)).rows[0]?.n).toBe(1)
    bus.deliver(`auth:u:${user.id}`)
  })
  expect(await reading).toBe(200)
  // Not announced: only who looks into the database again can know.
  await db.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute()
  expect(await statusNow()).toBe(403)
})

test('a database that does not answer is no wrong token of an agent', async () => {
  const { db, bus } = service.running.services
  const node = await enrolNode(service, 1)
  expect((await node.report()).status).toBe(200)
  bus.deliver(`auth:n:${node.nodeId}`)
  await inTransaction(db, async (tx) => {
    await sql`lock table nodes in access exclusive mode`.execute(tx)
    const report = node.report()
    const givenUp = sql`
      select pg_cancel_backend(pid) from pg_locks where relation = 'nodes'::regclass and not granted`
    await expect.poll(async () => (await givenUp.execute(tx)).rows.length).toBe(1)
    expect((await report).status).toBe(503)
  })
  expect((await node.report()).status).toBe(200)
})
