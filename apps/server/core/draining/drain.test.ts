import { protocols } from '@sallyport/contract/shapes'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CustomTests, configItem } from '../../../../test/support/custom-subscriptions.ts'
import { drainingOf, week } from '../../../../test/support/draining.ts'
import { type EnrolledNode, nodesIn } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { countStatementsDuring } from '../../../../test/support/statements.ts'
import { inTransaction } from '../../db/client.ts'
import { emptyServers } from './drain-job.ts'
import { storeDrain } from './drains.ts'

let service: TestService
let at: ReturnType<typeof drainingOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true })
  at = drainingOf(service)
})
afterEach(async () => expect(await at.broken()).toEqual([]))
afterAll(() => service.stop())

const everything = { protocols: [...protocols], domain: 'vpn.example.org' }

const kinds: [string, object][] = [
  ...protocols.map((protocol) => [protocol, { protocol }] as [string, object]),
  ['a personal Xray', { use_extended_settings: true, use_grpc: true }],
  ['WARP', { use_extended_settings: true, use_warp: true }],
]

/** Those that differ there: what shares a port, what has an address of its own, and what has a port. */
const onOneNode = kinds.filter(([name]) => ['vless', 'wg', 'amnezia-wg-2', 'a personal Xray'].includes(name))

describe.each([
  ['another node', false, kinds],
  ['the same node', true, onOneNode],
] as const)('to a server of %s', (_, isSame, each) => {
  const place = async () => {
    const made = await at.setUp(isSame ? 1 : 2, everything)
    if (!isSame) return made
    const { body } = await service.operator('POST', '/servers', {
      node_id: made.first.nodeId,
      location_id: made.locationId,
      capacity: 50,
      ...everything,
      reality_target: 'www.example.com:443',
      reality_server_name: 'www.example.com',
    })
    const second: EnrolledNode = { ...made.first, serverId: body.data.id }
    return { ...made, second }
  }

  test.each(each)('%s: both work, until the app has fetched', async (_name, order) => {
    const { first, second, user, buy } = await place()
    const config = await buy(order)
    await service.customer(user, 'PATCH', `/configs/title/${config.id}`, { title: 'Дом' })
    const before = (await at.carried(first)).get(`a${config.id}`)
    const old = (await at.fetched(user, {}, '?format=links')).body
    const started = await at.drain(first.serverId)
    expect(started.body.data).toEqual({
      state: 'running',
      total: 1,
      moved: 0,
      left: 1,
      failed: [],
      failed_total: 0,
    })
    await at.round()
    expect(await at.shown(first.serverId)).toMatchObject({ state: 'waiting', total: 1, moved: 1, left: 0 })
    const moved = await at.configOf(user, config.id)
    expect(moved).toMatchObject({ server_id: second.serverId, title: 'Дом' })
    expect(moved.options).toEqual(config.options)
    expect(moved.connection_url).not.toBe(config.connection_url)
    const [copy] = await at.copiesOn(first)
    expect((await at.carried(first)).get(copy as string)).toEqual(before)
    expect((await at.carried(second)).get(`a${config.id}`)).not.toEqual(before)
    await at.round()
    expect(await at.stateOf(first.serverId)).toBe('draining')
    const links = (await at.fetched(user, {}, '?format=links')).body
    expect(links).not.toBe(old)
    await at.round()
    expect(await at.copiesOn(first)).toEqual([])
    expect((await at.carried(second)).has(`a${config.id}`)).toBe(true)
    await at.round()
    expect(await at.shown(first.serverId)).toMatchObject({ state: 'done', moved: 1, left: 0 })
    expect(await at.stateOf(first.serverId)).toBe('closed')
    expect(await at.told(user)).toEqual([expect.stringContaining('Дом')])
  })
})

