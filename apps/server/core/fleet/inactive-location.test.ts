import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EnrolledNode, nodesIn } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** A location that is no longer offered: nothing new comes there, and what is there goes on. */

let service: TestService
let locationId: number
let nodes: EnrolledNode[]
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  const place = { code: 'SE', title_ru: 'Швеция', title_en: 'Sweden' }
  locationId = (await service.operator('POST', '/locations', place)).body.data.id
  nodes = await nodesIn(service, locationId, 2, { protocols: ['vless', 'trojan'] })
  user = await service.createUser({ balance: 100_000 })
})
afterAll(() => service.stop())

const day = 86_400
const offer = (isActive: boolean) =>
  service.operator('PATCH', `/locations/${locationId}`, { is_active: isActive })
const alive = async () => {
  await service.heartbeat()
  for (const node of nodes) await node.report()
}
const buyThere = () => service.buy(user, { location_id: locationId, server_id: nodes[0]?.serverId })
const settle = (id: number, body: object) =>
  service.customer(user, 'PATCH', `/configs/${id}/settings`, { protocol: 'vless', ...body })
const configOf = async (id: number) => {
  const { body } = await service.customer(user, 'GET', '/configs')
  return body.data.find((one: { id: number }) => one.id === id)
}

test('nothing is sold there, and nothing moves there from elsewhere', async () => {
  await alive()
  const elsewhere = await service.buy(user)
  await offer(false)
  const order = { location_id: locationId, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
  for (const method of [1, 2]) {
    const refused = await service.customer(user, 'POST', '/configs', { ...order, payment_method_id: method })
    expect([refused.status, refused.body.errorCode]).toEqual([409, 22])
  }
  const available = `/configs/available-servers?location_id=${locationId}&protocol=vless`
  expect((await service.customer(user, 'GET', available)).body.data).toEqual([])
  expect((await settle(elsewhere.id, { location_id: locationId })).body.errorCode).toBe(22)
  const shown = (await service.customer(user, 'GET', '/locations')).body.data
  expect(shown).toContainEqual(expect.objectContaining({ id: locationId, is_active: false }))
  await offer(true)
})

test('what is there changes its protocol and its server, and is carried elsewhere when it has to be', async () => {
  await alive()
  const config = await buyThere()
  await offer(false)
  expect((await settle(config.id, { location_id: locationId, protocol: 'trojan' })).status).toBe(200)
  const [first, second] = nodes.map((node) => node.serverId)
  const moved = await settle(config.id, { location_id: locationId, protocol: 'trojan', server_id: second })
  expect(moved.body.data.server_id).toBe(second)
  await nodes[1]?.report({
    apply_error: 'port 12345 is taken by another program',
    not_carried: { inbounds: [], accesses: [`a${config.id}`], unfit: [] },
  })
  service.clock.advance(130)
  await alive()
  await nodes[1]?.report({
    apply_error: 'port 12345 is taken by another program',
    not_carried: { inbounds: [], accesses: [`a${config.id}`], unfit: [] },
  })
  await service.running.runJobs()
  expect((await configOf(config.id)).server_id).toBe(first)
  await nodes[1]?.report({ not_carried: { inbounds: [], accesses: [], unfit: [] } })
  await offer(true)
})

test('what is there is renewed, also after its end', async () => {
  await alive()
  const config = await buyThere()
  await offer(false)
  const renew = (method: number) =>
    service.customer(user, 'POST', `/configs/renewal/${config.id}`, { payment_method_id: method })
  expect((await renew(1)).body.data.expires_at).toBe(config.expires_at + 30 * day)
  service.clock.advance(config.expires_at + 31 * day - service.clock.now())
  await alive()
  await service.running.runJobs()
  await alive()
  expect((await renew(2)).status).toBe(201)
  expect((await renew(1)).status).toBe(201)
  expect((await configOf(config.id)).expires_at).toBeGreaterThan(service.clock.now())
  await offer(true)
})
