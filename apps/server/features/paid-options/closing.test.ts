import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let account: ReturnType<typeof accountOf>
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 5000 })
})
afterEach(() => expect.poll(() => account.broken(), { timeout: 10_000 }).toEqual([]))
afterAll(() => service.stop())

const day = 86_400
const buy = async (of: TestUser, body: object = {}) => {
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11, ...body }
  const answer = await service.customer(of, 'POST', '/paid-options', order)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const options = (of: TestUser) => account.get(of, '/paid-options')
const lastPayment = async (of: TestUser): Promise<number> =>
  (await service.operator('GET', `/payments?user_id=${of.id}`)).body.data[0].id
const refund = async (of: TestUser) =>
  service.operator('POST', `/payments/${await lastPayment(of)}/refund`, { to: 'balance', reason: 'asked' })

describe('a refund', () => {
  test('takes the days of its order and leaves the rest', async () => {
    const first = await buy(user)
    await buy(user, { tariff_id: 12 })
    expect((await refund(user)).status).toBe(201)
    expect((await options(user))[0].expires_at).toBe(first.expires_at)
    expect((await account.money(user))[0]).toBe(5000 - 300)
  })

  test('of all of it switches the option off', async () => {
    await buy(user)
    await refund(user)
    await service.running.runJobs()
    expect(await options(user)).toEqual([])
    const info = await account.get(user, '/paid-options/1/subscription')
    expect(info.status).toBe('expired')
  })

  test('of a payment by link, too', async () => {
    const link = await account.order(user, '/paid-options', { paid_option_id: 1, tariff_id: 11 })
    expect((await account.pay(link)).status).toBeLessThan(400)
    await expect.poll(async () => (await options(user)).length, { timeout: 10_000 }).toBe(1)
  })
})

test('who pays for one that has lost its servers meanwhile has the money on the balance', async () => {
  const made = await service.operator('POST', '/paid-options', {
    key: 'short_lived',
    ...{ title_ru: 'Опция', title_en: 'Option', caption_ru: 'Слова', caption_en: 'Words' },
    ...{ description_ru: 'Слова', description_en: 'Words', protocol: 'vless', server_ids: [1] },
    tariffs: [{ days: 30, prices: [{ payment_method_id: 2, price: 100 }] }],
  })
  const { id, tariffs } = made.body.data
  const order = { paid_option_id: id, tariff_id: tariffs[0].id }
  const link = await account.order(user, '/paid-options', order)
  const emptied = await service.operator('PATCH', `/paid-options/${id}`, { is_active: false, server_ids: [] })
  expect(emptied.status).toBe(200)
  await account.pay(link)
  await service.running.runJobs()
  expect((await account.money(user))[0]).toBe(5000)
  service.clock.advance(700)
  await service.running.runJobs()
  expect([await options(user), (await account.money(user))[0]]).toEqual([[], 5100])
})

