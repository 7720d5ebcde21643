import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let node: Awaited<ReturnType<typeof enrolNode>>
let optionId: number
let tariffId: number

/** An option of its own with one server, on a node that reports. */
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  const protocols = ['vless', 'trojan', 'hysteria2']
  node = await enrolNode(service, 1, { protocols, capacity: 500 })
  const made = await service.operator('POST', '/paid-options', {
    key: 'metered',
    title_ru: 'Счётчик',
    title_en: 'Meter',
    caption_ru: 'Слова',
    caption_en: 'Words',
    description_ru: 'Слова',
    description_en: 'Words',
    protocol: 'vless',
    traffic_limit: 1000,
    most_traffic: 5000,
    device_limit: 2,
    most_devices: 4,
    server_ids: [node.serverId],
    tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  optionId = made.body.data.id
  tariffId = made.body.data.tariffs[0].id
})
beforeEach(async () => {
  await service.heartbeat()
  await node.report()
})
afterAll(() => service.stop())

const day = 86_400
let boot = 0
const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  service.customer(user, method, `/paid-options/${optionId}${path}`, body)

const customer = async (days = 30) => {
  const user = await service.createUser({ balance: 10_000 })
  const order = { paid_option_id: optionId, payment_method_id: 1, tariff_id: tariffId }
  const bought = await service.customer(user, 'POST', '/paid-options', order)
  expect(bought.status, JSON.stringify(bought.body)).toBe(201)
  const [config] = bought.body.data.configs
  const own = `boot-${boot++}`
  let up = 0
  /** So much more went through, and the node tells. */
  const carry = async (bytes: number) => {
    up += bytes
    const answer = await node.report({ traffic: [{ boot_id: own, id: `a${config.id}`, up, down: 0 }] })
    expect(answer.status).toBe(200)
    await service.running.runJobs()
  }
  return { user, config, carry, boot: own, days }
}

const info = async (user: TestUser) => (await call(user, 'GET', '/subscription')).body.data
const isPlaced = async (id: number) =>
  (
    await service.db
      .selectFrom('placements')
      .select('is_present')
      .where('access_id', '=', id)
      .executeTakeFirstOrThrow()
  ).is_present
const notices = async (user: TestUser): Promise<string[]> =>
  (await service.customer(user, 'GET', '/profile/notifications')).body.data.map(
    (notice: { content: string }) => notice.content,
  )
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await service.running.runJobs()
}
const operator = (user: TestUser, body: object) =>
  service.operator('PATCH', `/users/${user.id}/paid-options/${optionId}`, { reason: 'asked', ...body })

