import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addLocation, type EnrolledNode, emptyReport, enrolNode } from '../../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { look } from '../../../core/statistics/looks.ts'

let service: TestService
let node: EnrolledNode
let locationId: number
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  locationId = await addLocation(service)
})
afterAll(() => service.stop())
beforeEach(async () => {
  node = await enrolNode(service, locationId)
})

const hour = 3600
const day = 86_400
const load = async (query: object = {}) => {
  const names = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return service.operator('GET', `/nodes/${node.nodeId}/load?${names}`)
}
const rows = async (query: object = {}) => (await load(query)).body.data
/** On the clock, to the second. */
const waitUntil = (at: number) => service.clock.advance(at - service.clock.now())
const nextDay = () => (Math.floor(service.clock.now() / day) + 1) * day
const report = (host: object, more: object = {}) =>
  node.report({ host: { ...emptyReport.host, ...host }, ...more })
const setZone = (zone: string) => service.operator('PATCH', '/settings', { time_zone: zone })

describe('GET /nodes/:id/load', () => {
  test('averages of what was reported, by hours; silent hours are left out', async () => {
    const start = nextDay()
    waitUntil(start + 10)
    await report({ cpu_percent: 10, ram_percent: 20, up_mbps: 1, down_mbps: 3 })
    waitUntil(start + 40 * 60)
    await report({ cpu_percent: 20, ram_percent: 30, up_mbps: 2, down_mbps: 4.5 })
    waitUntil(start + 2 * hour + 5)
    await report({ cpu_percent: 99 })
    const first = { cpu: 15, ram: 25, mbps_up: 1.5, mbps_down: 3.75, customers_online: 0 }
    expect(await rows()).toEqual([
      { at: start, ...first },
      { at: start + 2 * hour, cpu: 99, ram: 20, mbps_up: 1, mbps_down: 2, customers_online: 0 },
    ])
    expect(await rows({ from: start, to: start + hour })).toEqual([{ at: start, ...first }])
    expect(await rows({ from: start + 100, to: start + hour, step: 'hour' })).toEqual([
      { at: start, ...first },
    ])
  })

  test('days and hours are those of the setting', async () => {
    const start = nextDay()
    waitUntil(start + 20 * hour + 50 * 60)
    await report({ cpu_percent: 10 })
    waitUntil(start + 21 * hour + 10 * 60)
    await report({ cpu_percent: 30 })
    await setZone('UTC')
    expect(await rows({ step: 'day' })).toMatchObject([{ at: start, cpu: 20 }])
    await setZone('Europe/Moscow')
    expect(await rows({ step: 'day' })).toMatchObject([
      { at: start - 3 * hour, cpu: 10 },
      { at: start + 21 * hour, cpu: 30 },
    ])
    // Five hours and three quarters before everybody else.
    await setZone('Asia/Kathmandu')
    expect(await rows()).toMatchObject([{ at: start + 20.25 * hour, cpu: 20 }])
    await setZone('Europe/Moscow')
  })

  test('who was online: those whose traffic moved, and the most of them at once', async () => {
    await report({})
    const buyers: TestUser[] = []
    const ids: string[] = []
    for (let at = 0; at < 3; at++) {
      const user = await service.createUser({ balance: 1000 })
      buyers.push(user)
      const { id } = await service.buy(user, { location_id: locationId, server_id: node.serverId })
      ids.push(`a${id}`)
    }
    const start = Math.floor(service.clock.now() / hour) * hour + hour
    const traffic = (bytes: number, of: string[]) => ({
      traffic: of.map((id) => ({ id, boot_id: 'boot', up: bytes, down: bytes })),
    })
    waitUntil(start + 10)
    await report({}, traffic(1000, ids))
    await report({}, traffic(1000, ids))
    // Somebody with two configurations is one customer.
    const { id } = await service.buy(buyers[0] as TestUser, {
      location_id: locationId,
      server_id: node.serverId,
    })
    await report({}, traffic(2000, [`a${id}`, ...ids.slice(0, 1)]))
    await look(service.db, service.clock.now())
    expect((await rows()).at(-1)).toMatchObject({ at: start, customers_online: 3 })
    // Fewer later in the same quarter leave the most.
    waitUntil(start + 400)
    await report({}, traffic(3000, ids.slice(0, 1)))
    await look(service.db, service.clock.now())
    expect((await rows()).at(-1)).toMatchObject({ at: start, customers_online: 3 })
    waitUntil(start + hour + 10)
    await report({}, traffic(4000, ids.slice(0, 2)))
    await look(service.db, service.clock.now())
    expect((await rows()).at(-1)).toMatchObject({ at: start + hour, customers_online: 2 })
  })

  test('is a table for table programs, however long', async () => {
    const start = nextDay()
    await service.db
      .insertInto('node_hours')
      .values(
        Array.from({ length: 700 }, (_, at) => ({
          node_id: node.nodeId,
          at: start + at * hour,
          samples: 1,
          cpu_sum: at,
          ram_sum: 1,
          up_sum: 1,
          down_sum: 1,
          online_most: 0,
        })),
      )
      .execute()
    const path = `/operator/v1/nodes/${node.nodeId}/load?from=${start}&to=${start + 700 * hour}`
    const { status, body } = await service.call('GET', path, {
      token: service.operatorToken,
      headers: { accept: 'text/csv' },
    })
    const [head, ...lines] = String(body).trim().split('\r\n')
    expect([status, head]).toEqual([200, 'at,cpu,ram,mbps_up,mbps_down,customers_online'])
    expect(lines).toHaveLength(700)
    expect(lines.at(-1)).toBe(`${start + 699 * hour},699,1,1,1,0`)
  })

  test.each([
    [{ from: 200, to: 100 }, 'to'],
    [{ from: 0, to: 417 * day }, 'from'],
    [{ from: 0, to: 10_001 * day, step: 'day' }, 'from'],
    [{ step: 'month' }, 'step'],
    [{ from: -1 }, 'from'],
    [{ since: 1 }, 'since'],
  ])('%j is refused', async (query, path) => {
    const { status, body } = await load(query)
    expect([status, body.details[0].path]).toEqual([400, path])
  })

  test('of a node that is not there is 404; what is older than 400 days is forgotten', async () => {
    expect((await service.operator('GET', '/nodes/999999999/load')).status).toBe(404)
    await report({ cpu_percent: 50 })
    const then = service.clock.now()
    service.clock.advance(399 * day)
    await service.running.runJobs()
    expect(await rows({ from: then - hour, to: then + hour, step: 'day' })).toHaveLength(1)
    service.clock.advance(3 * day)
    await service.running.runJobs()
    expect(await rows({ from: then - hour, to: then + hour, step: 'day' })).toEqual([])
  })
})
