import type { Report } from '@sallyport/contract/agent/report'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../../test/support/cloud-servers.ts'
import { addLocation, type EnrolledNode, emptyReport, nodesIn } from '../../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { inTransaction } from '../../../db/client.ts'
import { noteUncarried } from './record-failures.ts'

/** How far a node's word goes, and what each product makes of it. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true })
})
afterAll(() => service.stop())

const named = (...ids: number[]): Partial<Report> => ({
  not_carried: { inbounds: [], accesses: ids.map((id) => `a${id}`), unfit: [] },
})
const round = () => service.running.runJobs()
const configsOf = async (user: TestUser) =>
  (await service.call('GET', '/v1/configs', { token: user.api_key })).body.data
const contentsOf = async (user: TestUser): Promise<string[]> =>
  (await service.customer(user, 'GET', '/profile/notifications')).body.data.map(
    (one: { content: string }) => one.content,
  )
/** Two minutes in which these say the same and the others are well. */
const wait = async (
  nodes: readonly EnrolledNode[],
  said: ReadonlyMap<EnrolledNode, Partial<Report>>,
  seconds = 120,
) => {
  for (const node of nodes) await node.report(said.get(node))
  service.clock.advance(seconds)
  for (const node of nodes) await node.report(said.get(node))
  await round()
}

describe('a node that is not to be trusted', () => {
  test('speaks of its own customers alone', async () => {
    const locationId = await addLocation(service)
    const [own, hostile] = (await nodesIn(service, locationId, 2)) as [EnrolledNode, EnrolledNode]
    const user = await service.createUser({ balance: 1000 })
    const config = await service.buy(user, { location_id: locationId, server_id: own.serverId })
    const said: Partial<Report> = {
      refused: [{ id: `a${config.id}`, revision: 1, reason: 'port 1 is taken' }],
      not_carried: {
        inbounds: [{ tag: `vless-${own.serverId}`, reason: 'mine' }],
        accesses: [`a${config.id}`],
        unfit: [],
      },
    }
    await wait([own, hostile], new Map([[hostile, said]]))
    expect(await configsOf(user)).toMatchObject([{ server_id: own.serverId, is_online: true }])
    const path = `/configs/available-servers?location_id=${locationId}&protocol=vless`
    const offered = (await service.customer(user, 'GET', path)).body.data
    expect(offered.map((row: { id: number }) => row.id)).toContain(own.serverId)
  })

  test('sends nobody back and forth: three servers are tried, then it stays', async () => {
    const locationId = await addLocation(service)
    const nodes = await nodesIn(service, locationId, 5)
    const user = await service.createUser({ balance: 1000 })
    const config = await service.buy(user, { location_id: locationId })
    const said = new Map(nodes.map((node) => [node, named(config.id)]))
    const places = new Set<number>()
    for (let at = 0; at < 12; at++) {
      await wait(nodes, said)
      places.add((await configsOf(user))[0].server_id)
    }
    expect(places.size).toBeLessThanOrEqual(4)
    const told = await contentsOf(user)
    expect(told.filter((content) => content.includes('мы перенесли'))).toHaveLength(3)
    expect(told.filter((content) => content.includes('не расходуются'))).toHaveLength(1)
  })

  test('is the last to get new customers', async () => {
    const locationId = await addLocation(service)
    const [failing, good] = (await nodesIn(service, locationId, 2, { capacity: 100 })) as [
      EnrolledNode,
      EnrolledNode,
    ]
    const user = await service.createUser({ balance: 10_000 })
    const ids: number[] = []
    for (let at = 0; at < 4; at++) {
      ids.push((await service.buy(user, { location_id: locationId, server_id: failing.serverId })).id)
    }
    for (let at = 0; at < 6; at++) {
      await service.buy(user, { location_id: locationId, server_id: good.serverId })
    }
    await failing.report(named(...ids))
    await good.report()
    const bought = await service.buy(user, { location_id: locationId })
    expect((await configsOf(user)).find((one: { id: number }) => one.id === bought.id).server_id).toBe(
      good.serverId,
    )
  })

  test('that changes its mind at every report tells a customer once, and no time counts twice', async () => {
    const locationId = await addLocation(service)
    const [node] = (await nodesIn(service, locationId, 1)) as [EnrolledNode]
    const user = await service.createUser({ balance: 1000 })
    const config = await service.buy(user, { location_id: locationId })
    const { expires_at: end } = (await configsOf(user))[0]
    const began = service.clock.now()
    for (let at = 0; at < 40; at++) {
      await node.report(at % 2 === 0 ? named(config.id) : {})
      await round()
      service.clock.advance(15)
    }
    await node.report()
    await round()
    const given = (await configsOf(user))[0].expires_at - end
    expect(given).toBeGreaterThan(0)
    expect(given).toBeLessThanOrEqual(service.clock.now() - began)
    expect(await contentsOf(user)).toHaveLength(1)
  })
})

