import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const order = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 }

test('a machine that is lost comes back on one of its own, not among others', async () => {
  const user = await service.createUser({ balance: 1000 })
  const { id } = (await service.customer(user, 'POST', '/cloud-servers', order)).body.data
  const put = (change: object) =>
    service.db.updateTable('machines').set(change).where('id', '=', id).execute()
  await service.heartbeat()
  await service.running.runJobs()
  const now = service.clock.now()
  const lost = { status: 'ordered', ref: null, offer_id: null, cloud_id: null, is_on: false }
  await put({ ...lost, next_step_at: now })
  await service.running.runJobs()
  const read = service.db.selectFrom('machines').selectAll().where('id', '=', id)
  expect(await read.executeTakeFirst()).toMatchObject({ status: 'ordered', cloud_id: null, gone_at: null })
  const { body } = await service.operator('GET', '/alerts?is_open=true')
  expect(body.data).toContainEqual(expect.objectContaining({ kind: 'machine_failed' }))
})

test('those that wait for a person are left alone', async () => {
  const title = 'By hand'
  const { body: cloud } = await service.operator('POST', '/clouds', { kind: 'manual', title })
  const offers = [{ location_id: 1, cloud_id: cloud.data.id }]
  await service.operator('PATCH', '/cloud-configurations/1', { offers })
  const user = await service.createUser({ balance: 1000 })
  const { id } = (await service.customer(user, 'POST', '/cloud-servers', order)).body.data
  const read = () =>
    service.db
      .selectFrom('machines')
      .select(['turn', 'next_step_at', 'problem'])
      .where('id', '=', id)
      .executeTakeFirst()
  await service.running.runJobs()
  const waiting = await read()
  const givesUpAt = expect.any(Number)
  expect(waiting).toMatchObject({ next_step_at: givesUpAt, problem: 'waits for its address' })
  service.clock.advance(600)
  await service.running.runJobs()
  expect(await read()).toEqual(waiting)
})

test('what was not found before its time was over is paid back', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.customer(user, 'POST', '/cloud-servers', order)
  await service.running.runJobs()
  service.clock.advance(31 * 86_400)
  for (let round = 0; round < 3; round++) await service.running.runJobs()
  expect((await service.customer(user, 'GET', '/cloud-servers')).body.data).toEqual([])
  expect((await service.customer(user, 'GET', '/profile')).body.data.balance).toBe(1000)
})
