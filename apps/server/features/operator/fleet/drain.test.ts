import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { drainingOf } from '../../../../../test/support/draining.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let at: ReturnType<typeof drainingOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  at = drainingOf(service)
})
afterEach(async () => expect(await at.broken()).toEqual([]))
afterAll(() => service.stop())

const stop = (serverId: number) => service.operator('DELETE', `/servers/${serverId}/drain`)
const termOf = async (accessId: number) => {
  const { term_id } = await service.db
    .selectFrom('accesses')
    .select('term_id')
    .where('id', '=', accessId)
    .executeTakeFirstOrThrow()
  return term_id
}
const move = (termId: number, serverId: number) =>
  service.operator('POST', `/terms/${termId}/move`, { server_id: serverId })

describe('refused', () => {
  test('what is not there, the server itself, servers that do not sell', async () => {
    const { first, second } = await at.setUp(2)
    expect((await at.drain(999_999)).status).toBe(404)
    expect((await stop(999_999)).status).toBe(404)
    expect((await service.operator('GET', '/servers/999999/drain')).status).toBe(404)
    const none = { state: 'stopped', total: 0, moved: 0, left: 0, failed: [], failed_total: 0 }
    expect((await stop(first.serverId)).body.data).toEqual(none)
    expect(await at.shown(first.serverId)).toEqual(none)
    const itself = await at.drain(first.serverId, { to_server_ids: [first.serverId] })
    expect([itself.status, itself.body.details[0].path]).toEqual([400, 'to_server_ids'])
    expect((await at.drain(first.serverId, { to_server_ids: [999_999] })).status).toBe(400)
    await service.operator('PATCH', `/servers/${second.serverId}`, { state: 'closed' })
    const closed = await at.drain(first.serverId, { to_server_ids: [second.serverId] })
    expect([closed.status, closed.body.details[0].problem]).toEqual([
      409,
      `server ${second.serverId} does not sell: it is closed`,
    ])
    expect(await at.stateOf(first.serverId)).toBe('selling')
  })

  test.each([
    ['support', 200, 200],
    ['technician', 200, 403],
    ['finance', 403, 403],
  ] as const)('%s may drain: %i, move one customer: %i', async (role, drained, moved) => {
    const { first, second, buy } = await at.setUp(2)
    const config = await buy()
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    const call = (path: string, body: object) => service.call('POST', `/operator/v1${path}`, { token, body })
    const path = `/terms/${await termOf(config.id)}/move`
    expect((await call(path, { server_id: second.serverId })).status).toBe(moved)
    expect((await call(`/servers/${first.serverId}/drain`, {})).status).toBe(drained)
  })
})

test('stopped, what has moved stays; nothing more moves, and nothing is sold there', async () => {
  const { locationId, first, second, user, buy } = await at.setUp(2)
  const configs = [await buy(), await buy()]
  await service.operator('PATCH', `/servers/${second.serverId}`, { capacity: 1 })
  await at.drain(first.serverId)
  await at.round()
  const stopped = await stop(first.serverId)
  expect(stopped.body.data).toMatchObject({ state: 'stopped', total: 2, moved: 1 })
  expect((await stop(first.serverId)).body.data).toMatchObject({ state: 'stopped' })
  await service.operator('PATCH', `/servers/${second.serverId}`, { capacity: 10 })
  service.clock.advance(120)
  await at.alive(first, second)
  await at.round()
  const places = await Promise.all(configs.map(({ id }) => at.configOf(user, id)))
  expect(places.map((one) => one.server_id)).toEqual([second.serverId, first.serverId])
  expect(await at.stateOf(first.serverId)).toBe('closed')
  expect(await at.copiesOn(first)).toHaveLength(1)
  const path = `/configs/available-servers?location_id=${locationId}&protocol=vless`
  const offered = (await service.customer(user, 'GET', path)).body.data.map((row: { id: number }) => row.id)
  expect(offered).toEqual([second.serverId])
  expect((await at.drain(first.serverId)).body.data).toMatchObject({ state: 'running', total: 1 })
  await at.round()
  expect(await at.shown(first.serverId)).toMatchObject({ state: 'waiting', moved: 1 })
})

