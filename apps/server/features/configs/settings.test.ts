import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const buy = (user: TestUser, body?: object) => service.buy(user, body)
const customer = () => service.createUser({ balance: 100_000 })
const change = (user: TestUser, id: number, body: object) =>
  service.customer(user, 'PATCH', `/configs/${id}/settings`, body)
const listed = async (user: TestUser) => (await service.customer(user, 'GET', '/configs')).body.data
const slotsOf = async (serverId: number) =>
  (
    await service.db
      .selectFrom('servers')
      .select('used_slots')
      .where('id', '=', serverId)
      .executeTakeFirstOrThrow()
  ).used_slots
const notices = async (user: TestUser): Promise<string[]> =>
  (await service.customer(user, 'GET', '/profile/notifications')).body.data.map(
    (row: { content: string }) => row.content,
  )

describe('PATCH /configs/:config_id/settings', () => {
  test('a move takes a slot there, gives the old one back, and brings new credentials', async () => {
    const user = await customer()
    const before = await buy(user)
    const slots = await slotsOf(before.server_id)
    const { status, body } = await change(user, before.id, { location_id: 2, protocol: 'trojan' })
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(['connection_url', 'server_id'])
    expect(await slotsOf(before.server_id)).toBe(slots - 1)
    expect(await slotsOf(body.data.server_id)).toBeGreaterThan(0)
    const [now] = await listed(user)
    expect(now).toMatchObject({ ...body.data, location_id: 2, protocol: 'trojan', id: before.id })
    expect(now.expires_at).toBe(before.expires_at)
  })

  test('another server of the location is another secret; other options alone keep it', async () => {
    const user = await customer()
    const config = await buy(user)
    const uuid = (url: string) => new URL(url).username
    const options = await change(user, config.id, {
      location_id: 1,
      protocol: 'vless',
      disable_flow_reality: true,
    })
    expect(options.body.data.server_id).toBe(config.server_id)
    expect(uuid(options.body.data.connection_url)).toBe(uuid(config.connection_url))
    const servers = await service.customer(
      user,
      'GET',
      '/configs/available-servers?location_id=1&protocol=vless',
    )
    const other = servers.body.data.find((row: { id: number }) => row.id !== config.server_id).id
    const moved = await change(user, config.id, { location_id: 1, protocol: 'vless', server_id: other })
    expect(moved.body.data.server_id).toBe(other)
    expect(uuid(moved.body.data.connection_url)).not.toBe(uuid(config.connection_url))
  })

  test('there and back through every protocol leaves no port and no slot behind', async () => {
    const user = await customer()
    const config = await buy(user)
    const ports = async () =>
      (await service.db.selectFrom('node_ports').select('port').where('access_id', '=', config.id).execute())
        .length
    const slots = await slotsOf(config.server_id)
    for (const body of [
      { protocol: 'amnezia-wg-2' },
      { protocol: 'vless', use_extended_settings: true },
      { protocol: 'wg' },
      { protocol: 'vless-2410', use_extended_settings: true, use_grpc: true },
      { protocol: 'hysteria2' },
    ]) {
      const { body: answer } = await change(user, config.id, { location_id: 1, ...body })
      expect(answer, JSON.stringify(body)).toMatchObject({ statusCode: 200 })
      const isPersonal = body.protocol === 'amnezia-wg-2' || 'use_extended_settings' in body
      expect(await ports()).toBe(isPersonal ? 1 : 0)
      expect('xray_config' in answer.data).toBe('use_extended_settings' in body)
      expect('awg_config' in answer.data).toBe(/wg/.test(body.protocol))
    }
    expect(await slotsOf(config.server_id)).toBe(slots)
  })

  test.each([
    ['a broken option rule', { use_grpc: true }, 3],
    ['an unknown location', { location_id: 999 }, 22],
    ['a server elsewhere', { server_id: 12 }, 22],
    ['an unknown protocol', { protocol: 'mtproto' }, 3],
    ['a missing location', { location_id: undefined }, 3],
  ])('refuses %s, and nothing changes', async (_what, body, errorCode) => {
    const user = await customer()
    const config = await buy(user)
    const refused = await change(user, config.id, { location_id: 1, protocol: 'vless', ...body })
    expect(refused.body).toMatchObject({ status: false, errorCode })
    expect(await listed(user)).toEqual([config])
  })

  test('noChangeCountry forbids another location and nothing else', async () => {
    const user = await customer()
    const config = await buy(user)
    await service.db
      .updateTable('accesses')
      .set({ flags: ['noChangeCountry'] })
      .where('id', '=', config.id)
      .execute()
    const away = await change(user, config.id, { location_id: 2, protocol: 'vless' })
    expect(away.body).toMatchObject({ errorCode: 3, details: [{ path: 'location_id' }] })
    expect((await change(user, config.id, { location_id: 1, protocol: 'trojan' })).status).toBe(200)
    expect((await listed(user))[0].flags).toEqual(['noChangeCountry'])
  })

  test('of 30 moves to the last free slot, one wins, and every slot is counted', async () => {
    const users = await Promise.all(Array.from({ length: 30 }, () => customer()))
    const configs: { id: number }[] = []
    for (const user of users) configs.push(await buy(user))
    const target = 3
    await service.db.updateTable('servers').set({ capacity: 0 }).where('location_id', '=', 2).execute()
    await service.db
      .updateTable('servers')
      .set({ capacity: await slotsOf(target) })
      .where('id', '=', target)
      .execute()
    await service.db
      .updateTable('servers')
      .set((eb) => ({ capacity: eb('capacity', '+', 1) }))
      .where('id', '=', target)
      .execute()
    await service.heartbeat()
    const answers = await Promise.all(
      users.map((user, at) => change(user, configs[at]?.id as number, { location_id: 2, protocol: 'vless' })),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.errorCode === 22)).toHaveLength(29)
    const counted = await service.db
      .selectFrom('accesses as a')
      .innerJoin('terms as t', 't.id', 'a.term_id')
      .select((eb) => ['a.server_id', eb.fn.countAll<number>().as('live')])
      .where('t.state', '=', 'active')
      .where('a.beside_id', 'is', null)
      .groupBy('a.server_id')
      .execute()
    for (const { server_id, live } of counted) expect(Number(live)).toBe(await slotsOf(server_id))
    await service.db.updateTable('servers').set({ capacity: 200 }).execute()
  })
})

