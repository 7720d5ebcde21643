import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let clouds: CloudTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true })
  clouds = new CloudTests(service)
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const day = 86_400
const rich = (fields: object = {}) => service.createUser({ balance: 10_000, ...fields })
const balanceOf = async (user: TestUser): Promise<number> =>
  (await service.customer(user, 'GET', '/profile')).body.data.balance
const notices = async (user: TestUser, language = 'ru'): Promise<string[]> => {
  const path = '/profile/notifications'
  const { body } = await service.customer(user, 'GET', path, undefined, { 'accept-language': language })
  return body.data.map((notice: { content: string }) => notice.content)
}

describe('looking', () => {
  test('GET /cloud-servers/tariffs: every configuration with the customer’s own prices', async () => {
    const user = await rich()
    const rule = (body: object) => service.operator('POST', `/users/${user.id}/pricing-rules`, body)
    expect((await rule({ type: 'cloud_servers', percent: -20 })).status).toBe(201)
    expect((await rule({ type: 'cloud_server', product_id: 2, percent: 10 })).status).toBe(201)
    const { body } = await clouds.call(user, 'GET', '/tariffs')
    expect(body.status, JSON.stringify(body)).toBe(true)
    expect(body.data.map((one: { id: number }) => one.id)).toEqual([1, 2])
    const [first, second] = body.data
    expect(first).toMatchObject({ title: 'Старт', description: expect.stringContaining('ядро') })
    expect(first.payment_methods.map((method: { id: number }) => method.id)).toEqual([1, 2, 3, 4, 5, 6])
    expect(first.payment_methods[0].key).toBe('balance')
    expect(first.payment_methods[0].tariffs[0]).toEqual({ id: 31, days: 30, price: 400, old_price: 500 })
    expect(second.payment_methods[0].tariffs[0]).toMatchObject({ id: 41, days: 30, price: 990 })
  })

  test('GET /cloud-servers/locations: where, and what can be ordered there', async () => {
    const { body } = await clouds.call(await rich(), 'GET', '/locations')
    expect(body.data.length).toBeGreaterThanOrEqual(6)
    expect(body.data[0]).toMatchObject({ id: 1, server_type: 'vps', available_tariff_config_ids: [1, 2] })
  })

  test('nothing of nobody', async () => {
    expect((await clouds.call(await rich(), 'GET')).body.data).toEqual([])
  })
})

