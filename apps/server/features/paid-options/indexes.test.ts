import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addedItem, CustomTests, indexItem } from '../../../../test/support/custom-subscriptions.ts'
import { brokenRules } from '../../../../test/support/databases/invariants.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { linksOf, phone } from '../../../../test/support/subscription.ts'

/** Every index that is listed is known to whatever takes an index. */

let service: TestService
let custom: CustomTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
})
beforeEach(() => service.heartbeat())
afterEach(async () => {
  const query = async (text: string) =>
    (await sql.raw<Record<string, unknown>>(text).execute(service.db)).rows
  expect(await brokenRules(query, { isAtRest: false })).toEqual([])
})
afterAll(() => service.stop())

interface Listed {
  readonly id: number
  readonly index: number
  readonly custom_title: string | null
}

const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  service.customer(user, method, `/paid-options${path}`, body)
const listed = async (user: TestUser): Promise<Listed[]> => (await call(user, 'GET', '')).body.data[0].configs
const indexes = async (user: TestUser) => (await listed(user)).map(({ index }) => index)
const add = async (user: TestUser, optionId: number, body: object = {}) => {
  const wish = { protocol: 'trojan', ...body }
  const answer = await call(user, 'POST', `/${optionId}/configs`, wish)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}

let made = 0
const create = async (serverIds: readonly number[]) => {
  const answer = await service.operator('POST', '/paid-options', {
    key: `indexed_${made++}`,
    title_ru: 'Опция',
    title_en: 'Option',
    caption_ru: 'Слова',
    caption_en: 'Words',
    description_ru: 'Слова',
    description_en: 'Words',
    protocol: 'vless',
    server_ids: serverIds,
    tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data as { id: number; tariffs: [{ id: number }] }
}
const customerOf = async (option: { id: number; tariffs: [{ id: number }] }) => {
  const user = await custom.customer()
  const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0].id }
  expect((await call(user, 'POST', '', order)).status).toBe(201)
  return user
}
const serversOf = async (optionId: number, serverIds: readonly number[]) => {
  const answer = await service.operator('PATCH', `/paid-options/${optionId}`, { server_ids: serverIds })
  expect(answer.status).toBe(200)
  await service.running.runJobs()
}

describe('an index that is listed', () => {
  test('of the option’s own and of what was added works everywhere', async () => {
    const user = await custom.customer()
    await custom.option(user)
    const { index } = await add(user, 1)
    expect(index).toBe(3)
    await add(user, 1)
    expect(await indexes(user)).toEqual([0, 1, 2, 3, 4])
    for (const at of await indexes(user)) {
      const title = `Name ${at}`
      expect((await call(user, 'PATCH', `/1/titles/${at}`, { title })).body.data).toBe(true)
      expect((await call(user, 'GET', `/1/stats/${at}`)).body.data?.status).toBe('up')
    }
    const titles = async () => (await listed(user)).map((config) => config.custom_title)
    expect(await titles()).toEqual([0, 1, 2, 3, 4].map((at) => `Name ${at}`))
    const subscription = await custom.made(user, ...[4, 3, 2, 1, 0].map((at) => indexItem(at)))
    const { body } = await service.call('GET', `/sub/${subscription.subscription_key}`, { headers: phone })
    expect(linksOf(body).map((link) => decodeURIComponent(link.split('#')[1] ?? ''))).toEqual(
      [4, 3, 2, 1, 0].map((at) => `Name ${at}`),
    )
    expect((await call(user, 'DELETE', '/1/titles/3')).body.data).toBe(true)
    expect((await titles())[3]).toBeNull()
  })

  test('and no other', async () => {
    const user = await custom.customer()
    await custom.option(user)
    await add(user, 1)
    expect((await call(user, 'PATCH', '/1/titles/4', { title: 'TV' })).status).toBe(404)
    expect((await call(user, 'DELETE', '/1/titles/4')).status).toBe(404)
    expect((await call(user, 'GET', '/1/stats/4')).status).toBe(404)
    expect((await custom.create(user, [indexItem(4)])).status).toBe(404)
    const stranger = await custom.customer()
    expect((await call(stranger, 'PATCH', '/1/titles/3', { title: 'mine' })).status).toBe(404)
    expect((await custom.create(stranger, [indexItem(3)])).status).toBe(404)
  })

  test('is offered with what a subscription can be put together from, as far as items go', async () => {
    const user = await custom.customer()
    await custom.option(user)
    for (let n = 0; n < 20; n++) await add(user, 1)
    const { body } = await custom.call(user, 'GET', '/available-items')
    const offered: { index?: number; id?: number }[] = body.data.paid_options[0].configs
    expect(offered.map((config) => config.index)).toEqual([
      ...Array.from({ length: 21 }, (_, at) => at),
      undefined,
      undefined,
    ])
    const last = offered.at(-1)?.id as number
    await custom.made(user, indexItem(20), addedItem(last))
    const highest = (await listed(user)).at(-1)
    expect(highest).toMatchObject({ id: last, index: 22 })
    expect((await call(user, 'PATCH', '/1/titles/22', { title: 'TV' })).body.data).toBe(true)
  })
})

