import { protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { completeOldServers } from '../../core/fleet/server-catalogue.ts'
import { findDemoUser, loadDemo } from './demo.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const protocolsOf = async () => {
  const rows = await service.db.selectFrom('inbounds').select(['server_id', 'protocol']).execute()
  return Map.groupBy(rows, (row) => row.server_id)
}
const again = () => {
  const { db, vault, bus } = service.running.services
  const now = service.clock.now()
  return loadDemo({ db, vault, bus, now, address: '127.0.0.1', listenAddress: '127.0.0.1' })
}

test('at least six locations, 12 and 18 among them, two servers each with every protocol', async () => {
  const servers = await service.db.selectFrom('servers').select(['id', 'location_id']).execute()
  const byLocation = Map.groupBy(servers, (server) => server.location_id)
  expect(byLocation.size).toBeGreaterThanOrEqual(6)
  expect([...byLocation.keys()]).toEqual(expect.arrayContaining([12, 18]))
  for (const group of byLocation.values()) expect(group).toHaveLength(2)
  for (const rows of (await protocolsOf()).values()) {
    expect(rows.map((row) => row.protocol).sort()).toEqual([...protocols].sort())
  }
})

test('a demo customer who was deleted comes back with the next start', async () => {
  const demo = () => findDemoUser(service.db)
  const first = await demo()
  await again()
  expect((await demo())?.id).toBe(first?.id)
  const token = (await service.operator('POST', `/users/${first?.id}/sessions`)).body.data.session_token
  expect((await service.call('DELETE', '/v1/profile', { token })).status).toBe(200)
  await again()
  const second = await demo()
  expect(second?.id).toBeGreaterThan(first?.id as number)
  const [row] = (await service.operator('GET', `/users?search=${second?.id}`)).body.data
  expect(row).toMatchObject({ balance: 10_000, deleted_at: null })
})

test('servers of the first version, which sold vless only, are completed and keep their keys', async () => {
  const { db } = service
  const user = await service.createUser({ balance: 1000 })
  const order = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
  const bought = (await service.customer(user, 'POST', '/configs', order)).body.data
  await db.deleteFrom('inbounds').where('protocol', '<>', 'vless').execute()
  await db.deleteFrom('node_ports').where('owner', 'not like', 'vless-%').execute()
  await db.deleteFrom('node_ports').where('owner', 'like', 'vless-2410-%').execute()
  await db
    .updateTable('servers')
    .set({ domain: null, certificate: null, certificate_key_sealed: null })
    .execute()
  await again()
  await again()
  for (const rows of (await protocolsOf()).values()) expect(rows).toHaveLength(protocols.length)
  const [listed] = (await service.customer(user, 'GET', '/configs')).body.data
  expect(listed.connection_url).toBe(bought.connection_url)
  await service.heartbeat()
  const trojan = await service.customer(user, 'POST', '/configs', { ...order, protocol: 'trojan' })
  expect(trojan.body.data.connection_url).toContain('nl')
})

test('an operator’s server of the first version gets a name and a certificate, and no new ports', async () => {
  const { db, vault, bus } = service.running.services
  const node = await enrolNode(service, 7)
  await db
    .updateTable('servers')
    .set({ domain: null, certificate: null, certificate_key_sealed: null })
    .where('id', '=', node.serverId)
    .execute()
  await db
    .updateTable('inbounds')
    .set({ sites: JSON.stringify({ target: 'www.example.com:443', server_name: 'www.example.com' }) })
    .where('server_id', '=', node.serverId)
    .execute()
  const at = { db, vault, bus, now: service.clock.now() }
  await Promise.all([completeOldServers(at), completeOldServers(at)])
  await node.report()
  const user = await service.createUser({ balance: 1000 })
  const { body } = await service.customer(user, 'POST', '/configs', {
    ...{ location_id: 7, server_id: node.serverId, protocol: 'vless', payment_method_id: 1, tariff_id: 1 },
    ...{ use_extended_settings: true, change_sni: true },
  })
  expect(body.data.connection_url).toContain('sni=www.cloudflare.com')
  const offered = await db
    .selectFrom('inbounds')
    .select('protocol')
    .where('server_id', '=', node.serverId)
    .execute()
  expect(offered).toEqual([{ protocol: 'vless' }])
})