describe('traffic', () => {
  test('is the same amount in the notification and on the page, which promises none after the end', async () => {
    const { user, carry } = await customer()
    const page = async () => {
      const headers = { accept: 'text/html', 'accept-language': 'ru' }
      const { body } = await service.call('GET', `/sub/${user.subscription_key}`, { headers })
      return String(body)
    }
    await carry(850)
    expect(await notices(user)).toEqual([expect.stringContaining('(всего 1\u00a0КБ)')])
    expect(await page()).toContain('Осталось 150\u00a0Б из 1\u00a0КБ')
    await carry(150)
    expect(await notices(user)).toEqual([expect.stringContaining('(1\u00a0КБ)')])
    expect(await page()).toContain('До конца срока он не обновится')
    const order = { paid_option_id: optionId, payment_method_id: 1, tariff_id: tariffId }
    await service.customer(user, 'POST', '/paid-options', order)
    expect(await page()).toMatch(/Серверы включатся сами, когда трафик обновится.*Обновится \d/s)
  })

  test('is counted over everything of the option, and switches it off at the limit', async () => {
    const { user, config, carry } = await customer()
    expect(await info(user)).toEqual({
      used_traffic_bytes: 0,
      lifetime_used_traffic_bytes: 0,
      device_limit: 2,
      traffic_limit_bytes: 1000,
      status: 'active',
      period_ends_at: expect.closeTo(service.clock.now() + 30 * day, -2),
    })
    await carry(799)
    expect(await notices(user)).toEqual([])
    await carry(1)
    expect(await notices(user)).toEqual([expect.stringContaining('80 %')])
    expect(await isPlaced(config.id)).toBe(true)
    await carry(250)
    expect(await info(user)).toMatchObject({ used_traffic_bytes: 1050, status: 'limited' })
    expect(await isPlaced(config.id)).toBe(false)
    expect(await notices(user)).toEqual([expect.stringContaining('закончился')])
    await carry(10)
    expect(await notices(user)).toEqual([])
  })

  test('raised it comes back at once under the same link, lowered it goes', async () => {
    const { user, config, carry } = await customer()
    await carry(1200)
    expect((await info(user)).status).toBe('limited')
    expect((await call(user, 'PATCH', '/limits', { traffic_limit: 2000 })).body.data).toBe(true)
    expect(await info(user)).toMatchObject({ status: 'active', traffic_limit_bytes: 2000 })
    expect(await isPlaced(config.id)).toBe(true)
    await call(user, 'PATCH', '/limits', { traffic_limit: 1200 })
    expect((await info(user)).status).toBe('limited')
    expect(await isPlaced(config.id)).toBe(false)
  })

  test('begins anew every 30 days from the purchase, the lifetime never', async () => {
    const { user, config, carry } = await customer()
    await service.customer(user, 'POST', '/paid-options', {
      paid_option_id: optionId,
      payment_method_id: 1,
      tariff_id: tariffId,
    })
    await carry(1000)
    expect((await info(user)).status).toBe('limited')
    await pass(30 * day)
    expect(await info(user)).toMatchObject({
      used_traffic_bytes: 0,
      lifetime_used_traffic_bytes: 1000,
      status: 'active',
      period_ends_at: expect.closeTo(service.clock.now() + 30 * day, -2),
    })
    expect(await isPlaced(config.id)).toBe(true)
    await carry(900)
    expect(await info(user)).toMatchObject({ used_traffic_bytes: 900, lifetime_used_traffic_bytes: 1900 })
    expect(await notices(user)).toContainEqual(expect.stringContaining('80 %'))
  })

  test('a renewal after the end begins afresh and is not limited', async () => {
    const { user, config, carry } = await customer()
    await carry(1000)
    await pass(31 * day)
    expect((await info(user)).status).toBe('expired')
    const order = { paid_option_id: optionId, payment_method_id: 1, tariff_id: tariffId }
    expect((await service.customer(user, 'POST', '/paid-options', order)).status).toBe(201)
    expect(await info(user)).toMatchObject({ used_traffic_bytes: 0, status: 'active' })
    expect(await isPlaced(config.id)).toBe(true)
  })

  test('of a proxy counts too, also after the proxy is gone', async () => {
    const { user, config, carry, boot: own } = await customer()
    await service.db
      .updateTable('node_status')
      .set({ ready_engines: ['xray'] })
      .where('node_id', '=', node.nodeId)
      .execute()
    const proxy = await call(user, 'POST', `/configs/${config.id}/subconfig`, { protocol: 'http' })
    expect(proxy.status, JSON.stringify(proxy.body)).toBe(200)
    await carry(100)
    const { id } = proxy.body.data
    await node.report({ traffic: [{ boot_id: own, id: `a${id}`, up: 30, down: 20 }] })
    expect((await info(user)).used_traffic_bytes).toBe(150)
    await call(user, 'DELETE', `/configs/${config.id}/subconfig`)
    expect((await info(user)).used_traffic_bytes).toBe(150)
    // What it carried until then is told a moment later.
    const last = { boot_id: own, id: `a${id}`, up: 40, down: 20 }
    await node.report({ traffic: [last] })
    expect((await info(user)).used_traffic_bytes).toBe(160)
    await node.report({ applied_revision: (await node.poll(0)).revision })
    await service.running.runJobs()
    await node.report({ traffic: [last] })
    expect((await info(user)).used_traffic_bytes).toBe(160)
    const meters = await service.db
      .selectFrom('meters')
      .select('access_id')
      .where('access_id', '=', id)
      .execute()
    expect(meters).toEqual([])
  })

  test('bought again right at the end it begins afresh, too', async () => {
    const { user, carry } = await customer()
    await carry(1000)
    service.clock.advance(30 * day)
    await service.heartbeat()
    const order = { paid_option_id: optionId, payment_method_id: 1, tariff_id: tariffId }
    expect((await service.customer(user, 'POST', '/paid-options', order)).status).toBe(201)
    expect(await info(user)).toMatchObject({ used_traffic_bytes: 0, status: 'active' })
  })
})

