import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import {
  addedItem,
  CustomTests,
  cloudItem,
  configItem,
  indexItem,
  notFound,
  optionItem,
} from '../../../../test/support/custom-subscriptions.ts'
import { brokenRules, type Query } from '../../../../test/support/databases/invariants.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let custom: CustomTests
let clouds: CloudTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
  clouds = new CloudTests(service)
})
afterAll(() => service.stop())

const query: Query = async (text) => (await sql.raw<Record<string, unknown>>(text).execute(service.db)).rows
afterEach(async () => expect(await brokenRules(query, { isAtRest: false })).toEqual([]))

const day = 86_400
const renew = { payment_method_id: 1, tariff_id: 1 }

const replace = (user: TestUser, id: number, items: readonly object[]) =>
  custom.call(user, 'PUT', `/${id}/items`, { items })

const namesOf = (
  items: readonly { item_type: string; item_reference_id: number; item_index: number | null }[],
) => items.map((item) => `${item.item_type} ${item.item_reference_id} ${item.item_index}`)

describe('replacing', () => {
  test('gives the new ones in their order, and nothing of the old', async () => {
    const user = await custom.customer()
    const [a, b, c] = [await service.buy(user), await service.buy(user), await service.buy(user)]
    const made = await custom.made(user, configItem(a.id), configItem(b.id))
    const { status, body } = await replace(user, made.id, [configItem(c.id), configItem(a.id)])
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...made,
      items: [c, a].map(({ id }) => ({
        id: expect.any(Number),
        ...configItem(id),
        item_index: null,
        resolved_title: expect.stringMatching(new RegExp(`· ${id}$`)),
        is_valid: true,
      })),
    })
    expect(body.data.items[0]).not.toHaveProperty('server_config')
    expect(namesOf((await custom.show(user, made.id)).items)).toEqual(namesOf(body.data.items))
  })

  test('happens wholly or not at all', async () => {
    const user = await custom.customer()
    const [a, b] = [await service.buy(user), await service.buy(user)]
    const made = await custom.made(user, configItem(a.id))
    const before = await custom.show(user, made.id)
    const wrong: [object[], number, object][] = [
      [[configItem(b.id), configItem(999_999_999)], 404, { path: 'items.1', problem: 'is not one of yours' }],
      [[configItem(b.id), configItem(b.id)], 400, { path: 'items.1', problem: 'is the same as items.0' }],
      [
        [{ ...configItem(b.id), item_index: 1 }],
        400,
        { path: 'items.0.item_index', problem: expect.anything() },
      ],
      [[], 400, { path: 'items', problem: expect.anything() }],
      [Array(51).fill(configItem(b.id)), 400, { path: 'items', problem: expect.anything() }],
    ]
    for (const [items, status, detail] of wrong) {
      const answer = await replace(user, made.id, items)
      expect([answer.status, answer.body.details[0]]).toEqual([status, detail])
    }
    expect(await custom.show(user, made.id)).toEqual(before)
    expect((await replace(await custom.customer(), made.id, [configItem(b.id)])).body).toEqual(notFound)
  })

  test('many at once: one of them stays, whole', async () => {
    const user = await custom.customer()
    const ids: number[] = []
    for (let n = 0; n < 6; n++) ids.push((await service.buy(user)).id)
    const made = await custom.made(user, configItem(ids[0] as number))
    for (let round = 0; round < 5; round++) {
      const wishes = ids.map((_, from) =>
        ids.map((__, at) => configItem(ids[(from + at) % 6] as number)).slice(from % 3),
      )
      const answers = await Promise.all(wishes.map((items) => replace(user, made.id, items)))
      for (const [at, { status, body }] of answers.entries()) {
        expect([status, body.data.items_count]).toEqual([200, wishes[at]?.length])
        expect(namesOf(body.data.items)).toEqual(
          wishes[at]?.map((item) => `user_config ${item.item_reference_id} null`),
        )
      }
      const left = await custom.show(user, made.id)
      expect(answers.map(({ body }) => namesOf(body.data.items))).toContainEqual(namesOf(left.items))
      expect(left.items_count).toBe(left.items.length)
    }
  })

  test('what is in it already may stay, whatever became of it', async () => {
    const user = await custom.customer()
    const [ended, live, other] = [await service.buy(user), await service.buy(user), await service.buy(user)]
    const made = await custom.made(user, configItem(ended.id), configItem(live.id))
    for (const { id } of [live, other]) await service.customer(user, 'POST', `/configs/renewal/${id}`, renew)
    await custom.pass(30 * day)
    const { body } = await replace(
      user,
      made.id,
      [other, ended, live].map(({ id }) => configItem(id)),
    )
    expect(body.data.items.map((item: { is_valid: boolean }) => item.is_valid)).toEqual([true, false, true])
    await replace(user, made.id, [configItem(live.id)])
    expect((await replace(user, made.id, [configItem(ended.id)])).body.details).toEqual([
      { path: 'items.0', problem: 'has ended; renew it first' },
    ])
  })
})