test('what its customer wrote is not online, and neither moved nor paid for', async () => {
  const locationId = await addLocation(service)
  const nodes = (await nodesIn(service, locationId, 2)) as [EnrolledNode, EnrolledNode]
  const [node] = nodes
  const user = await service.createUser({ balance: 1000 })
  const config = await service.buy(user, { location_id: locationId, server_id: node.serverId })
  const [{ expires_at }] = await configsOf(user)
  const { accesses } = await node.poll(0)
  const said: Partial<Report> = {
    refused: [
      { id: `a${config.id}`, revision: accesses[0]?.revision as number, reason: 'no such transport' },
    ],
    not_carried: { inbounds: [], accesses: [], unfit: [`a${config.id}`] },
  }
  await wait(nodes, new Map([[node, said]]), 600)
  expect(await configsOf(user)).toMatchObject([{ server_id: node.serverId, is_online: false, expires_at }])
  expect(await contentsOf(user)).toEqual([expect.stringContaining('не принимает подключение')])
})

test('of an older agent its refusals and its sentence are believed', async () => {
  const locationId = await addLocation(service)
  const nodes = (await nodesIn(service, locationId, 2)) as [EnrolledNode, EnrolledNode]
  const [node, other] = nodes
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user, { location_id: locationId, server_id: node.serverId })
  const apply_error = `inbound vless-${node.serverId}: port 443 is taken by another program`
  await node.report({ apply_error })
  expect(await configsOf(user)).toMatchObject([{ is_online: false }])
  await wait(nodes, new Map([[node, { apply_error }]]))
  expect(await configsOf(user)).toMatchObject([{ is_online: true, server_id: other.serverId }])
})

test('an engine that is gone leaves everybody of its protocols without; a demo node sells without', async () => {
  const engines: Report['engines'] = [{ name: 'xray', state: 'missing', version: null, detail: null }]
  const locationId = await addLocation(service)
  const [node] = (await nodesIn(service, locationId, 1)) as [EnrolledNode]
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user, { location_id: locationId })
  await node.report({ engines })
  expect(await configsOf(user)).toMatchObject([{ is_online: false }])
  await service.db
    .updateTable('nodes')
    .set({ sells_without_engine: true })
    .where('id', '=', node.nodeId)
    .execute()
  await node.report()
  await node.report({ engines })
  expect(await configsOf(user)).toMatchObject([{ is_online: true }])
})

test('a proxy and a bridge follow to the new place', async () => {
  const locationId = await addLocation(service)
  const nodes = (await nodesIn(service, locationId, 2)) as [EnrolledNode, EnrolledNode]
  const [node, other] = nodes
  const user = await service.createUser({ balance: 10_000 })
  const entry = await service.buy(user, { location_id: locationId, server_id: node.serverId })
  const exit = await service.buy(user, { location_id: locationId, server_id: other.serverId })
  const proxy = await service.customer(user, 'POST', `/configs/${entry.id}/subconfig`, { protocol: 'socks5' })
  expect(proxy.status).toBeLessThan(300)
  const bridge = { first_config_id: entry.id, second_config_id: exit.id }
  expect((await service.customer(user, 'POST', '/configs/makeBridge', bridge)).status).toBeLessThan(300)
  await wait(nodes, new Map([[node, named(entry.id)]]))
  const state = await other.poll(0)
  const moved = state.accesses.find((access) => access.id === `a${entry.id}`)
  expect(moved).toMatchObject({ kind: 'shared', exit: { outbound: expect.any(String) } })
  expect(state.accesses.some((access) => access.kind === 'proxy')).toBe(true)
  expect((await node.poll(0)).accesses).toEqual([])
})

