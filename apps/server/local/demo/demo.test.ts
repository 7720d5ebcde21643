import { readFileSync } from 'node:fs'
import { protocols } from '@sallyport/contract/shapes'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDemoInto } from '../../../../test/support/databases/demo-database.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { findDemoUser } from './demo.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const protocolsOf = async () => {
  const rows = await service.db.selectFrom('inbounds').select(['server_id', 'protocol']).execute()
  return Map.groupBy(rows, (row) => row.server_id)
}
const again = () => loadDemoInto(service.db, service.running.services.vault, service.clock.now())

/** Every row of the catalogue as it was when the demo had inserts of its own; columns that came later are not looked at. */
const recorded = readFileSync(new URL('recorded-demo.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [table = ''] = line.split(' ', 1)
    return { table, row: JSON.parse(line.slice(table.length)) as Record<string, unknown> }
  })

test('what operations lay is the demo that everybody knows, row for row', async () => {
  for (const [table, rows] of Map.groupBy(recorded, (line) => line.table)) {
    const columns = Object.keys(rows[0]?.row ?? {})
    const found = await service.db.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(`select ${columns.join(', ')} from ${table}`),
    )
    const texts = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).toSorted()
    expect(texts(found.rows), table).toEqual(texts(rows.map(({ row }) => row)))
  }
})

test('its log says who made it, and of what', async () => {
  const { rows } = await service.db.executeQuery<{ action: string; name: string; count: number }>(
    CompiledQuery.raw(`select a.action, o.name, count(*)::int from audit_log a
      join operators o on o.id = a.operator_id group by 1, 2 order by 1`),
  )
  expect(rows.map(({ action, name, count }) => `${name}: ${action} ${count}`)).toEqual([
    'demo: changeConfigTariffs 1',
    'demo: createCloud 1',
    'demo: createCloudConfiguration 2',
    'demo: createLocation 6',
    'demo: createNode 1',
    'demo: createOption 2',
    'demo: createServer 12',
    'demo: setRate 3',
    'demo: setUp 1',
  ])
})

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