describe('an item', () => {
  test('is valid again after a renewal, and has no title once it is gone', async () => {
    const user = await custom.customer()
    const { id } = await service.buy(user)
    const made = await custom.made(user, configItem(id))
    await custom.pass(30 * day - 3)
    expect(await custom.validity(user, made.id)).toEqual([true])
    // Ended by the clock alone, before anybody has looked.
    service.clock.advance(5)
    expect((await custom.show(user, made.id)).items[0]).toMatchObject({
      is_valid: false,
      resolved_title: expect.any(String),
      server_config: null,
    })
    await custom.pass(day)
    expect(await custom.validity(user, made.id)).toEqual([false])
    await service.customer(user, 'POST', `/configs/renewal/${id}`, renew)
    expect(await custom.validity(user, made.id)).toEqual([true])
    await custom.pass(30 * day)
    await custom.pass(15 * day)
    const { items, items_count } = await custom.show(user, made.id)
    expect(items_count).toBe(1)
    expect(items[0]).toMatchObject({
      ...configItem(id),
      is_valid: false,
      resolved_title: null,
      server_config: null,
    })
  })

  test('follows its configuration to another server, protocol and title', async () => {
    const user = await custom.customer()
    const { id } = await service.buy(user)
    const made = await custom.made(user, configItem(id))
    const before = (await custom.show(user, made.id)).items[0]
    const settings = { location_id: 2, protocol: 'hysteria2' }
    expect((await service.customer(user, 'PATCH', `/configs/${id}/settings`, settings)).status).toBe(200)
    await service.customer(user, 'PATCH', `/configs/title/${id}`, { title: 'Дача' })
    const after = (await custom.show(user, made.id)).items[0]
    expect(after).toMatchObject({
      id: before.id,
      is_valid: true,
      resolved_title: 'Дача',
      server_config: { protocol: 'hysteria2', transport: 'udp', security: 'tls' },
    })
  })

  test('of an option is as good as the option, and goes off with it', async () => {
    const user = await custom.customer()
    await custom.option(user)
    const added = await custom.addTo(user)
    const made = await custom.made(user, optionItem(), indexItem(1), addedItem(added.id))
    const disable = (is_disabled: boolean) =>
      service.operator('PATCH', `/users/${user.id}/paid-options/1`, { is_disabled, reason: 'a test' })
    expect((await disable(true)).status).toBe(200)
    expect(await custom.validity(user, made.id)).toEqual([false, false, false])
    const refused = await custom.create(user, [optionItem()])
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'items.0'])
    await disable(false)
    expect(await custom.validity(user, made.id)).toEqual([true, true, true])
    await custom.pass(31 * day)
    expect(await custom.validity(user, made.id)).toEqual([false, false, false])
    await custom.option(user)
    expect(await custom.validity(user, made.id)).toEqual([true, true, true])
    await service.db.updateTable('accesses').set({ title: 'Second' }).where('position', '=', 1).execute()
    const { items } = await custom.show(user, made.id)
    expect(items[1].resolved_title).toBe('Second')
    const english = await service.customer(
      user,
      'GET',
      `/profile/custom-subscriptions/${made.id}`,
      undefined,
      {
        'accept-language': 'en',
      },
    )
    const names = await sql<{ title_ru: string; title_en: string }>`
      select title_ru, title_en from paid_options where id = 1`.execute(service.db)
    expect([items[0].resolved_title, english.body.data.items[0].resolved_title]).toEqual(
      Object.values(names.rows[0] ?? {}),
    )
  })

  test('on a machine goes with it', async () => {
    const user = await custom.customer()
    const machine = await clouds.active(user)
    const on = async (protocol: string) =>
      (await clouds.call(user, 'POST', `/${machine.id}/configs`, { protocol })).body.data.id
    const [config, telegram] = [await on('trojan'), await on('mtproto')]
    const made = await custom.made(user, cloudItem(config), cloudItem(telegram))
    expect(await custom.validity(user, made.id)).toEqual([true, true])
    await clouds.call(user, 'DELETE', `/${machine.id}/configs/${config}`)
    expect(await custom.validity(user, made.id)).toEqual([false, true])
    await custom.pass(31 * day)
    expect(await custom.validity(user, made.id)).toEqual([false, false])
  })

  test('stays with its customer when what it names goes to another account, and comes back with it', async () => {
    const [from, to] = [await custom.customer(), await custom.customer()]
    const config = await service.buy(from)
    await custom.option(from)
    const made = await custom.made(from, configItem(config.id), optionItem(), indexItem(0))
    const move = async (source: TestUser, target: TestUser) => {
      const fresh = async ({ id }: TestUser) =>
        (await service.operator('POST', `/users/${id}/sessions`)).body.data.session_token
      const created = await service.call('POST', '/v1/profile/transfer/createKey', {
        token: await fresh(source),
      })
      const body = { key: created.body.data.key }
      const moved = await service.call('POST', '/v1/profile/transfer/activateKey', {
        token: await fresh(target),
        body,
      })
      expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    }
    await move(from, to)
    const { items } = await custom.show(from, made.id)
    for (const item of items)
      expect(item).toMatchObject({ is_valid: false, resolved_title: null, server_config: null })
    expect((await custom.call(to, 'GET')).body.data).toEqual([])
    expect((await custom.call(to, 'GET', `/${made.id}`)).body).toEqual(notFound)
    await custom.made(to, configItem(config.id), optionItem())
    await move(to, from)
    expect(await custom.validity(from, made.id)).toEqual([true, true, true])
  })
})

test('a deleted account leaves no subscription behind, and no key', async () => {
  const user = await custom.customer()
  const made = await custom.made(user, configItem((await service.buy(user)).id))
  await custom.call(user, 'PATCH', `/${made.id}/xray-template/settings`, { enabled: true })
  const deleted = await service.call('DELETE', '/v1/profile', { token: user.session_token })
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(200)
  expect((await service.call('GET', `/sub/${made.subscription_key}`)).status).toBe(404)
  const left = await sql<{ count: number }>`
    select (select count(*) from subscriptions where id = ${made.id})
      + (select count(*) from subscription_items where subscription_id = ${made.id})
      + (select count(*) from subscription_templates where subscription_id = ${made.id}) as count`.execute(
    service.db,
  )
  expect(left.rows).toEqual([{ count: 0 }])
})
