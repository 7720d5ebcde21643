import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** Seeing bridges and taking them away; making them is in settings.test.ts. */

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 100_000 })
})
afterAll(() => service.stop())

const buy = (body?: object) => service.buy(user, body)
const make = (first: number, second: number) =>
  service.customer(user, 'POST', '/configs/makeBridge', { first_config_id: first, second_config_id: second })
const list = async (of = user) => (await service.customer(of, 'GET', '/configs/bridges')).body.data
const remove = (id: number | string, of = user) => service.customer(of, 'DELETE', `/configs/bridges/${id}`)
const notFound = { status: false, statusCode: 404, errorCode: 1, message: 'NOT_FOUND' }

test('a bridge is listed as it was made, and another exit is another bridge', async () => {
  const [a, b, c] = [await buy(), await buy(), await buy()]
  expect(await list()).toEqual([])
  await make(a.id, b.id)
  await make(b.id, c.id)
  const [first, second] = await list()
  expect([first, second]).toEqual([
    {
      id: expect.any(Number),
      first_config_id: a.id,
      first_type: 'config',
      second_config_id: b.id,
      second_type: 'config',
      created_at: expect.any(Number),
    },
    expect.objectContaining({ first_config_id: b.id, second_config_id: c.id }),
  ])
  await make(a.id, c.id)
  const now = await list()
  expect(now.map((bridge: { second_config_id: number }) => bridge.second_config_id)).toEqual([c.id, c.id])
  expect(now.some(({ id }: { id: number }) => id === first.id)).toBe(false)
  expect((await remove(first.id)).body).toEqual(notFound)
})

test('it is removed once; foreign and missing are the same', async () => {
  const [a, b] = [await buy(), await buy()]
  await make(a.id, b.id)
  const [bridge] = await list()
  const stranger = await service.createUser()
  expect(await list(stranger)).toEqual([])
  expect((await remove(bridge.id, stranger)).body).toEqual(notFound)
  expect((await remove(999_999_999)).body).toEqual(notFound)
  expect(await list()).toEqual([bridge])
  const answers = await Promise.all([remove(bridge.id), remove(bridge.id), remove(bridge.id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  expect(answers.find(({ status }) => status === 200)?.body.data).toBe(true)
  expect(await list()).toEqual([])
  expect((await make(b.id, a.id)).status).toBe(201)
})

test('the node of the entry is told, and an edited JSON stays', async () => {
  const node = await enrolNode(service, 2)
  await node.report()
  const exit = await buy()
  const entry = await buy({ location_id: 2, server_id: node.serverId, use_extended_settings: true })
  const json = JSON.parse(entry.xray_config)
  json.inbounds[0].streamSettings.realitySettings.shortIds = ['c0de']
  const change = service.customer(user, 'PATCH', `/configs/${entry.id}/XrayConfig`, {
    xray_config: JSON.stringify(json),
  })
  const [trial] = (await node.poll((await node.poll(0)).revision, 5)).trials
  await node.answerTrial(trial?.id ?? 0, { is_accepted: true, reason: null })
  expect((await change).status).toBe(200)
  await make(entry.id, exit.id)
  const before = await node.poll(0)
  expect(before.accesses[0]).toHaveProperty('exit')
  const [bridge] = await list()
  expect((await remove(bridge.id)).body.data).toBe(true)
  const after = await node.poll(before.revision)
  expect(after.accesses).toHaveLength(1)
  expect(after.accesses[0]).not.toHaveProperty('exit')
  expect((after.accesses[0] as { config: string }).config).toContain('c0de')
})

test('one whose entry has ended can be removed, and does not put it back on its node', async () => {
  const [entry, exit] = [await buy(), await buy({ tariff_id: 4 })]
  await make(entry.id, exit.id)
  service.clock.advance(31 * 86_400)
  await service.heartbeat()
  await service.running.runJobs()
  const [bridge] = await list()
  expect((await remove(bridge.id)).status).toBe(200)
  const placed = await service.db
    .selectFrom('placements')
    .select('is_present')
    .where('access_id', '=', entry.id)
    .execute()
  expect(placed).toEqual([{ is_present: false }])
})

test('its address is not taken for that of a configuration', async () => {
  expect((await remove('subconfig')).body).toMatchObject({
    statusCode: 400,
    details: [{ path: 'bridge_id' }],
  })
})