describe('limits', () => {
  test.each([
    [{ traffic_limit: 5001 }],
    [{ traffic_limit: 0 }],
    [{ device_limit: 5 }],
    [{ device_limit: 0 }],
    [{ device_limit: -1 }],
    [{ device_limit: 1.5 }],
    [{ device_limit: 2 ** 40 }],
    [{ traffic_limit: 2 ** 53 }],
    [{ traffic_limit: '10' }],
    [{ colour: 1 }],
  ])('%j is refused with the reason', async (body) => {
    const { user } = await customer()
    const before = await info(user)
    const answer = await call(user, 'PATCH', '/limits', body)
    expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
    expect(answer.body.details[0].path).toBe(Object.keys(body)[0])
    expect(await info(user)).toEqual(before)
  })

  test('within what the operator allows they change; without bounds anything goes', async () => {
    const { user } = await customer()
    await call(user, 'PATCH', '/limits', { device_limit: 4 })
    expect(await info(user)).toMatchObject({ device_limit: 4, traffic_limit_bytes: 1000 })
    const free = await service.createUser({ balance: 10_000 })
    await service.customer(free, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    const most = { device_limit: 100, traffic_limit: Number.MAX_SAFE_INTEGER }
    const path = '/paid-options/1'
    expect((await service.customer(free, 'PATCH', `${path}/limits`, most)).body.data).toBe(true)
    const shown = await service.customer(free, 'GET', `${path}/subscription`)
    expect(shown.body.data).toMatchObject({ device_limit: 100, traffic_limit_bytes: most.traffic_limit })
    for (const device_limit of [101, 2 ** 40]) {
      const refused = await service.customer(free, 'PATCH', `${path}/limits`, { device_limit })
      expect([refused.status, refused.body.errorCode]).toEqual([400, 3])
    }
    await service.customer(free, 'PATCH', `${path}/limits`, { device_limit: 0, traffic_limit: 0 })
    const unlimited = await service.customer(free, 'GET', `${path}/subscription`)
    expect(unlimited.body.data).toMatchObject({ device_limit: null, traffic_limit_bytes: 0 })
  })
})

test('what the demo sells as 500 GB stays 500 GB', async () => {
  const user = await service.createUser({ balance: 10_000 })
  const order = { paid_option_id: 2, payment_method_id: 1, tariff_id: 21 }
  expect((await service.customer(user, 'POST', '/paid-options', order)).status).toBe(201)
  const limits = (body: object) => service.customer(user, 'PATCH', '/paid-options/2/limits', body)
  const beyond = [
    { traffic_limit: 0 },
    { traffic_limit: 500_000_000_001 },
    { device_limit: 0 },
    { device_limit: 4 },
  ]
  for (const body of beyond) expect([body, (await limits(body)).status]).toEqual([body, 400])
  expect((await limits({ traffic_limit: 400_000_000_000, device_limit: 2 })).body.data).toBe(true)
  expect((await limits({ traffic_limit: 500_000_000_000, device_limit: 3 })).body.data).toBe(true)
})

describe('the operator', () => {
  test('switches it off and on; what is used up meanwhile stays off', async () => {
    const { user, config, carry } = await customer()
    const off = await operator(user, { is_disabled: true })
    expect([off.status, off.body.data.status]).toEqual([200, 'disabled'])
    expect(await isPlaced(config.id)).toBe(false)
    await carry(1500)
    expect((await info(user)).status).toBe('disabled')
    const order = { paid_option_id: optionId, payment_method_id: 1, tariff_id: tariffId }
    expect((await service.customer(user, 'POST', '/paid-options', order)).status).toBe(400)
    await operator(user, { is_disabled: false })
    expect((await info(user)).status).toBe('limited')
    expect(await isPlaced(config.id)).toBe(false)
    await operator(user, { reset_traffic: true })
    expect(await info(user)).toMatchObject({
      status: 'active',
      used_traffic_bytes: 0,
      lifetime_used_traffic_bytes: 1500,
    })
    expect(await isPlaced(config.id)).toBe(true)
  })

  test('nobody pays for what the operator has switched off', async () => {
    const { user } = await customer()
    await call(user, 'PATCH', '/auto-renewal', { enabled: true, days: 30 })
    await operator(user, { is_disabled: true })
    await pass(29 * day + 3600)
    expect((await service.customer(user, 'GET', '/profile')).body.data.balance).toBe(9900)
    await pass(day)
    expect((await info(user)).status).toBe('expired')
  })

  test('a disabled one ends as disabled ones do, and stays off when it is prolonged late', async () => {
    const { user, config } = await customer()
    await operator(user, { is_disabled: true })
    await pass(31 * day)
    expect((await info(user)).status).toBe('expired')
    await operator(user, { is_disabled: false })
    expect((await info(user)).status).toBe('expired')
    expect(await isPlaced(config.id)).toBe(false)
  })

  test('nothing is changed of one that is off', async () => {
    const { user, config } = await customer()
    const added = await call(user, 'POST', '/configs', { protocol: 'vless' })
    await operator(user, { is_disabled: true })
    const path = `/configs/${added.body.data.id}`
    for (const answer of [
      await call(user, 'POST', '/configs', { protocol: 'vless' }),
      await call(user, 'PATCH', `${path}/settings`, { protocol: 'trojan' }),
      await call(user, 'POST', `/configs/${config.id}/subconfig`, { protocol: 'http' }),
    ]) {
      expect(answer.status).toBe(400)
      expect(answer.body.details[0].problem).toMatch(/switched off by the operator/)
    }
    expect(await isPlaced(added.body.data.id)).toBe(false)
  })
})

describe('what a node tells', () => {
  const refused = async () =>
    (
      await service.db
        .selectFrom('node_status')
        .select('refused_counters')
        .where('node_id', '=', node.nodeId)
        .executeTakeFirstOrThrow()
    ).refused_counters

  test('of another node’s, backwards or from the future changes nothing and is counted', async () => {
    const { user, config, carry, boot: own } = await customer()
    await carry(500)
    const before = await refused()
    const id = `a${config.id}`
    await node.report({ traffic: [{ boot_id: own, id, up: 400, down: 0 }] })
    expect(await refused()).toBe(before + 1)
    await node.report({ traffic: [{ boot_id: `${own}-2`, id, up: 0, down: 0 }] })
    const other = await service.buy(await service.createUser({ balance: 1000 }), { location_id: 2 })
    await node.report({ traffic: [{ boot_id: own, id: `a${other.id}`, up: 400, down: 0 }] })
    await node.report({ traffic: [{ boot_id: own, id: 'nonsense', up: 400, down: 0 }] })
    expect(await refused()).toBe(before + 3)
    const late = await node.report({
      reported_at: service.clock.now() + 3600,
      traffic: [{ boot_id: own, id, up: 900, down: 0 }],
    })
    expect([late.status, late.body.details[0].path]).toEqual([400, 'reported_at'])
    expect(await refused()).toBe(before + 4)
    expect((await info(user)).used_traffic_bytes).toBe(500)
  })

  test('after a month of silence in the same run is not counted again', async () => {
    const { user, carry } = await customer()
    await service.customer(user, 'POST', '/paid-options', {
      paid_option_id: optionId,
      payment_method_id: 1,
      tariff_id: tariffId,
    })
    await carry(500)
    await pass(40 * day)
    await carry(10)
    expect((await info(user)).lifetime_used_traffic_bytes).toBe(510)
  })
})