describe('what a fetch is', () => {
  test('not one before the move, not a page, not one entry; but one that is not modified', async () => {
    const { first, user, buy } = await at.setUp(2)
    await buy()
    await at.fetched(user)
    await at.drain(first.serverId)
    await at.round()
    await at.fetched(user, { accept: 'text/html' })
    await at.fetched(user, {}, '?item=1')
    await at.round()
    expect(await at.copiesOn(first)).toHaveLength(1)
    const got = await at.fetched(user)
    // The process ended before it was written.
    service.running.services.fetches.take()
    await at.round()
    expect(await at.copiesOn(first)).toHaveLength(1)
    const again = await at.fetched(user, { 'if-none-match': got.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    await at.round()
    expect(await at.copiesOn(first)).toEqual([])
  })

  test('not of a custom subscription without it; of one with it', async () => {
    const { first, second, user, buy } = await at.setUp(2)
    const config = await buy()
    const other = await buy({ server_id: second.serverId })
    const custom = new CustomTests(service)
    const fetchCustom = ({ subscription_key: key }: { subscription_key: string }) =>
      service.call('GET', `/sub/${key}`, { headers: { 'user-agent': 'Happ/3.7.0' } })
    const without = await custom.made(user, configItem(other.id))
    const withIt = await custom.made(user, configItem(config.id))
    await at.drain(first.serverId)
    await at.round()
    expect((await fetchCustom(without)).status).toBe(200)
    await at.round()
    expect(await at.copiesOn(first)).toHaveLength(1)
    expect((await fetchCustom(withIt)).status).toBe(200)
    await at.round()
    expect(await at.copiesOn(first)).toEqual([])
  })

  test('without any it ends after 7 days', async () => {
    const { first, second, buy } = await at.setUp(2)
    await buy()
    await at.drain(first.serverId)
    await at.round()
    service.clock.advance(week - 1)
    await at.alive(first, second)
    await at.round()
    expect(await at.copiesOn(first)).toHaveLength(1)
    service.clock.advance(1)
    await at.round()
    expect(await at.copiesOn(first)).toEqual([])
    await at.round()
    expect((await at.shown(first.serverId)).state).toBe('done')
  })
})

describe('what belongs to it', () => {
  test('a proxy has another link, and its old one for 7 days whoever fetches', async () => {
    const { first, second, user, buy } = await at.setUp(2)
    const config = await buy()
    const path = `/configs/${config.id}/subconfig`
    const proxy = (await service.customer(user, 'POST', path, { protocol: 'mtproto' })).body.data
    const before = (await at.carried(first)).get(`a${proxy.id}`)
    await at.drain(first.serverId)
    await at.round()
    const after = (await service.customer(user, 'GET', path)).body.data
    expect([after.id, after.connection_url === proxy.connection_url]).toEqual([proxy.id, false])
    expect([...(await at.carried(first)).values()]).toContainEqual(before)
    expect((await at.carried(second)).has(`a${proxy.id}`)).toBe(true)
    expect(await at.told(user)).toEqual([expect.stringContaining('прокси')])
    await at.fetched(user)
    await at.round()
    expect(await at.copiesOn(first)).toHaveLength(1)
    service.clock.advance(week)
    await at.alive(first, second)
    await at.round()
    expect(await at.copiesOn(first)).toEqual([])
  })

  test('a proxy that the new place cannot carry is left behind, and the customer told', async () => {
    const { first, second, user, buy } = await at.setUp(2)
    const config = await buy()
    await service.customer(user, 'POST', `/configs/${config.id}/subconfig`, { protocol: 'mtproto' })
    await second.report()
    await at.drain(first.serverId)
    await at.round()
    expect(await at.configOf(user, config.id)).toMatchObject({ server_id: second.serverId })
    expect((await service.customer(user, 'GET', `/configs/${config.id}/subconfig`)).status).toBe(404)
    expect(await at.told(user)).toEqual([expect.stringContaining('удалён')])
    expect(await at.copiesOn(first)).toHaveLength(1)
  })

  test('JSON that the customer wrote is the same on both sides', async () => {
    const { first, second, user, buy } = await at.setUp(2)
    const config = await buy({ use_extended_settings: true })
    await service.db
      .updateTable('nodes')
      .set({ sells_without_engine: true })
      .where('id', 'in', [first.nodeId, second.nodeId])
      .execute()
    for (const node of [first, second]) await node.report({ engines: [] })
    const own = JSON.parse(config.xray_config)
    own.routing.rules.unshift({
      type: 'field',
      domain: ['domain:example.net'],
      outboundTag: own.outbounds[0].tag,
    })
    const edited = await service.customer(user, 'PATCH', `/configs/${config.id}/XrayConfig`, {
      xray_config: JSON.stringify(own),
    })
    expect(edited.status, JSON.stringify(edited.body)).toBe(200)
    const before = (await at.carried(first)).get(`a${config.id}`)
    await at.drain(first.serverId)
    await at.round()
    const [copy] = await at.copiesOn(first)
    expect((await at.carried(first)).get(copy as string)).toEqual(before)
    const moved = await at.configOf(user, config.id)
    expect(moved.xray_config).toContain('domain:example.net')
    expect(moved.server_id).toBe(second.serverId)
  })

  test('a bridge is followed from both ends', async () => {
    const { first, second, user, buy } = await at.setUp(3)
    const [entry, exit] = [await buy(), await buy()]
    await service.customer(user, 'POST', '/configs/makeBridge', {
      first_config_id: entry.id,
      second_config_id: exit.id,
    })
    const exitOf = async (node: EnrolledNode, id: string) =>
      ((await at.carried(node)).get(id) as { exit?: { outbound: string } }).exit?.outbound ?? ''
    await at.drain(first.serverId, { to_server_ids: [second.serverId] })
    await at.round()
    const now = await exitOf(second, `a${entry.id}`)
    expect(now).not.toBe('')
    const copies = await at.copiesOn(first)
    const outbounds: string[] = []
    for (const copy of copies) outbounds.push(await exitOf(first, copy))
    expect(outbounds.toSorted()).toEqual(['', now].toSorted())
  })
})

test('what is off moves without a copy: paused, ended, and it comes back on the new server', async () => {
  const { first, second, user, buy } = await at.setUp(2)
  const config = await buy()
  service.clock.advance(31 * 86_400)
  await at.alive(first, second)
  await at.round()
  expect((await at.carried(first)).size).toBe(0)
  await at.drain(first.serverId)
  await at.round()
  expect(await at.copiesOn(first)).toEqual([])
  expect((await at.carried(second)).size).toBe(0)
  expect(await at.shown(first.serverId)).toMatchObject({ state: 'done', total: 1, moved: 1 })
  expect(await at.told(user)).not.toContainEqual(expect.stringContaining('перенесено'))
  const body = { payment_method_id: 1, tariff_id: 1 }
  const renewed = await service.customer(user, 'POST', `/configs/renewal/${config.id}`, body)
  expect(renewed.status, JSON.stringify(renewed.body)).toBeLessThan(300)
  expect(await at.configOf(user, config.id)).toMatchObject({ server_id: second.serverId, is_online: true })
})

test('what finds no room stays and is told, and goes when there is room', async () => {
  const { first, second, user, buy } = await at.setUp(2)
  const others = [await buy(), await buy()]
  await service.operator('PATCH', `/servers/${second.serverId}`, { capacity: 1 })
  await at.drain(first.serverId)
  await at.round()
  const reason = 'no other server of the location that offers vless has room'
  expect(await at.shown(first.serverId)).toEqual({
    state: 'running',
    total: 2,
    moved: 1,
    left: 0,
    failed: [{ item: others[1].id, reason }],
    failed_total: 1,
  })
  await service.operator('PATCH', `/servers/${second.serverId}`, { capacity: 2 })
  service.clock.advance(61)
  await at.alive(first, second)
  await at.round()
  expect(await at.shown(first.serverId)).toMatchObject({ state: 'waiting', moved: 2, left: 0, failed: [] })
  expect(await at.configOf(user, others[1].id)).toMatchObject({ server_id: second.serverId })
})

describe('many that cannot go', () => {
  const stuck = async (count: number) => {
    const made = await at.setUp(1)
    for (let n = 0; n < count; n++) await made.buy()
    await at.drain(made.first.serverId)
    return made
  }
  const runLater = () => {
    service.clock.advance(61)
    return emptyServers(service.running.services, service.clock.now())
  }

  test('cost no more than few, are noted once, and go when there is room', async () => {
    const few = await stuck(1)
    const forFew = await countStatementsDuring(service, runLater)
    await service.operator('DELETE', `/servers/${few.first.serverId}/drain`)
    const many = await stuck(8)
    expect(await countStatementsDuring(service, runLater)).toBe(forFew)
    const notes = () =>
      service.db
        .selectFrom('drain_failures')
        .selectAll()
        .where('server_id', '=', many.first.serverId)
        .execute()
    const noted = await notes()
    expect(noted).toHaveLength(8)
    await runLater()
    expect(await notes()).toEqual(noted)
    const [second] = (await nodesIn(service, many.locationId, 1)) as [EnrolledNode]
    service.clock.advance(61)
    await at.alive(second)
    await emptyServers(service.running.services, service.clock.now())
    expect(await at.shown(many.first.serverId)).toMatchObject({ moved: 8, left: 0, failed_total: 0 })
  })

  test('of those the first 100 are told, and how many there are', async () => {
    const { first } = await stuck(1)
    await runLater()
    const [{ item: id }] = (await at.shown(first.serverId)).failed
    await sql`
      insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, created_at)
      select term_id, server_id, location_id, protocol, credential_nonce, created_at
      from accesses, generate_series(1, 120) where id = ${id}::bigint`.execute(service.db)
    await runLater()
    const shown = await at.shown(first.serverId)
    expect(shown).toMatchObject({ moved: 0, left: 0, failed_total: 121 })
    expect(shown.failed.map(({ item }: { item: number }) => item)).toHaveLength(100)
    await sql`delete from accesses where server_id = ${first.serverId}::bigint and id <> ${id}::bigint`.execute(
      service.db,
    )
  })
})

test('servers that are emptied take turns', async () => {
  const big = await at.setUp(2, { capacity: 100 })
  const small = await at.setUp(2)
  for (let n = 0; n < 60; n++) await big.buy()
  await small.buy()
  const now = service.clock.now()
  await inTransaction(service.db, async (tx) => {
    for (const { first } of [big, small])
      await storeDrain(tx, { serverId: first.serverId, toServerIds: [], now })
  })
  await emptyServers(service.running.services, now)
  const copies = await service.db
    .selectFrom('held_accesses')
    .select('server_id')
    .where('server_id', 'in', [big.first.serverId, small.first.serverId])
    .orderBy('id')
    .execute()
  expect(copies).toHaveLength(61)
  expect(copies.findIndex(({ server_id }) => server_id === small.first.serverId)).toBe(50)
})

test('one whose emptying is stopped meanwhile keeps the others from nothing', async () => {
  const big = await at.setUp(2, { capacity: 100 })
  const small = await at.setUp(2)
  for (let n = 0; n < 52; n++) await big.buy()
  for (let n = 0; n < 20; n++) await small.buy()
  const now = service.clock.now()
  await inTransaction(service.db, async (tx) => {
    for (const { first } of [big, small])
      await storeDrain(tx, { serverId: first.serverId, toServerIds: [], now })
  })
  let steps = 0
  let stopped: Promise<unknown> = Promise.resolve()
  await emptyServers(service.running.services, now, () => {
    steps += 1
    if (steps === 50) stopped = service.operator('DELETE', `/servers/${big.first.serverId}/drain`)
  })
  await stopped
  expect(await at.shown(big.first.serverId)).toMatchObject({ state: 'stopped' })
  expect(await at.shown(small.first.serverId)).toMatchObject({ state: 'waiting', left: 0 })
})

test('named servers of another location are taken, unless an option is not to be had there', async () => {
  const { first, user, buy } = await at.setUp(1, { protocols: ['vless'] })
  const elsewhere = await at.setUp(1)
  const config = await buy()
  const away = await at.drain(first.serverId)
  expect(away.body.data).toMatchObject({ state: 'running' })
  await at.round()
  expect((await at.shown(first.serverId)).failed).toEqual([
    { item: config.id, reason: 'no other server of the location sells' },
  ])
  await at.drain(first.serverId, { to_server_ids: [elsewhere.first.serverId] })
  await at.round()
  expect(await at.configOf(user, config.id)).toMatchObject({
    server_id: elsewhere.first.serverId,
    location_id: elsewhere.locationId,
  })
})

describe('options', () => {
  const words = {
    title_ru: 'Опция',
    title_en: 'Option',
    caption_ru: 'Слова',
    caption_en: 'Words',
    description_ru: 'Слова',
    description_en: 'Words',
  }
  const tariffs = [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }]
  let made = 0
  const makeOption = async (serverIds: readonly number[]) => {
    const body = { key: `drained_${made++}`, ...words, protocol: 'vless', server_ids: serverIds, tariffs }
    return (await service.operator('POST', '/paid-options', body)).body.data
  }
  const buyOption = async (user: TestUser, option: { id: number; tariffs: { id: number }[] }) => {
    const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0]?.id }
    const answer = await service.customer(user, 'POST', '/paid-options', order)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  }
  const configsOf = async (user: TestUser) =>
    (await service.customer(user, 'GET', '/paid-options')).body.data[0].configs as {
      id: number
      index: number
      server_id: number
      title: string | null
    }[]

  test('its list follows in that position, with ids, titles and what was added; both work until a fetch', async () => {
    const { nodes, first, user } = await at.setUp(3)
    const [, second, third] = nodes as [EnrolledNode, EnrolledNode, EnrolledNode]
    const option = await makeOption([first.serverId, second.serverId])
    await buyOption(user, option)
    const added = await service.customer(user, 'POST', `/paid-options/${option.id}/configs`, {
      server_id: first.serverId,
      protocol: 'vless',
    })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    const before = await configsOf(user)
    await at.drain(first.serverId)
    await at.round()
    const shown = (await service.operator('GET', '/paid-options')).body.data.find(
      (row: { id: number }) => row.id === option.id,
    )
    expect(shown.servers).toEqual([
      { server_id: third.serverId, index: 0 },
      { server_id: second.serverId, index: 1 },
    ])
    const after = await configsOf(user)
    const brief = (rows: typeof after) => rows.map(({ id, index, title }) => [id, index, title])
    expect(brief(after)).toEqual(brief(before))
    expect(after.map((row) => row.server_id)).toEqual([third.serverId, second.serverId, third.serverId])
    expect(await at.copiesOn(first)).toHaveLength(2)
    expect(await at.copiesOn(second)).toEqual([])
    await at.fetched(user)
    await at.round()
    expect(await at.copiesOn(first)).toEqual([])
    await at.round()
    expect(await at.shown(first.serverId)).toMatchObject({ state: 'done', total: 2, moved: 2 })
  })

  test('what is paused or has ended goes too; without another server all stay, and are told', async () => {
    const { nodes, first, user } = await at.setUp(2)
    const second = nodes[1] as EnrolledNode
    const ended = await service.createUser({ balance: 1000 })
    const paused = await service.createUser({ balance: 1000 })
    const option = await makeOption([first.serverId])
    await buyOption(ended, option)
    service.clock.advance(20 * 86_400)
    await at.alive(first, second)
    await buyOption(user, option)
    await buyOption(paused, option)
    await service.operator('PATCH', `/users/${paused.id}/paid-options/${option.id}`, {
      is_disabled: true,
      reason: 'asked',
    })
    service.clock.advance(11 * 86_400)
    await at.alive(first, second)
    await at.round()
    await service.operator('PATCH', `/servers/${second.serverId}`, { state: 'closed' })
    await at.drain(first.serverId)
    await at.round()
    const failing = await at.shown(first.serverId)
    expect(failing).toMatchObject({ state: 'running', total: 3, moved: 0, left: 0 })
    expect(failing.failed[0].reason).toBe(
      'the option “Option” needs another server in its place: no other server of the location sells',
    )
    await service.operator('PATCH', `/servers/${second.serverId}`, { state: 'selling' })
    service.clock.advance(61)
    await at.alive(first, second)
    await at.round()
    expect(await at.shown(first.serverId)).toMatchObject({ state: 'waiting', moved: 3, failed: [] })
    expect(await at.copiesOn(first)).toHaveLength(1)
    const places = await service.db
      .selectFrom('accesses')
      .select('server_id')
      .innerJoin('terms', 'terms.id', 'accesses.term_id')
      .where('terms.user_id', 'in', [user.id, ended.id, paused.id])
      .execute()
    expect(places.map((row) => row.server_id)).toEqual([second.serverId, second.serverId, second.serverId])
  })

  test('one that nobody has there keeps the server from being done, until it names another or none', async () => {
    const { nodes, first } = await at.setUp(2)
    const second = nodes[1] as EnrolledNode
    await service.operator('PATCH', `/servers/${second.serverId}`, { state: 'closed' })
    const [option, other] = [await makeOption([first.serverId]), await makeOption([first.serverId])]
    await at.drain(first.serverId)
    await at.round()
    const reason =
      'the option “Option” needs another server in its place: no other server of the location sells'
    expect(await at.shown(first.serverId)).toEqual({
      state: 'running',
      total: 0,
      moved: 0,
      left: 0,
      failed: [option, other].map(({ id }) => ({ item: id, reason })),
      failed_total: 2,
    })
    const emptied = { is_active: false, server_ids: [] }
    expect((await service.operator('PATCH', `/paid-options/${option.id}`, emptied)).status).toBe(200)
    await at.round()
    expect(await at.shown(first.serverId)).toMatchObject({ state: 'running', failed: [{ item: other.id }] })
    await service.operator('PATCH', `/servers/${second.serverId}`, { state: 'selling' })
    await at.round()
    expect(await at.shown(first.serverId)).toMatchObject({ state: 'done', failed: [], failed_total: 0 })
    expect((await service.operator('DELETE', `/servers/${first.serverId}`)).status).toBe(200)
  })
})