describe('PATCH title and auto-renewal', () => {
  test('a title is 1 to 64 characters or null, and shows in the link', async () => {
    const user = await customer()
    const { id } = await buy(user)
    const rename = (title: unknown) => service.customer(user, 'PATCH', `/configs/title/${id}`, { title })
    expect((await rename('Дача')).body.data).toBe(true)
    const [named] = await listed(user)
    expect(named.title).toBe('Дача')
    expect(decodeURIComponent(named.connection_url)).toMatch(/#Дача$/)
    expect((await rename('x'.repeat(64))).status).toBe(200)
    for (const bad of ['', 'x'.repeat(65), 5, undefined]) expect((await rename(bad)).status).toBe(400)
    expect((await rename(null)).status).toBe(200)
    expect((await listed(user))[0].title).toBeNull()
  })

  test('auto-renewal needs the length of a tariff to be switched on', async () => {
    const user = await customer()
    const { id } = await buy(user)
    const put = (body: object) => service.customer(user, 'PATCH', `/configs/${id}/auto-renewal`, body)
    expect((await put({ enabled: true })).body.details).toEqual([
      { path: 'days', problem: 'is required to switch auto-renewal on' },
    ])
    expect((await put({ enabled: true, days: 31 })).body.details[0].problem).toContain('30, 90, 180, 365')
    expect((await put({ enabled: true, days: 90 })).body.data).toEqual({
      auto_renewal: true,
      auto_renewal_days: 90,
    })
    expect((await listed(user))[0]).toMatchObject({ auto_renewal: true, auto_renewal_days: 90 })
    expect((await put({ enabled: false })).body.data).toEqual({
      auto_renewal: false,
      auto_renewal_days: null,
    })
  })
})

describe('bridges', () => {
  const bridge = (user: TestUser, first: number, second: number, more: object = {}) =>
    service.customer(user, 'POST', '/configs/makeBridge', {
      first_config_id: first,
      second_config_id: second,
      ...more,
    })
  const exitOf = async (id: number) => {
    const rows = await service.db.selectFrom('bridges').select('exit_id').where('entry_id', '=', id).execute()
    return rows[0]?.exit_id
  }

  test('entry and exit; a new exit replaces the old; resetXrayConfig takes the bridge away', async () => {
    const user = await customer()
    const [a, b, c] = [await buy(user), await buy(user, { location_id: 2 }), await buy(user)]
    const made = await bridge(user, a.id, b.id)
    expect([made.status, made.body.data]).toEqual([201, true])
    expect(await exitOf(a.id)).toBe(b.id)
    await bridge(user, a.id, c.id)
    expect(await exitOf(a.id)).toBe(c.id)
    expect((await service.customer(user, 'POST', `/configs/${a.id}/resetXrayConfig`)).status).toBe(200)
    expect(await exitOf(a.id)).toBeUndefined()
  })

  test('loops, strangers, the ended, and what cannot carry a bridge are refused', async () => {
    const user = await customer()
    const [a, b, c] = [await buy(user), await buy(user), await buy(user)]
    const [wg, awg] = [await buy(user, { protocol: 'wg' }), await buy(user, { protocol: 'amnezia-wg-2' })]
    const foreign = await buy(await customer())
    expect((await bridge(user, a.id, a.id)).status).toBe(400)
    expect((await bridge(user, a.id, b.id)).status).toBe(201)
    expect((await bridge(user, b.id, a.id)).body).toMatchObject({ statusCode: 400, errorCode: 3 })
    expect((await bridge(user, b.id, c.id)).status).toBe(201)
    expect((await bridge(user, c.id, a.id)).status).toBe(400)
    expect((await bridge(user, a.id, foreign.id)).body).toMatchObject({ statusCode: 404, errorCode: 1 })
    expect((await bridge(user, foreign.id, a.id)).status).toBe(404)
    expect((await bridge(user, wg.id, a.id)).body.details[0].path).toBe('first_config_id')
    expect((await bridge(user, c.id, awg.id)).body.details[0].path).toBe('second_config_id')
    expect((await bridge(user, c.id, wg.id)).status).toBe(201)
    expect((await bridge(user, a.id, b.id, { second_type: 'cloud' })).status).toBe(404)
    expect((await bridge(user, a.id, b.id, { first_type: 'paid_option' })).status).toBe(404)
    expect((await bridge(user, a.id, b.id, { first_type: 'server' })).status).toBe(400)
  })

  test('two bridges made at once cannot close a ring', async () => {
    const user = await customer()
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await buy(user), await buy(user)]
      const answers = await Promise.all([bridge(user, a.id, b.id), bridge(user, b.id, a.id)])
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400])
    }
  })

  test('when the exit ends or turns into what cannot end a bridge, it is removed and the customer told', async () => {
    const user = await customer()
    const [a, b] = [await buy(user, { tariff_id: 4 }), await buy(user, { tariff_id: 4 })]
    await bridge(user, a.id, b.id)
    await change(user, b.id, { location_id: 1, protocol: 'trojan' })
    expect(await exitOf(a.id)).toBe(b.id)
    await change(user, b.id, { location_id: 1, protocol: 'amnezia-wg-2' })
    expect(await exitOf(a.id)).toBeUndefined()
    expect(await notices(user)).toEqual([expect.stringContaining(`Мост снят: подключение № ${b.id}`)])
    const short = await buy(user)
    await bridge(user, a.id, short.id)
    service.clock.advance(31 * 86_400)
    await service.heartbeat()
    await service.running.runJobs()
    expect(await exitOf(a.id)).toBeUndefined()
    const english = await service.call('GET', '/v1/profile/notifications', {
      token: user.api_key,
      headers: { 'accept-language': 'en' },
    })
    expect(english.body.data[0].content).toContain(`The bridge was removed: connection ${short.id}`)
  })

  test('an entry does not become what cannot begin a bridge', async () => {
    const user = await customer()
    const [a, b] = [await buy(user), await buy(user)]
    await bridge(user, a.id, b.id)
    const refused = await change(user, a.id, { location_id: 1, protocol: 'wg' })
    expect(refused.body.details).toEqual([
      { path: 'protocol', problem: expect.stringMatching(/DELETE \/configs\/bridges\/\d+$/) },
    ])
    expect((await change(user, a.id, { location_id: 2, protocol: 'trojan' })).status).toBe(200)
    expect(await exitOf(a.id)).toBe(b.id)
  })
})
