import { secondsInDay } from '@sallyport/domain/time/period'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addLocation, type EnrolledNode, enrolNode } from '../../../../test/support/node.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'

let service: TestService
let user: TestUser
let locationId: number
let node: EnrolledNode
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 100_000 })
})
afterAll(() => service.stop())
beforeEach(async () => {
  locationId = await addLocation(service)
  node = await enrolNode(service, locationId)
  await node.report()
})

type State = 'selling' | 'closed' | 'draining' | 'retired'
const set = (state: State) =>
  service.db.updateTable('servers').set({ state }).where('id', '=', node.serverId).execute()
const offered = async () => {
  const query = `location_id=${locationId}&protocol=vless`
  return (await service.customer(user, 'GET', `/configs/available-servers?${query}`)).body.data
}
const buy = async () =>
  (await service.customer(user, 'POST', '/configs', { ...usualOrder, location_id: locationId })).body

test.each(['closed', 'draining', 'retired'] as const)('nothing is sold on one that is %s', async (state) => {
  await set(state)
  expect(await offered()).toEqual([])
  expect(await buy()).toMatchObject({ errorCode: 22 })
  await set('selling')
  expect(await offered()).toHaveLength(1)
  expect(await buy()).toMatchObject({ status: true })
})

test('what is on a closed one changes its settings there, and comes back there after its end', async () => {
  const { id } = (await buy()).data
  await set('closed')
  const body = { location_id: locationId, protocol: 'vless' }
  expect((await service.customer(user, 'PATCH', `/configs/${id}/settings`, body)).status).toBe(200)
  service.clock.advance(31 * secondsInDay)
  await service.running.runJobs()
  await node.report()
  const renewal = { payment_method_id: 1, tariff_id: 1 }
  expect((await service.customer(user, 'POST', `/configs/renewal/${id}`, renewal)).status).toBe(201)
  expect(
    await service.db.selectFrom('servers').select('used_slots').where('id', '=', node.serverId).execute(),
  ).toEqual([{ used_slots: 1 }])
  await set('draining')
  service.clock.advance(31 * secondsInDay)
  await service.running.runJobs()
  await node.report()
  expect((await service.customer(user, 'POST', `/configs/renewal/${id}`, renewal)).body).toMatchObject({
    errorCode: 22,
  })
})

test('an option is sold while all its servers sell, keeps a closed one, and takes none that is closed', async () => {
  await service.heartbeat()
  const servers = await service.db
    .selectFrom('paid_option_servers')
    .select('server_id')
    .where('option_id', '=', 1)
    .execute()
  const ids = servers.map((row) => row.server_id)
  const setFirst = (state: State) =>
    service.db
      .updateTable('servers')
      .set({ state })
      .where('id', '=', ids[0] as number)
      .execute()
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
  const buyOption = async () => (await service.customer(user, 'POST', '/paid-options', order)).body
  const change = (serverIds: number[]) =>
    service.operator('PATCH', '/paid-options/1', { server_ids: serverIds })
  await setFirst('closed')
  expect(await buyOption()).toMatchObject({ errorCode: 22 })
  expect((await change(ids)).status).toBe(200)
  expect((await change(ids.slice(1))).status).toBe(200)
  const refused = await change(ids)
  expect([refused.status, refused.body.details[0].path]).toEqual([409, 'server_ids'])
  await setFirst('selling')
  expect((await change(ids)).status).toBe(200)
  expect(await buyOption()).toMatchObject({ status: true })
})