test('twice is once; while it runs it cannot be sold or retired, and once it is done it can', async () => {
  const { first, user, buy } = await at.setUp(2)
  await buy()
  const [one, two] = await Promise.all([at.drain(first.serverId), at.drain(first.serverId)])
  expect([one.status, two.status]).toEqual([200, 200])
  await at.round()
  const path = `/servers/${first.serverId}`
  expect((await service.operator('PATCH', path, { state: 'selling' })).status).toBe(409)
  expect((await service.operator('DELETE', path)).status).toBe(409)
  expect((await service.operator('DELETE', `/nodes/${first.nodeId}`)).status).toBe(409)
  await at.fetched(user)
  await at.round()
  await at.round()
  expect(await at.shown(first.serverId)).toMatchObject({ state: 'done', total: 1, moved: 1 })
  expect((await stop(first.serverId)).status).toBe(409)
  expect((await service.operator('DELETE', path)).status).toBe(200)
  expect((await at.drain(first.serverId)).status).toBe(409)
})

test('it goes on after a restart', async () => {
  const { first, second, user, buy } = await at.setUp(2)
  const config = await buy()
  await service.db
    .updateTable('node_status')
    .set({ last_seen_at: 0 })
    .where('node_id', '=', second.nodeId)
    .execute()
  await at.drain(first.serverId)
  await at.round()
  expect((await at.shown(first.serverId)).failed).toHaveLength(1)
  await service.whileAway(async () => service.clock.advance(61))
  await at.alive(first, second)
  await at.round()
  expect(await at.configOf(user, config.id)).toMatchObject({ server_id: second.serverId })
  expect(await at.copiesOn(first)).toHaveLength(1)
})

describe('one customer', () => {
  test('moves, the old link works, and once more changes nothing', async () => {
    const { first, second, user, buy } = await at.setUp(2)
    const config = await buy()
    const termId = await termOf(config.id)
    const until = service.clock.now() + 7 * 86_400
    const moved = await move(termId, second.serverId)
    expect(moved.body.data).toEqual({ server_id: second.serverId, old_works_until: until })
    expect((await move(termId, second.serverId)).body.data).toEqual(moved.body.data)
    expect(await at.configOf(user, config.id)).toMatchObject({ server_id: second.serverId })
    expect(await at.copiesOn(first)).toHaveLength(1)
    expect(await at.stateOf(first.serverId)).toBe('selling')
    const [again, entry] = (await service.operator('GET', '/audit?limit=2')).body.data
    expect(again).toMatchObject({ action: 'moveTerm', details: { before: {}, after: {} } })
    expect(entry).toMatchObject({
      action: 'moveTerm',
      subject: `term:${termId}`,
      details: { before: { server_id: first.serverId }, after: { server_id: second.serverId } },
    })
    await at.fetched(user)
    await at.round()
    expect(await at.copiesOn(first)).toEqual([])
  })

  test('not where there is no room, not what has ended, not of an option', async () => {
    const { first, second, user, buy } = await at.setUp(2)
    const termId = await termOf((await buy()).id)
    await service.operator('PATCH', `/servers/${second.serverId}`, { capacity: 0 })
    const full = await move(termId, second.serverId)
    expect([full.status, full.body.details[0]]).toEqual([
      409,
      { path: 'server_id', problem: 'no server of those named that offers vless has room' },
    ])
    expect((await move(999_999, second.serverId)).status).toBe(404)
    await service.heartbeat()
    const option = (await service.operator('GET', '/paid-options')).body.data[0]
    await service.customer(user, 'POST', '/paid-options', {
      paid_option_id: option.id,
      payment_method_id: 1,
      tariff_id: option.tariffs[0].id,
    })
    const { id } = await service.db
      .selectFrom('terms')
      .select('id')
      .where('user_id', '=', user.id)
      .where('product', '=', 'paid_options')
      .executeTakeFirstOrThrow()
    expect((await move(id, second.serverId)).status).toBe(409)
    await service.db
      .updateTable('terms')
      .set({ expires_at: service.clock.now() - 1 })
      .where('id', '=', termId)
      .execute()
    await at.round()
    expect((await move(termId, first.serverId)).status).toBe(409)
  })
})