describe('servers that come and go', () => {
  test('leave what was added at its index when they go', async () => {
    const option = await create([1, 3, 5])
    const user = await customerOf(option)
    const tv = await add(user, option.id, { server_id: 1, title: 'TV' })
    expect(tv.index).toBe(3)
    await serversOf(option.id, [1, 3])
    expect(await indexes(user)).toEqual([0, 1, 3])
    await call(user, 'PATCH', `/${option.id}/titles/3`, { title: 'TV 2' })
    expect((await listed(user)).at(-1)).toMatchObject({ id: tv.id, custom_title: 'TV 2' })
    expect((await add(user, option.id, { server_id: 1 })).index).toBe(2)
    expect(await indexes(user)).toEqual([0, 1, 2, 3])
  })

  test('that join have their index, and what was there goes on at the next, with the items that named it', async () => {
    const option = await create([1, 3])
    const user = await customerOf(option)
    const [tv, other] = [
      await add(user, option.id, { server_id: 1, title: 'TV' }),
      await add(user, option.id, { server_id: 1, title: 'Phone' }),
    ]
    const subscription = await custom.made(user, indexItem(2, option.id), indexItem(3, option.id))
    const before = await service.call('GET', `/sub/${subscription.subscription_key}`)
    await serversOf(option.id, [1, 3, 5])
    const now = await listed(user)
    expect(now.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
    expect(now.find(({ id }) => id === other.id)?.index).toBe(3)
    expect(now.find(({ id }) => id === tv.id)?.index).toBe(4)
    const { items } = await custom.show(user, subscription.id)
    expect(items).toMatchObject([
      { item_index: 4, resolved_title: 'TV', is_valid: true },
      { item_index: 3, resolved_title: 'Phone', is_valid: true },
    ])
    const after = await service.call('GET', `/sub/${subscription.subscription_key}`)
    expect(after.body).toEqual(before.body)
  })

  test('that push it beyond what an item may name leave the item with its id', async () => {
    const option = await create([1])
    const user = await customerOf(option)
    const ids: number[] = []
    for (let n = 0; n < 20; n++) ids.push((await add(user, option.id, { server_id: 1 })).id)
    const subscription = await custom.made(user, indexItem(1, option.id), indexItem(20, option.id))
    await serversOf(option.id, [1, 3])
    const { items } = await custom.show(user, subscription.id)
    expect(items).toMatchObject([
      { item_type: 'paid_option_config', item_reference_id: ids[0], item_index: null, is_valid: true },
      { item_type: 'paid_option_index', item_reference_id: option.id, item_index: 20, is_valid: true },
    ])
  })
})