describe('a paid option', () => {
  const sell = async (spare: boolean) => {
    const [one, two] = [await addLocation(service), await addLocation(service)]
    const [first] = (await nodesIn(service, one, 1)) as [EnrolledNode]
    const [second] = (await nodesIn(service, two, 1)) as [EnrolledNode]
    const [other] = spare ? ((await nodesIn(service, one, 1)) as [EnrolledNode]) : [undefined]
    const key = `option_${one}`
    const made = await service.operator('POST', '/paid-options', {
      key,
      caption_ru: 'Опция',
      caption_en: 'Option',
      title_ru: 'Опция',
      title_en: 'Option',
      description_ru: 'Опция',
      description_en: 'Option',
      protocol: 'vless',
      server_ids: [first.serverId, second.serverId],
      tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const user = await service.createUser({ balance: 1000 })
    const tariffs = (await service.customer(user, 'GET', '/paid-options/tariffs')).body.data
    const option = tariffs.find((each: { id: number }) => each.id === made.body.data.id)
    const order = {
      paid_option_id: option.id,
      payment_method_id: 1,
      tariff_id: option.payment_methods[0].tariffs[0].id,
    }
    const bought = await service.customer(user, 'POST', '/paid-options', order)
    expect(bought.status, JSON.stringify(bought.body)).toBe(201)
    const shown = async () => {
      const { body } = await service.call('GET', '/v1/paid-options', { token: user.api_key })
      return body.data.find((each: { option_id: number }) => each.option_id === option.id)
    }
    const nodes = [first, second, ...(other ? [other] : [])]
    return { first, second, other, nodes, user, shown }
  }

  test('has its configuration elsewhere in the location, at the same index', async () => {
    const { first, other, nodes, shown } = await sell(true)
    const { id } = (await shown()).configs[0]
    await wait(nodes, new Map([[first, named(id)]]))
    expect((await shown()).configs[0]).toMatchObject({
      id,
      index: 0,
      server_id: other?.serverId,
      is_online: true,
    })
  })

  test('goes on while one of its configurations is carried, and stands still when none is', async () => {
    const { first, second, nodes, user, shown } = await sell(false)
    const { expires_at: end, configs } = await shown()
    const [one, two] = configs.map((config: { id: number }) => config.id)
    await wait(nodes, new Map([[first, named(one)]]), 3600)
    expect(await shown()).toMatchObject({
      expires_at: end,
      configs: [{ is_online: false }, { is_online: true }],
    })
    expect(await contentsOf(user)).toEqual([expect.stringContaining('временно не работает')])
    const both = new Map([
      [first, named(one)],
      [second, named(two)],
    ])
    const began = service.clock.now()
    await wait(nodes, both, 86_400)
    expect(await contentsOf(user)).toEqual([expect.stringContaining('не расходуются')])
    for (const node of nodes) await node.report(node === first ? named(one) : {})
    const over = service.clock.now()
    await round()
    expect((await shown()).expires_at).toBe(end + over - began)
  })
})

test('of a customer’s machine list and figures say the same; what it does not carry stops its days', async () => {
  const clouds = new CloudTests(service)
  const user = await service.createUser({ balance: 100_000 })
  await service.heartbeat()
  const server = await clouds.active(user)
  const config = await clouds.call(user, 'POST', `/${server.id}/configs`, { protocol: 'vless' })
  expect(config.status, JSON.stringify(config.body)).toBe(201)
  const statuses = async () => {
    const stats = await clouds.call(user, 'GET', `/${server.id}/serverStats`)
    return [(await clouds.list(user))[0].is_online, stats.body.data.status]
  }
  expect(await statuses()).toEqual([true, 'up'])
  await clouds.call(user, 'POST', `/${server.id}/reboot`)
  expect(await statuses()).toEqual([false, 'down'])
  await clouds.pass(5)
  await clouds.pass(5)
  expect(await statuses()).toEqual([true, 'up'])
  const machine = await clouds.machine(server.id)
  const say = (change: Partial<Report>) =>
    inTransaction(service.db, (tx) =>
      noteUncarried(tx, machine?.node_id as number, { ...emptyReport, ...change }, service.clock.now()),
    )
  const { expires_at: end } = (await clouds.list(user))[0]
  const began = service.clock.now()
  await say(named(config.body.data.id))
  await clouds.pass(600)
  expect(await contentsOf(user)).toContainEqual(expect.stringContaining('не расходуются'))
  await say({})
  const over = service.clock.now()
  await clouds.pass()
  expect((await clouds.list(user))[0].expires_at).toBe(end + over - began)
  service.clock.advance((await clouds.list(user))[0].expires_at - service.clock.now() + 10)
  await clouds.pass()
  expect(await statuses()).toEqual([false, 'down'])
})
