import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { startTestService, type TestService } from '../../../../test/support/service.ts'

let service: TestService
let custom: CustomTests
let clouds: CloudTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
  clouds = new CloudTests(service)
})
afterAll(() => service.stop())

const key = expect.stringMatching(/^[0-9A-Za-z]{32}$/)

/** A customer with one of everything that can be an item. */
const withEverything = async () => {
  const user = await custom.customer()
  const config = await service.buy(user)
  const machine = await clouds.active(user)
  const on = async (protocol: string) =>
    (await clouds.call(user, 'POST', `/${machine.id}/configs`, { protocol })).body.data
  const [cloud, telegram] = [await on('vless'), await on('mtproto')]
  const option = await custom.option(user)
  const added = await custom.addTo(user)
  return { user, config, machine, cloud, telegram, option, added }
}

describe('putting one together', () => {
  test('of everything that a customer can have', async () => {
    const { user, config, cloud, telegram, added } = await withEverything()
    const items = [
      indexItem(2),
      configItem(config.id),
      cloudItem(telegram.id),
      optionItem(),
      cloudItem(cloud.id),
      addedItem(added.id),
    ]
    const { status, body } = await custom.create(user, items, 'Семья 👪')
    expect([status, body.statusCode]).toEqual([201, 201])
    expect(body.data).toEqual({
      id: expect.any(Number),
      title: 'Семья 👪',
      subscription_key: key,
      items_count: 6,
      items: items.map((item) => ({
        id: expect.any(Number),
        item_index: null,
        ...item,
        resolved_title: expect.any(String),
        is_valid: true,
      })),
    })
    const { items: _items, ...listed } = body.data
    expect((await custom.call(user, 'GET')).body.data).toEqual([listed])
  })

  test('the detail says where each leads, and nothing that opens it', async () => {
    const { user, config, cloud, telegram, added, option } = await withEverything()
    const items = [
      configItem(config.id),
      cloudItem(cloud.id),
      cloudItem(telegram.id),
      addedItem(added.id),
      indexItem(0),
    ]
    const made = await custom.made(user, ...items, optionItem())
    const shown = await custom.show(user, made.id)
    expect(shown).toMatchObject({
      id: made.id,
      title: 'Family',
      subscription_key: made.subscription_key,
      items_count: 6,
    })
    const place = { host: expect.any(String), port: expect.any(Number) }
    expect(shown.items.map((item: { server_config: object }) => item.server_config)).toEqual([
      { protocol: 'vless', ...place, transport: 'tcp', security: 'reality' },
      { protocol: 'vless', ...place, transport: 'tcp', security: 'reality' },
      { protocol: 'mtproto', ...place, transport: 'tcp', security: 'none' },
      { protocol: 'trojan', ...place, transport: 'tcp', security: 'tls' },
      { protocol: option.configs[0].protocol, ...place, transport: 'tcp', security: 'reality' },
      null,
    ])
    expect(shown.items[2].resolved_title).toBe(`Telegram · ${telegram.id}`)
    const said = JSON.stringify(shown)
    const url = new URL(config.connection_url)
    const telegramSecret = new URL(telegram.connection_url).searchParams.get('secret') as string
    for (const secret of [url.username, new URL(added.connection_url).username, telegramSecret]) {
      expect(secret.length).toBeGreaterThan(20)
      expect(said).not.toContain(secret)
    }
    expect(shown.items[0].server_config).toMatchObject({ host: url.hostname, port: Number(url.port) })
  })

  test('is answered once for an Idempotency-Key', async () => {
    const user = await custom.customer()
    const { id } = await service.buy(user)
    const send = () =>
      service.customer(
        user,
        'POST',
        '/profile/custom-subscriptions',
        { title: 'T', items: [configItem(id)] },
        {
          'idempotency-key': 'k',
        },
      )
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
    expect((await custom.call(user, 'GET')).body.data).toHaveLength(1)
  })

  test('fifty at most, also when they are asked for at once', async () => {
    const user = await custom.customer()
    const items = [configItem((await service.buy(user)).id)]
    for (let n = 0; n < 46; n++) await custom.made(user, ...items)
    const answers = await Promise.all(Array.from({ length: 8 }, () => custom.create(user, items)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([
      ...Array(4).fill(201),
      ...Array(4).fill(409),
    ])
    const refused = answers.find((answer) => answer.status === 409)
    expect(refused?.body).toMatchObject({ errorCode: 6, details: [{ path: '' }] })
    const list = (await custom.call(user, 'GET')).body.data
    expect(list).toHaveLength(50)
    await custom.call(user, 'DELETE', `/${list[0].id}`)
    await custom.made(user, ...items)
  })
})

describe('what is refused', () => {
  test.each<[string, unknown, string]>([
    ['no items', [], 'items'],
    ['fifty-one', Array.from({ length: 51 }, (_, n) => configItem(n + 1)), 'items'],
    ['no type', [{ item_reference_id: 1 }], 'items.0.item_type'],
    ['an unknown type', [{ item_type: 'proxy', item_reference_id: 1 }], 'items.0.item_type'],
    ['no number', [{ item_type: 'paid_option' }], 'items.0.item_reference_id'],
    ['a number that is none', [configItem(1.5)], 'items.0.item_reference_id'],
    ['an index beyond 20', [indexItem(21)], 'items.0.item_index'],
    ['an index below 0', [indexItem(-1)], 'items.0.item_index'],
    ['an index that is null', [{ ...indexItem(0), item_index: null }], 'items.0.item_index'],
    ['no index', [configItem(1), { ...optionItem(), item_type: 'paid_option_index' }], 'items.1.item_index'],
    ['an index elsewhere', [{ ...optionItem(), item_index: 0 }], 'items.0.item_index'],
    ['the same twice', [indexItem(0), indexItem(1), indexItem(0)], 'items.2'],
    ['a field that is none', [{ ...configItem(1), title: 'x' }], 'items.0.title'],
  ])('%s', async (_what, items, at) => {
    const user = await service.createUser()
    const answer = await custom.create(user, items as object[])
    expect(answer).toMatchObject({ status: 400, body: { errorCode: 3 } })
    expect(answer.body.details).toContainEqual({ path: at, problem: expect.any(String) })
    expect((await custom.call(user, 'GET')).body.data).toEqual([])
  })

  test('what is not the customer’s, whether it is there or not', async () => {
    const [mine, theirs] = [await withEverything(), await withEverything()]
    const beside = await service.customer(mine.user, 'POST', `/configs/${mine.config.id}/subconfig`, {
      protocol: 'http',
    })
    const proxy = await clouds.call(mine.user, 'POST', `/${mine.machine.id}/proxies`, { protocol: 'http' })
    const strange = [
      configItem(theirs.config.id),
      cloudItem(theirs.cloud.id),
      addedItem(theirs.added.id),
      configItem(999_999_999),
      optionItem(2),
      indexItem(0, 2),
      indexItem(20),
      // The customer's, and of another kind.
      configItem(mine.cloud.id),
      cloudItem(mine.config.id),
      addedItem(mine.config.id),
      configItem(beside.body.data.id),
      cloudItem(proxy.body.data.id),
    ]
    for (const item of strange) {
      const { body } = await custom.create(mine.user, [configItem(mine.config.id), item])
      expect(body, JSON.stringify(item)).toEqual({
        ...notFound,
        details: [{ path: 'items.1', problem: 'is not one of yours' }],
      })
    }
    expect((await custom.call(mine.user, 'GET')).body.data).toEqual([])
  })

  test('what has ended, until it is renewed', async () => {
    const user = await custom.customer()
    const { id } = await service.buy(user)
    await custom.pass(30 * 86_400)
    const { status, body } = await custom.create(user, [configItem(id)])
    expect([status, body.details]).toEqual([400, [{ path: 'items.0', problem: 'has ended; renew it first' }]])
    await service.customer(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1, tariff_id: 1 })
    await custom.made(user, configItem(id))
  })

  test.each([
    [''],
    ['x'.repeat(65)],
    [' \u00a0 '],
    ['a\u202eb'],
    ['a\u200bb'],
    ['two\nlines'],
    ['\u0000'],
    [null],
    [7],
  ])('the title %j', async (title) => {
    const user = await custom.customer()
    const made = await custom.made(user, configItem((await service.buy(user)).id))
    for (const answer of [
      await custom.call(user, 'POST', '', { title, items: [optionItem()] }),
      await custom.call(user, 'PATCH', `/${made.id}/title`, { title }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { errorCode: 3 } })
    }
    expect((await custom.show(user, made.id)).title).toBe('Family')
  })
})