describe('POST /cloud-servers', () => {
  test('by balance: ordered at once, active in seconds, and told so', async () => {
    const user = await rich()
    const server = await clouds.order(user, { hostname: 'VPN.example.com' })
    expect(server).toEqual({
      id: expect.any(Number),
      location_id: 1,
      tariff_config_id: 1,
      status: 'ordered',
      expires_at: service.clock.now() + 30 * day,
      url: null,
      is_online: false,
      auto_renewal: false,
      auto_renewal_days: null,
      hostname: 'vpn.example.com',
    })
    await clouds.pass()
    const listed = await clouds.list(user)
    expect(listed).toEqual([{ ...server, status: 'active', url: '127.0.0.1', is_online: true }])
    expect(await balanceOf(user)).toBe(9500)
    expect(await notices(user)).toEqual([expect.stringMatching(/vpn\.example\.com готов: 127\.0\.0\.1/)])
    const history = await service.customer(user, 'GET', '/profile/payments-history')
    expect(history.body.data).toEqual([expect.objectContaining({ type: 'cloud_server', amount: '500' })])
  })

  test('the tariff says which configuration', async () => {
    const user = await rich()
    expect(await clouds.order(user, { tariff_config_id: undefined, tariff_id: 42 })).toMatchObject({
      tariff_config_id: 2,
      expires_at: service.clock.now() + 90 * day,
    })
  })

  test('with automatic renewal for as long as the tariff', async () => {
    const user = await rich()
    expect(await clouds.order(user, { tariff_id: 32, enable_auto_renewal: true })).toMatchObject({
      auto_renewal: true,
      auto_renewal_days: 90,
    })
  })

  test('by promocode, of the class or of one configuration', async () => {
    const user = await rich()
    const issue = { product_type: 'cloud_servers', days: 7, count: 1 }
    const { body } = await service.operator('POST', '/promocodes', issue)
    const [promocode] = body.data.codes
    const server = await clouds.order(user, { promocode, payment_method_id: undefined, tariff_id: undefined })
    expect(server).toMatchObject({ status: 'ordered', expires_at: service.clock.now() + 7 * day })
    expect(await balanceOf(user)).toBe(10_000)
    const again = await clouds.call(user, 'POST', '', { location_id: 1, promocode })
    expect(again.body).toMatchObject({ statusCode: 400, errorCode: 21 })
  })

  test('by link: it comes when the money has come', async () => {
    const user = await service.createUser()
    const { status, body } = await clouds.call(user, 'POST', '', { ...clouds.start, payment_method_id: 2 })
    expect(status).toBe(201)
    expect(body.data).toEqual({ link: expect.stringContaining('/pay/'), payment_id: expect.any(Number) })
    expect(await clouds.list(user)).toEqual([])
    await clouds.payLink(body.data.link)
    expect(await clouds.list(user)).toEqual([expect.objectContaining({ status: 'active' })])
  })

  test.each([
    ['no location', { location_id: undefined }, 400],
    ['an unknown location', { location_id: 999 }, 409],
    ['an unknown configuration', { tariff_config_id: 99 }, 404],
    ['a tariff of another configuration', { tariff_config_id: 2 }, 400],
    ['a tariff of another product', { tariff_config_id: undefined, tariff_id: 1 }, 400],
    ['no payment', { payment_method_id: undefined, tariff_id: undefined }, 400],
    ['both payments', { promocode: 'AAAA-AAAA-AAAA-AAAA' }, 400],
    ['no host name', { hostname: 'a b' }, 400],
    ['an empty host name', { hostname: '' }, 400],
    ['a long host name', { hostname: `${'a'.repeat(252)}.com` }, 400],
    ['an address as a host name', { hostname: '203.0.113.7' }, 400],
    ['an unknown field', { size: 1 }, 400],
  ])('%s', async (_, body, status) => {
    const user = await rich()
    const answer = await clouds.call(user, 'POST', '', { ...clouds.start, ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    expect(await balanceOf(user)).toBe(10_000)
    expect(await clouds.list(user)).toEqual([])
  })

  test('not enough money', async () => {
    const answer = await clouds.call(await service.createUser({ balance: 499 }), 'POST', '', clouds.start)
    expect(answer.body).toMatchObject({ statusCode: 402, errorCode: 20 })
  })

  test('repeated with its key it is one order', async () => {
    const user = await rich()
    const headers = { 'idempotency-key': 'one' }
    const [one, two] = [
      await service.customer(user, 'POST', '/cloud-servers', clouds.start, headers),
      await service.customer(user, 'POST', '/cloud-servers', clouds.start, headers),
    ]
    expect(two.body).toEqual(one.body)
    expect(await balanceOf(user)).toBe(9500)
  })
})

describe('POST /cloud-servers/renewal', () => {
  test('by days, as last time, and by promocode', async () => {
    const user = await rich()
    const { id, expires_at: first } = await clouds.active(user)
    const renew = (body: object) => clouds.call(user, 'POST', '/renewal', { server_id: id, ...body })
    const byDays = await renew({ payment_method_id: 1, days: 90 })
    expect(byDays.status).toBe(200)
    expect(byDays.body.data).toEqual({ renewed: true, expires_at: first + 90 * day })
    const asLast = await renew({ payment_method_id: 1 })
    expect(asLast.body.data.expires_at).toBe(first + 180 * day)
    const issue = { product_type: 'cloud_servers', days: 5, count: 1 }
    const [promocode] = (await service.operator('POST', '/promocodes', issue)).body.data.codes
    expect((await renew({ promocode })).body.data.expires_at).toBe(first + 185 * day)
    const [last] = (await service.customer(user, 'GET', '/profile/payments-history')).body.data
    expect(last).toMatchObject({ type: 'renewal' })
  })

  test('by link it is 201', async () => {
    const user = await rich()
    const { id, expires_at } = await clouds.active(user)
    const answer = await clouds.call(user, 'POST', '/renewal', {
      server_id: id,
      payment_method_id: 2,
      days: 30,
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ statusCode: 201, data: { link: expect.stringContaining('/pay/') } })
    await clouds.payLink(answer.body.data.link)
    expect((await clouds.list(user))[0].expires_at).toBe(expires_at + 30 * day)
  })

  test.each([
    ['days that no tariff has', { payment_method_id: 1, days: 31 }, 400, 'days'],
    ['nothing to pay with', {}, 400, 'payment_method_id'],
    ['two ways to pay', { payment_method_id: 1, promocode: 'AAAA-AAAA' }, 400, 'promocode'],
  ])('%s', async (_, body, status, path) => {
    const user = await rich()
    const { id } = await clouds.active(user)
    const answer = await clouds.call(user, 'POST', '/renewal', { server_id: id, ...body })
    expect(answer.status).toBe(status)
    expect(answer.body.details[0].path).toBe(path)
  })

  test('somebody else’s', async () => {
    const { id } = await clouds.active(await rich())
    const body = { server_id: id, payment_method_id: 1, days: 30 }
    expect((await clouds.call(await rich(), 'POST', '/renewal', body)).body).toMatchObject({ errorCode: 1 })
  })

  test('PATCH auto-renewal: on for the length of a tariff, and off', async () => {
    const user = await rich()
    const { id } = await clouds.active(user)
    const change = (body: object) => clouds.call(user, 'PATCH', `/${id}/auto-renewal`, body)
    expect((await change({ enabled: true, days: 31 })).status).toBe(400)
    expect((await change({ enabled: true })).status).toBe(400)
    expect((await change({ enabled: true, days: 30 })).body.data).toEqual({
      auto_renewal: true,
      auto_renewal_days: 30,
    })
    await clouds.pass(29.5 * day)
    expect((await notices(user)).find((notice) => notice.includes('продлён'))).toMatch(
      new RegExp(`^Ваш сервер № ${id} продлён на 30\u00a0дней, с баланса списано 500\u00a0₽\\.$`),
    )
    expect((await clouds.list(user))[0].expires_at).toBeGreaterThan(service.clock.now() + 29 * day)
    expect((await change({ enabled: false })).body.data.auto_renewal).toBe(false)
  })
})

describe('the end', () => {
  test('off at once, back by renewal, destroyed after three days, each told in advance', async () => {
    const user = await rich()
    const server = await clouds.active(user)
    const made = await clouds.call(user, 'POST', `/${server.id}/configs`, { protocol: 'vless' })
    await notices(user)
    await clouds.pass(30 * day)
    const [off] = await clouds.list(user)
    expect(off).toMatchObject({ status: 'active', is_online: false })
    expect(await clouds.placed(made.body.data.id)).toBe(false)
    expect((await notices(user)).at(-1)).toMatch(/выключен.*в течение 3\u00a0дней/)
    const late = await clouds.call(user, 'POST', `/${server.id}/configs`, { protocol: 'vless' })
    expect(late.status).toBe(400)

    await clouds.call(user, 'POST', '/renewal', { server_id: server.id, payment_method_id: 1, days: 30 })
    await clouds.pass()
    expect((await clouds.list(user))[0]).toMatchObject({ is_online: true })
    expect(await clouds.placed(made.body.data.id)).toBe(true)
    const [again] = (await clouds.call(user, 'GET', `/${server.id}/configs`)).body.data
    expect(again).toEqual(made.body.data)

    await clouds.pass(31 * day)
    await notices(user)
    await clouds.pass(1.5 * day)
    expect(await notices(user)).toEqual([expect.stringMatching(/удалён завтра/)])
    await clouds.pass(day)
    expect(await clouds.list(user)).toEqual([])
    expect(await notices(user)).toEqual([expect.stringMatching(/удалён: его не продлили/)])
    await clouds.pass(3600)
    await clouds.pass(3600)
    expect(await clouds.machine(server.id)).toMatchObject({ wanted: 'gone', ref: null })
    const gone = await clouds.call(user, 'GET', `/${server.id}/configs`)
    expect(gone.body).toMatchObject({ statusCode: 404, errorCode: 1 })
  })

  test('goes with everything to another account, and with a deleted one', async () => {
    const user = await rich()
    const { id } = await clouds.active(user)
    await clouds.call(user, 'POST', `/${id}/configs`, { protocol: 'vless' })
    const other = await service.createUser()
    const token = user.session_token
    const { body } = await service.call('POST', '/v1/profile/transfer/createKey', { token, body: {} })
    const moved = await service.call('POST', '/v1/profile/transfer/activateKey', {
      token: other.session_token,
      body: { key: body.data.key ?? body.data },
    })
    expect(moved.status, JSON.stringify(moved.body)).toBeLessThan(300)
    expect(await clouds.list(user)).toEqual([])
    expect((await clouds.call(other, 'GET', `/${id}/configs`)).body.data).toHaveLength(1)
    await service.call('DELETE', '/v1/profile', { token: other.session_token, body: {} })
    await clouds.pass()
    expect(await clouds.machine(id)).toMatchObject({ wanted: 'gone', ref: null })
  })
})

describe('POST /cloud-servers/:id/reboot', () => {
  test('begins in about 3 seconds; meanwhile it is not online', async () => {
    const user = await rich()
    const { id } = await clouds.active(user)
    const made = await clouds.call(user, 'POST', `/${id}/configs`, { protocol: 'vless' })
    const answer = await clouds.call(user, 'POST', `/${id}/reboot`)
    expect(answer.body).toEqual({ status: true, statusCode: 200, data: { success: true } })
    expect((await clouds.list(user))[0]).toMatchObject({ status: 'active', is_online: false })
    expect(await clouds.placed(made.body.data.id)).toBe(true)
    await clouds.pass(3)
    expect(await clouds.placed(made.body.data.id)).toBe(false)
    await clouds.pass(5)
    expect(await clouds.placed(made.body.data.id)).toBe(true)
    expect((await clouds.list(user))[0]).toMatchObject({ status: 'active', is_online: true })
  })

  test('one that is not there, or not ready, or has ended', async () => {
    const user = await rich()
    const missing = await clouds.call(user, 'POST', '/999999/reboot')
    expect(missing.body).toMatchObject({ statusCode: 404, errorCode: 1 })
    const { id } = await clouds.order(user)
    const early = await clouds.call(user, 'POST', `/${id}/reboot`)
    expect(early.body).toMatchObject({ statusCode: 400, errorCode: 3 })
    await clouds.pass()
    await clouds.pass(30 * day)
    const late = await clouds.call(user, 'POST', `/${id}/reboot`)
    expect(late.body).toMatchObject({ statusCode: 400, errorCode: 3 })
  })
})

describe('GET /cloud-servers/:id/serverStats', () => {
  test('before it is anywhere, and after', async () => {
    const user = await rich()
    const { id } = await clouds.order(user)
    const early = await clouds.call(user, 'GET', `/${id}/serverStats`)
    expect(early.body.data).toEqual({ host: '', status: 'down', uptime_days: 0, cpu_model: '', stats: [] })
    await clouds.pass()
    const { body } = await clouds.call(user, 'GET', `/${id}/serverStats`)
    expect(body.data).toMatchObject({ host: '127.0.0.1', status: 'up' })
  })
})
