import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** `server_id` is a wish: what is full or offline gives way, what cannot be is refused. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(async () => {
  await service.db.updateTable('servers').set({ capacity: 200 }).execute()
  await service.heartbeat()
})
afterAll(() => service.stop())

const customer = () => service.createUser({ balance: 100_000 })
const serversOf = async (locationId: number): Promise<[first: number, second: number]> => {
  const rows = await service.db
    .selectFrom('servers')
    .select('id')
    .where('location_id', '=', locationId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id) as [number, number]
}
const setRoom = async (serverId: number, room: number) => {
  await service.db
    .updateTable('servers')
    .set((eb) => ({ capacity: eb('used_slots', '+', room) }))
    .where('id', '=', serverId)
    .execute()
}
const order = { protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
const buy = (user: TestUser, body: object) =>
  service.customer(user, 'POST', '/configs', { ...order, ...body })
const change = (user: TestUser, id: number, body: object) =>
  service.customer(user, 'PATCH', `/configs/${id}/settings`, { protocol: 'vless', ...body })
const noServer = { statusCode: 409, errorCode: 22, message: 'NO_SERVER_AVAILABLE' }

describe.each([
  ['by balance', async () => order],
  [
    'by promocode',
    async () => {
      const made = { product_type: 'configs', days: 30, count: 1 }
      const { body } = await service.operator('POST', '/promocodes', made)
      return { payment_method_id: undefined, tariff_id: undefined, promocode: body.data.codes[0] }
    },
  ],
] as const)('a purchase %s', (_how, payment) => {
  test('takes the preferred server although others have more room', async () => {
    const [first, second] = await serversOf(2)
    for (const preferred of [first, second]) {
      await setRoom(preferred, 1)
      const { body } = await buy(await customer(), {
        ...(await payment()),
        location_id: 2,
        server_id: preferred,
      })
      expect(body).toMatchObject({ statusCode: 201, data: { server_id: preferred, location_id: 2 } })
    }
  })

  test('takes another when it is full', async () => {
    const [first, second] = await serversOf(2)
    await setRoom(first, 0)
    const { body } = await buy(await customer(), {
      ...(await payment()),
      location_id: 2,
      server_id: first,
    })
    expect(body).toMatchObject({ statusCode: 201, data: { server_id: second } })
    await setRoom(second, 0)
    const full = await buy(await customer(), { ...(await payment()), location_id: 2, server_id: first })
    expect(full.body).toMatchObject(noServer)
  })

  test('refuses one of another location, and one that is none', async () => {
    const [elsewhere] = await serversOf(3)
    for (const server_id of [elsewhere, 999_999]) {
      const { body } = await buy(await customer(), { ...(await payment()), location_id: 2, server_id })
      expect(body).toMatchObject(noServer)
    }
  })
})

describe('a server that cannot', () => {
  test('is offline: another is taken', async () => {
    const [first, second] = await serversOf(18)
    const { node_id } = await service.db
      .selectFrom('servers')
      .select('node_id')
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    const [asleep] = await service.db
      .insertInto('nodes')
      .columns(['name', 'address', 'listen_address', 'sells_without_engine', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom('nodes')
          .select([
            eb.val('asleep').as('name'),
            'address',
            'listen_address',
            'sells_without_engine',
            'created_at',
          ])
          .where('id', '=', node_id),
      )
      .returning('id')
      .execute()
    const sleeper = asleep?.id as number
    await service.db.insertInto('node_status').values({ node_id: sleeper }).execute()
    await service.db.updateTable('servers').set({ node_id: sleeper }).where('id', '=', first).execute()
    await service.db
      .updateTable('inbounds')
      .set({ node_id: sleeper })
      .where('server_id', '=', first)
      .execute()
    const { body } = await buy(await customer(), { location_id: 18, server_id: first })
    expect(body).toMatchObject({ statusCode: 201, data: { server_id: second } })
  })

  test('does not offer the protocol: refused, at purchase and in settings', async () => {
    const [first] = await serversOf(7)
    await service.db
      .deleteFrom('inbounds')
      .where('server_id', '=', first)
      .where('protocol', '=', 'trojan')
      .execute()
    const user = await customer()
    const wanted = { location_id: 7, protocol: 'trojan', server_id: first }
    expect((await buy(user, wanted)).body).toMatchObject(noServer)
    const { body } = await buy(user, { location_id: 1 })
    expect((await change(user, body.data.id, wanted)).body).toMatchObject(noServer)
  })
})

test('a payment link is given while the location has room, whatever is preferred', async () => {
  const [first, second] = await serversOf(2)
  const user = await customer()
  const tariffs = await service.customer(user, 'GET', '/configs/tariffs')
  const method = tariffs.body.data.find((one: { currency: string; id: number }) => one.id !== 1)
  const paid = { location_id: 2, payment_method_id: method.id, tariff_id: method.tariffs[0].id }
  await setRoom(first, 0)
  expect((await buy(user, { ...paid, server_id: first })).body).toMatchObject({
    statusCode: 201,
    data: { link: expect.any(String), payment_id: expect.any(Number) },
  })
  const [elsewhere] = await serversOf(3)
  expect((await buy(user, { ...paid, server_id: elsewhere })).body).toMatchObject(noServer)
  await setRoom(second, 0)
  expect((await buy(user, { ...paid, server_id: first })).body).toMatchObject(noServer)
})

test('30 buyers of one slot: one gets it, the rest go elsewhere while there is room', async () => {
  const [first, second] = await serversOf(3)
  await setRoom(first, 1)
  await setRoom(second, 29)
  const users = await Promise.all(Array.from({ length: 30 }, customer))
  const answers = await Promise.all(users.map((user) => buy(user, { location_id: 3, server_id: first })))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const taken = answers.map(({ body }) => body.data.server_id)
  expect(taken.filter((id) => id === first)).toHaveLength(1)
  expect(taken.filter((id) => id === second)).toHaveLength(29)
  expect((await buy(await customer(), { location_id: 3, server_id: first })).body).toMatchObject(noServer)
})

test('buyers with opposite wishes fill both servers to the last slot', async () => {
  const servers = await serversOf(3)
  for (const id of servers) await setRoom(id, 10)
  const users = await Promise.all(Array.from({ length: 30 }, customer))
  const answers = await Promise.all(
    users.map((user, at) => buy(user, { location_id: 3, server_id: servers[at % 2] })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.filter((status) => status === 409)).toHaveLength(10)
})

describe('in settings', () => {
  test('the preferred server is taken; a full one leaves the configuration where it is', async () => {
    const [first, second] = await serversOf(2)
    const user = await customer()
    const { body } = await buy(user, { location_id: 2, server_id: first })
    const { id, connection_url } = body.data
    await setRoom(second, 0)
    const stays = await change(user, id, { location_id: 2, server_id: second })
    expect(stays.body).toMatchObject({ statusCode: 200, data: { server_id: first, connection_url } })
    await setRoom(first, 0)
    expect((await change(user, id, { location_id: 2 })).body.data.server_id).toBe(first)
    await setRoom(second, 1)
    const moved = await change(user, id, { location_id: 2, server_id: second })
    expect(moved.body.data.server_id).toBe(second)
  })

  test('from elsewhere a full one gives way to another of the location', async () => {
    const [first, second] = await serversOf(2)
    const user = await customer()
    const { body } = await buy(user, { location_id: 1 })
    await setRoom(first, 0)
    const moved = await change(user, body.data.id, { location_id: 2, server_id: first })
    expect(moved.body).toMatchObject({ statusCode: 200, data: { server_id: second } })
    const [elsewhere] = await serversOf(3)
    const refused = await change(user, body.data.id, { location_id: 2, server_id: elsewhere })
    expect(refused.body).toMatchObject(noServer)
  })
})
