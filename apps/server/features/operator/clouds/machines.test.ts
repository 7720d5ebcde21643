import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CloudOrder,
  localOrder,
  orderMachine,
  sellByHand,
} from '../../../../../test/support/machines.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let order: CloudOrder
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  order = (await sellByHand(service)).order
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const round = async () => {
  // Longer than between two looks at one machine.
  service.clock.advance(3)
  await service.running.runJobs()
}
const buy = async (what: CloudOrder = order) => {
  const bought = await orderMachine(service, what)
  await round()
  return bought
}
const tell = (id: number, address: string) =>
  service.operator('POST', `/cloud-servers/${id}/address`, { address })
const retry = (id: number) => service.operator('POST', `/cloud-servers/${id}/retry`)
const list = async (query = '') => (await service.operator('GET', `/cloud-servers?${query}`)).body.data
const own = async (user: TestUser) => (await service.customer(user, 'GET', '/cloud-servers')).body.data[0]
let told = 0
const fresh = (): string => `198.51.100.${++told}`

test('a cloud stays while a customer has a machine from there, and what is gone still says where it was from', async () => {
  const { cloudId, order: sold } = await sellByHand(service)
  const { id } = await buy(sold)
  await service.operator('PATCH', `/cloud-configurations/${sold.tariff_config_id}`, { offers: [] })
  const refused = await service.operator('DELETE', `/clouds/${cloudId}`)
  expect([refused.status, refused.body.details[0].problem]).toEqual([
    409,
    '1 customer depends on it: 1 cloud server comes from there; it goes when they have gone',
  ])
  const { title } = (await service.operator('GET', '/clouds')).body.data.find(
    (cloud: { id: number }) => cloud.id === cloudId,
  )
  await service.db
    .updateTable('machines')
    .set({ gone_at: service.clock.now(), next_step_at: null, problem: null })
    .where('id', '=', id)
    .execute()
  expect((await service.operator('DELETE', `/clouds/${cloudId}`)).body.data).toBe(true)
  const gone = (await list('state=gone')).find((machine: { id: number }) => machine.id === id)
  expect(gone).toMatchObject({ cloud_id: cloudId, cloud: title })
})

describe('looking and trying again', () => {
  test('machines are listed with what stands in their way', async () => {
    const { user, id } = await buy()
    const { id: running } = await buy(localOrder)
    const waiting = await list('state=needs_attention')
    const mine = waiting.find((machine: { id: number }) => machine.id === id)
    expect(mine).toEqual({
      id,
      user_id: user.id,
      order_id: expect.any(Number),
      location_id: 1,
      configuration_id: order.tariff_config_id,
      hostname: null,
      status: 'ordered',
      wanted: 'on',
      cloud_id: expect.any(Number),
      cloud: expect.any(String),
      region: '',
      machine_type: '',
      name: expect.stringMatching(/^slp-[0-9a-f]{8}-\d+$/),
      ref: null,
      address: null,
      node_id: null,
      attempt: 0,
      problem: 'waits for its address',
      next_step_at: expect.any(Number),
      created_at: expect.any(Number),
      activated_at: null,
      gone_at: null,
    })
    expect(mine.name.endsWith(`-${mine.order_id}`)).toBe(true)
    const ids = async (query: string) => (await list(query)).map((machine: { id: number }) => machine.id)
    expect(await ids('state=needs_attention')).not.toContain(running)
    expect(await ids('state=active')).toContain(running)
    expect(await ids('state=ordered')).toContain(id)
    expect(await ids('state=leaving')).toEqual([])
    expect(await ids('state=gone')).not.toContain(id)
    expect(await ids(`user_id=${user.id}`)).toEqual([id])
    const all = await ids('limit=500')
    expect(all).toEqual(all.toSorted((a: number, b: number) => b - a))
    expect(await ids('limit=1&offset=1')).toEqual([all[1]])
    expect(await ids(`limit=1&before=${all[0]}`)).toEqual([all[1]])
    expect(await ids(`state=active&before=${running}`)).not.toContain(running)
    expect((await service.operator('GET', '/cloud-servers?state=lost')).status).toBe(400)
  })

  test('what was put right is tried now, at every offer', async () => {
    const { id } = await buy()
    await service.db
      .updateTable('machines')
      .set({ tries: 7, tried_offers: [1, 2], next_step_at: service.clock.now() + 9999 })
      .where('id', '=', id)
      .execute()
    const { status, body } = await retry(id)
    expect([status, body.data.id]).toEqual([200, id])
    const read = () =>
      service.db.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(await read()).toMatchObject({ tries: 0, tried_offers: [] })
    await round()
    expect(await read()).toMatchObject({ status: 'ordered', problem: 'waits for its address' })
    expect((await tell(id, fresh())).status).toBe(200)
    const { body: log } = await service.operator('GET', `/audit?subject=cloud_server:${id}`)
    expect(log.data.map(({ action }: { action: string }) => action)).toEqual([
      'setMachineAddress',
      'retryMachine',
    ])
    expect((await retry(999_999)).status).toBe(404)
  })

  test('one that was asked for is found out about before others are asked', async () => {
    const { id } = await buy()
    const asked = { asked_at: service.clock.now(), tried_offers: [5], next_step_at: null }
    await service.db.updateTable('machines').set(asked).where('id', '=', id).execute()
    await retry(id)
    const row = await service.db
      .selectFrom('machines')
      .select(['tried_offers', 'cloud_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ tried_offers: [5], cloud_id: expect.any(Number) })
  })

  test('a machine that runs is left as it is', async () => {
    const { user, id } = await buy(localOrder)
    const before = await own(user)
    expect((await retry(id)).status).toBe(200)
    await round()
    expect(await own(user)).toEqual(before)
  })

  test('support finds machines and tries again; finance looks', async () => {
    const { id } = await buy()
    const now = service.clock.now()
    const call = async (role: 'support' | 'finance', method: string, path: string, body?: object) => {
      const token = await createOperator(service.db, { name: crypto.randomUUID(), role, now })
      const answer = await service.call(method, `/operator/v1${path}`, { token, ...(body && { body }) })
      return answer.status
    }
    for (const role of ['support', 'finance'] as const) {
      expect(await call(role, 'GET', '/cloud-servers')).toBe(200)
    }
    const body = { address: fresh() }
    expect(await call('finance', 'POST', `/cloud-servers/${id}/address`, body)).toBe(403)
    expect(await call('finance', 'POST', `/cloud-servers/${id}/retry`)).toBe(403)
    expect(await call('support', 'POST', `/cloud-servers/${id}/retry`)).toBe(200)
    await round()
    expect(await call('support', 'POST', `/cloud-servers/${id}/address`, body)).toBe(200)
  })
})
