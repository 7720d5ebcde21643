import { protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
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
  const [row] = (await service.operator('GET', `/users?search=${second?.id}`)).body.data.items
  expect(row).toMatchObject({ balance: 10_000, deleted_at: null })
})