describe('a transfer', () => {
  test('brings the option as it is, without its devices', async () => {
    const option = await buy(user)
    await service.call('GET', `/sub/${user.subscription_key}`, { headers: { 'x-hwid': 'phone-0123456789' } })
    const target = await service.createUser()
    const { body } = await account.move(user, target)
    expect(body.data).toMatchObject({ configs: 0, paid_options: 1 })
    expect(await options(target)).toEqual([option])
    expect(await options(user)).toEqual([])
    expect(await account.get(target, '/paid-options/1/devices')).toEqual({ total: 0, devices: [] })
  })

  test('to somebody who has the option adds the days that were left, and refunds take them back', async () => {
    const target = await service.createUser({ balance: 5000 })
    await buy(user, { tariff_id: 12 })
    const own = await buy(target)
    user = await account.signInAgain(user)
    await account.move(user, await account.signInAgain(target))
    const [merged, ...others] = await options(target)
    expect(others).toEqual([])
    expect(merged.configs).toEqual(own.configs)
    expect(Math.abs(merged.expires_at - (own.expires_at + 90 * day))).toBeLessThan(300)
    const order = await service.operator('GET', `/payments?user_id=${user.id}`)
    await service.operator('POST', `/payments/${order.body.data[0].id}/refund`, {
      to: 'balance',
      reason: 'asked',
    })
    const [after] = await options(target)
    expect(Math.abs(after.expires_at - own.expires_at)).toBeLessThan(300)
  })

  test('days that ran beside each other before it are nobody’s afterwards', async () => {
    const target = await service.createUser({ balance: 5000 })
    await buy(user)
    const own = await buy(target)
    service.clock.advance(29 * day)
    await service.heartbeat()
    user = await account.signInAgain(user)
    await account.move(user, await account.signInAgain(target))
    const [merged] = await options(target)
    expect(Math.abs(merged.expires_at - (own.expires_at + day))).toBeLessThan(300)
    await buy(target, { tariff_id: 12 })
    await refund(target)
    expect((await options(target))[0].expires_at).toBe(merged.expires_at)
    await refund(user)
    expect((await options(target))[0].expires_at).toBe(own.expires_at)
  })

  test('of one that the operator has switched off is refused when it would become another', async () => {
    const target = await service.createUser({ balance: 5000 })
    await buy(user)
    await buy(target)
    const off = { is_disabled: true, reason: 'abuse' }
    await service.operator('PATCH', `/users/${user.id}/paid-options/1`, off)
    const refused = await account.move(user, target)
    expect([refused.status, refused.body.details[0].problem]).toEqual([
      409,
      expect.stringContaining('switched off by the operator'),
    ])
    expect(await options(user)).toHaveLength(1)
  })

  test('to somebody whose own had ended brings that back', async () => {
    const target = await service.createUser({ balance: 5000 })
    const own = await buy(target)
    service.clock.advance(31 * day)
    await service.heartbeat()
    await service.running.runJobs()
    await buy(user)
    user = await account.signInAgain(user)
    const hook = { url: 'https://crm.example.com/', events: ['term.started', 'term.ended'] }
    const { id: hookId } = (await service.operator('POST', '/webhooks', hook)).body.data
    await account.move(user, await account.signInAgain(target))
    const [back] = await options(target)
    expect(back.configs).toEqual(own.configs)
    const told = await service.db.selectFrom('outbox').select(['type', 'data']).orderBy('id').execute()
    const started = told.filter(({ type }) => type === 'term.started')
    expect(started.map(({ data }) => data.user_id)).toEqual([target.id])
    await service.operator('DELETE', `/webhooks/${hookId}`)
  })
})

test('a deleted account leaves nothing of its options on servers', async () => {
  await buy(user)
  await service.customer(user, 'POST', '/paid-options/1/configs', { protocol: 'vless' })
  const used = async () =>
    (await service.db.selectFrom('servers').select('used_slots').orderBy('id').execute()).reduce(
      (sum, server) => sum + server.used_slots,
      0,
    )
  const before = await used()
  expect((await account.erase(user)).status).toBe(200)
  expect(await used()).toBe(before - 4)
  const placed = await service.db
    .selectFrom('placements as p')
    .innerJoin('terms as t', (join) => join.on('t.user_id', '=', user.id))
    .innerJoin('accesses as a', 'a.term_id', 't.id')
    .select('p.access_id')
    .execute()
  expect(placed).toEqual([])
})

test('a transfer between two whose options were renewed at the same second', async () => {
  const target = await service.createUser({ balance: 5000 })
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11, enable_auto_renewal: true }
  for (const { api_key: token } of [user, target]) {
    expect((await service.call('POST', '/v1/paid-options', { token, body: order })).status).toBe(201)
  }
  service.clock.advance(29.5 * day)
  await service.heartbeat()
  await service.running.runJobs()
  user = await account.signInAgain(user)
  const { status, body } = await account.move(user, await account.signInAgain(target))
  expect([status, body.data?.paid_options]).toEqual([200, 1])
  const [merged] = await options(target)
  expect(Math.abs(merged.expires_at - (service.clock.now() + 61 * day))).toBeLessThan(300)
})
