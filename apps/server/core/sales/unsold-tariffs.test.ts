import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { renewAutomatically } from '../terms/auto-renewal-job.ts'

/** A length that left the shop is there for what was bought with it, and for nothing else. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const day = 86_400
const balanceOnly = (...lengths: (readonly [days: number, price: number])[]) =>
  lengths.map(([days, price]) => ({ days, prices: [{ payment_method_id: 1, price }] }))
const sell = (tariffs: object[]) => service.operator('PUT', '/config-tariffs', { tariffs })
const balanceOf = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/profile')).body.data.balance
const endOf = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/configs')).body.data[0].expires_at

describe('a configuration', () => {
  beforeEach(() => sell(balanceOnly([30, 200], [90, 540], [365, 1800])))

  test('is renewed with the tariff it was bought with, at the price it had', async () => {
    const [user, other] = [
      await service.createUser({ balance: 5000 }),
      await service.createUser({ balance: 5000 }),
    ]
    const { id, expires_at: end } = await service.buy(user, { tariff_id: 2 })
    const { id: otherId } = await service.buy(other)
    await sell(balanceOnly([30, 200], [365, 1800]))

    const renew = (who: TestUser, config: number, body: object) =>
      service.customer(who, 'POST', `/configs/renewal/${config}`, { payment_method_id: 1, ...body })
    expect((await renew(user, id, {})).body.data).toEqual({ id, expires_at: end + 90 * day })
    expect((await renew(user, id, { tariff_id: 2 })).status).toBe(201)
    expect(await balanceOf(user)).toBe(5000 - 3 * 540)
    expect((await renew(user, id, { tariff_id: 1 })).status).toBe(201)

    const refused = await renew(other, otherId, { tariff_id: 2 })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'tariff_id'])
    const order = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 2 }
    expect((await service.customer(user, 'POST', '/configs', order)).status).toBe(400)
    expect((await service.customer(user, 'POST', '/configs', { ...order, as_key: true })).status).toBe(400)
  })

  test('renews itself for the length it was bought with, and can be told to', async () => {
    const user = await service.createUser({ balance: 5000 })
    const { id, expires_at: end } = await service.buy(user, { tariff_id: 2, enable_auto_renewal: true })
    const other = await service.createUser({ balance: 5000 })
    const { id: otherId } = await service.buy(other)
    await sell(balanceOnly([30, 200]))

    const change = (who: TestUser, config: number, days: number) =>
      service.customer(who, 'PATCH', `/configs/${config}/auto-renewal`, { enabled: true, days })
    expect((await change(other, otherId, 90)).body.details[0].problem).toContain('choose one of 30')
    expect((await change(user, id, 90)).body.data).toEqual({ auto_renewal: true, auto_renewal_days: 90 })

    service.clock.advance(end - service.clock.now() - 3600)
    await service.heartbeat()
    await renewAutomatically(service.running.services, service.clock.now())
    expect(await endOf(user)).toBe(end + 90 * day)
    expect(await balanceOf(user)).toBe(5000 - 2 * 540)
  })

  test('of which nothing is sold any more can still be renewed', async () => {
    const user = await service.createUser({ balance: 5000 })
    const { id, expires_at: end } = await service.buy(user)
    await sell([])
    const renewed = await service.customer(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })
    expect(renewed.body.data).toEqual({ id, expires_at: end + 30 * day })
    expect((await service.customer(user, 'GET', '/configs/tariffs')).body.data).toEqual([])
  })

  test('that is paid for after its length has left renews itself for that length', async () => {
    const prices = [1, 2].map((payment_method_id) => ({ payment_method_id, price: 540 }))
    await sell([...balanceOnly([30, 200]), { days: 90, prices }])
    const user = await service.createUser({ balance: 5000 })
    const order = { location_id: 1, protocol: 'vless', payment_method_id: 2, tariff_id: 2 }
    const { body } = await service.customer(user, 'POST', '/configs', { ...order, enable_auto_renewal: true })
    await sell(balanceOnly([30, 200]))
    const paid = await fetch(body.data.link, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) })
    expect(paid.status).toBeLessThan(400)
    await expect
      .poll(async () => {
        await service.running.runJobs()
        const [config] = (await service.customer(user, 'GET', '/configs')).body.data
        return config?.auto_renewal_days
      })
      .toBe(90)
  })
})

test('a paid option is bought again with the length it was bought with', async () => {
  const [user, other] = [
    await service.createUser({ balance: 5000 }),
    await service.createUser({ balance: 5000 }),
  ]
  const buy = (who: TestUser) =>
    service.customer(who, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 12,
    })
  const first = await buy(user)
  expect(first.status).toBe(201)
  const changed = await service.operator('PATCH', '/paid-options/1', { tariffs: balanceOnly([30, 300]) })
  expect(changed.body.data.tariffs.map(({ days }: { days: number }) => days)).toEqual([30])
  const again = await buy(user)
  expect([again.status, again.body.data.expires_at]).toEqual([201, first.body.data.expires_at + 90 * day])
  expect((await buy(other)).body.details[0].path).toBe('tariff_id')
  const renewal = await service.customer(user, 'PATCH', '/paid-options/1/auto-renewal', {
    enabled: true,
    days: 90,
  })
  expect(renewal.status).toBe(200)
})

test('a cloud server is renewed for the days it was bought for', async () => {
  const user = await service.createUser({ balance: 9000 })
  const order = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 32 }
  const { body } = await service.customer(user, 'POST', '/cloud-servers', order)
  const { id, expires_at: end } = body.data
  await service.operator('PATCH', '/cloud-configurations/1', { tariffs: balanceOnly([30, 500]) })
  const renew = (fields: object) =>
    service.customer(user, 'POST', '/cloud-servers/renewal', {
      server_id: id,
      payment_method_id: 1,
      ...fields,
    })
  expect((await renew({ days: 90 })).body.data).toMatchObject({ expires_at: end + 90 * day })
  expect((await renew({})).body.data).toMatchObject({ expires_at: end + 180 * day })
  expect((await renew({ days: 180 })).body.details[0].problem).toBe('must be the length of a tariff: 30, 90')
})
