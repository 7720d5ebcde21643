import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countDeadlocks } from '../../../../../test/support/databases/deadlocks.ts'
import { outside, untilWaits } from '../../../../../test/support/databases/waiting.ts'
import { addLocation, type EnrolledNode, enrolNode } from '../../../../../test/support/node.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../../test/support/service.ts'

/** Purchases that meet an operator who takes something away. */

let service: TestService
let user: TestUser
let locationId: number
let node: EnrolledNode
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 1_000_000 })
})
afterAll(() => service.stop())
beforeEach(async () => {
  locationId = await addLocation(service)
  node = await enrolNode(service, locationId, { protocols: ['vless', 'trojan'] })
  await node.report()
})

const buy = (body: object = {}) =>
  service.customer(user, 'POST', '/configs', { ...usualOrder, location_id: locationId, ...body })

test('a purchase that waits for a protocol to go gets nothing of it', async () => {
  let bought: ReturnType<typeof buy> | undefined
  await service.db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('inbounds')
      .where('server_id', '=', node.serverId)
      .where('protocol', '=', 'trojan')
      .execute()
    bought = outside(() => buy({ protocol: 'trojan' }))
    await untilWaits(tx, bought)
  })
  expect((await bought)?.body).toMatchObject({ statusCode: 409, errorCode: 22 })
  expect((await node.poll(0)).accesses).toEqual([])
})

test('so does a change of settings on the same server', async () => {
  const { id } = (await buy()).body.data
  let changed: ReturnType<typeof buy> | undefined
  await service.db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('inbounds')
      .where('server_id', '=', node.serverId)
      .where('protocol', '=', 'trojan')
      .execute()
    const body = { location_id: locationId, protocol: 'trojan' }
    changed = outside(() => service.customer(user, 'PATCH', `/configs/${id}/settings`, body))
    await untilWaits(tx, changed)
  })
  expect((await changed)?.body).toMatchObject({ statusCode: 409, errorCode: 22 })
  expect((await node.poll(0)).accesses).toMatchObject([{ inbound: `vless-${node.serverId}` }])
})

test('whoever is quicker has it: a server that is retired, or a configuration on it', async () => {
  for (let round = 0; round < 4; round++) {
    const [deleted, bought] = await Promise.all([
      service.operator('DELETE', `/servers/${node.serverId}`),
      buy(),
    ])
    expect([deleted.status, bought.status].sort()).toEqual(deleted.status === 200 ? [200, 409] : [201, 409])
    expect((await node.poll(0)).accesses).toHaveLength(bought.status === 201 ? 1 : 0)
    node = await enrolNode(service, locationId, { protocols: ['vless', 'trojan'] })
    await node.report()
    await service.db
      .updateTable('servers')
      .set({ state: 'closed' })
      .where('location_id', '=', locationId)
      .where('id', '<>', node.serverId)
      .where('state', '<>', 'retired')
      .execute()
  }
})

test('changes of a server and of what is on it do not wait for each other', async () => {
  const other = await enrolNode(service, locationId, { protocols: ['vless', 'trojan'] })
  await other.report()
  const configs: number[] = []
  for (let at = 0; at < 6; at++) {
    const body = { use_extended_settings: at % 2 === 0, server_id: node.serverId }
    configs.push((await buy(body)).body.data.id)
  }
  const link = (entry: number | undefined, exit: number | undefined) =>
    service.customer(user, 'POST', '/configs/makeBridge', { first_config_id: entry, second_config_id: exit })
  const [first, second, third, fourth, fifth, sixth] = configs
  // From older to younger and the other way round, so that no order of ids suits them all by chance.
  for (const [entry, exit] of [
    [first, second],
    [second, third],
    [fifth, fourth],
    [sixth, fourth],
  ]) {
    expect((await link(entry, exit)).status).toBe(201)
  }
  const names = ['www.example.org', 'www.example.net', 'www.example.com', 'example.org']
  const answers = await Promise.all([
    ...names.map((name) =>
      service.operator('PATCH', `/servers/${node.serverId}`, { reality_server_name: name }),
    ),
    ...configs.map((id, at) =>
      service.customer(user, 'PATCH', `/configs/${id}/settings`, {
        location_id: locationId,
        protocol: at % 2 === 0 ? 'vless' : 'trojan',
        server_id: at % 3 === 0 ? other.serverId : node.serverId,
      }),
    ),
    ...configs.map((id) => service.customer(user, 'POST', `/configs/${id}/resetCredentials`)),
    service.operator('PATCH', `/nodes/${node.nodeId}`, {
      address: '198.51.100.9',
      listen_address: '127.0.0.1',
    }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const links = await Promise.all([link(first, third), link(fifth, third), link(fourth, third)])
  expect(links.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(await countDeadlocks(service)).toBe(0)
})
