import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addLocation, type EnrolledNode, nodesIn } from '../../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { inTransaction } from '../../../db/client.ts'
import type { PaidOrder } from '../../sales/products.ts'
import { takeDaysBack } from '../../terms/revocation.ts'
import { termProductOf } from '../../terms/term-product.ts'

/** What is sold and not carried, with a node whose reports are the test's. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true })
})
afterAll(() => service.stop())

const alive = async (nodes: readonly EnrolledNode[]): Promise<void> => {
  for (const node of nodes) await node.report()
}

const taken = (...ids: number[]) => ({
  apply_error: 'port 12345 is taken by another program',
  not_carried: { inbounds: [], accesses: ids.map((id) => `a${id}`), unfit: [] },
})

const round = () => service.running.runJobs()

const configOf = async (user: TestUser, id: number) => {
  const { body } = await service.call('GET', '/v1/configs', { token: user.api_key })
  return body.data.find((one: { id: number }) => one.id === id)
}

const notificationsOf = async (user: TestUser): Promise<string[]> => {
  const { body } = await service.customer(user, 'GET', '/profile/notifications')
  return body.data.map((one: { content: string }) => one.content)
}

const alertsOf = async (serverId: number): Promise<{ subject: string }[]> => {
  const { body } = await service.operator('GET', '/alerts')
  return body.data.filter(
    (one: { subject: string; kind: string; resolved_at: number | null }) =>
      one.kind === 'not_carried' && one.subject === `server:${serverId}` && one.resolved_at === null,
  )
}

const setUp = async (count: number, server: object = {}, order: object = {}) => {
  const locationId = await addLocation(service)
  const nodes = await nodesIn(service, locationId, count, server)
  const user = await service.createUser({ balance: 100_000 })
  const first = nodes[0] as EnrolledNode
  const config = await service.buy(user, { location_id: locationId, server_id: first.serverId, ...order })
  return { locationId, nodes, first, second: nodes[1] as EnrolledNode, user, config }
}

test('what a node does not carry is not online, wherever a customer looks', async () => {
  const { first, user, config } = await setUp(1)
  const seen = async () => {
    const items = await service.customer(user, 'GET', '/profile/custom-subscriptions/available-items')
    const stats = await service.customer(user, 'GET', `/configs/${config.id}/serverStats`)
    return [
      (await configOf(user, config.id)).is_online,
      items.body.data.configs[0].is_online,
      stats.body.data.status,
    ]
  }
  expect(await seen()).toEqual([true, true, 'up'])
  await first.report(taken(config.id))
  expect(await seen()).toEqual([false, false, 'down'])
  await first.report({ not_carried: { inbounds: [], accesses: [], unfit: [] } })
  expect(await seen()).toEqual([true, true, 'up'])
})

test('after two minutes it is on another server of the location, under the same subscription link', async () => {
  const { nodes, first, second, user, config } = await setUp(2)
  const fetched = () => service.call('GET', `/sub/${user.subscription_key}?format=links`)
  const before = (await fetched()).body
  const { expires_at } = await configOf(user, config.id)
  await first.report(taken(config.id))
  service.clock.advance(110)
  await second.report()
  await first.report(taken(config.id))
  await round()
  expect((await configOf(user, config.id)).server_id).toBe(first.serverId)
  service.clock.advance(10)
  await first.report(taken(config.id))
  await round()
  const moved = await configOf(user, config.id)
  expect(moved).toMatchObject({ server_id: second.serverId, is_online: true, expires_at })
  expect((await fetched()).body).not.toBe(before)
  expect((await second.poll(0)).accesses.map((access) => access.id)).toContain(`a${config.id}`)
  expect((await first.poll(0)).accesses).toEqual([])
  expect(await notificationsOf(user)).toEqual([expect.stringContaining('мы перенесли его на другой сервер')])
  expect(await alertsOf(first.serverId)).toEqual([])
  await alive(nodes)
  await round()
  expect((await configOf(user, config.id)).server_id).toBe(second.serverId)
})

test('a closed inbound takes everybody who shares it along, and nobody else', async () => {
  const server = { protocols: ['vless', 'trojan'], domain: 'vpn.example.org' }
  const { locationId, first, second, user, config } = await setUp(2, server)
  const bought = []
  for (const order of [{}, { use_extended_settings: true }, { protocol: 'trojan' }]) {
    bought.push(await service.buy(user, { location_id: locationId, server_id: first.serverId, ...order }))
  }
  const closed = [{ tag: `vless-${first.serverId}`, reason: 'port 443 is taken' }]
  const report = { not_carried: { inbounds: closed, accesses: [], unfit: [] } }
  await first.report(report)
  const online = await Promise.all(
    [config, ...bought].map(async ({ id }) => (await configOf(user, id)).is_online),
  )
  expect(online).toEqual([false, false, true, true])
  service.clock.advance(120)
  await second.report()
  await first.report(report)
  await round()
  const places = await Promise.all(
    [config, ...bought].map(async ({ id }) => (await configOf(user, id)).server_id),
  )
  expect(places).toEqual([second.serverId, second.serverId, first.serverId, first.serverId])
  const path = `/configs/available-servers?location_id=${locationId}&protocol=vless`
  const offered = (await service.customer(user, 'GET', path)).body.data.map((row: { id: number }) => row.id)
  expect(offered).toEqual([second.serverId])
})

describe('where there is no other server', () => {
  test('the customer is told once, the days do not run, and the operator has an alert until it works', async () => {
    const { first, user, config } = await setUp(1)
    const { expires_at: end } = await configOf(user, config.id)
    const began = service.clock.now()
    await first.report(taken(config.id))
    for (let at = 0; at < 5; at++) {
      service.clock.advance(60)
      await first.report(taken(config.id))
      await Promise.all([round(), round()])
    }
    expect(await notificationsOf(user)).toEqual([
      expect.stringMatching(/^Подключение «[^«»]+» временно не работает: .*Дни в это время не расходуются/),
    ])
    expect(await alertsOf(first.serverId)).toHaveLength(1)
    await service.whileAway(async () => service.clock.advance(3 * 86_400))
    await first.report(taken(config.id))
    await Promise.all([round(), round(), round()])
    expect(await configOf(user, config.id)).toMatchObject({
      is_online: false,
      expires_at: end + service.clock.now() - began,
    })
    service.clock.advance(7)
    const over = service.clock.now()
    await first.report()
    await Promise.all([round(), round()])
    service.clock.advance(30)
    await first.report()
    await round()
    expect(await configOf(user, config.id)).toMatchObject({ is_online: true, expires_at: end + over - began })
    expect(await alertsOf(first.serverId)).toEqual([])
    expect(await notificationsOf(user)).toEqual([])
  })

  test('it does not end meanwhile, and nobody is charged for another month of it', async () => {
    const { first, user, config } = await setUp(1, {}, { enable_auto_renewal: true })
    const { expires_at: end } = await configOf(user, config.id)
    service.clock.advance(end - service.clock.now() - 86_400 - 600)
    const balance = async () => (await service.customer(user, 'GET', '/profile')).body.data.balance
    const before = await balance()
    await first.report(taken(config.id))
    service.clock.advance(120)
    await first.report(taken(config.id))
    await round()
    service.clock.advance(5 * 86_400)
    await first.report(taken(config.id))
    await round()
    expect(await balance()).toBe(before)
    const shown = await configOf(user, config.id)
    expect(Math.abs(shown.expires_at - service.clock.now() - 86_400 - 600)).toBeLessThan(20)
    await first.report()
    await round()
    service.clock.advance(900)
    await first.report()
    await round()
    expect(await balance()).toBeLessThan(before)
  })

  test('a refund of one order leaves the days that were given for it', async () => {
    const { first, user, config } = await setUp(1)
    const { expires_at: end } = await configOf(user, config.id)
    await service.customer(user, 'POST', `/configs/renewal/${config.id}`, {
      payment_method_id: 1,
      tariff_id: 1,
    })
    await first.report(taken(config.id))
    service.clock.advance(86_400)
    await first.report(taken(config.id))
    await round()
    await first.report()
    await round()
    expect((await configOf(user, config.id)).expires_at).toBe(end + 31 * 86_400)
    const { services } = service.running
    const { id } = await service.db
      .selectFrom('orders')
      .select('id')
      .where('user_id', '=', user.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await inTransaction(service.db, (tx) =>
      takeDaysBack(
        tx,
        { ...services, now: service.clock.now() },
        termProductOf(services.products, 'configs'),
        {
          ...({} as PaidOrder),
          id,
          itemId: config.id,
          userId: user.id,
        },
      ),
    )
    expect((await configOf(user, config.id)).expires_at).toBe(end + 86_400)
  })

  test('what has a port of its own gets another where it stands', async () => {
    const { first, user, config } = await setUp(1, {}, { use_extended_settings: true })
    const portOf = (state: Awaited<ReturnType<EnrolledNode['poll']>>) =>
      state.accesses.map((access) => ('port' in access ? access.port : null))[0]
    const before = portOf(await first.poll(0))
    await first.report(taken(config.id))
    service.clock.advance(120)
    await first.report(taken(config.id))
    await round()
    const after = portOf(await first.poll(0))
    expect(after).not.toBe(before)
    expect((await configOf(user, config.id)).connection_url).toContain(`:${after}`)
    await first.report()
    await round()
    expect(await configOf(user, config.id)).toMatchObject({ is_online: true })
  })

  test('apps are shown that it does not answer, once that is settled', async () => {
    const { first, user, config } = await setUp(1)
    const marked = async () =>
      decodeURIComponent(
        (await service.call('GET', `/sub/${user.subscription_key}?format=links`)).body,
      ).includes('⚠')
    expect(await marked()).toBe(false)
    await first.report(taken(config.id))
    service.clock.advance(120)
    await first.report(taken(config.id))
    await round()
    expect(await marked()).toBe(true)
    await first.report()
    expect(await marked()).toBe(false)
  })
})
