import type { ProductClass } from '@sallyport/contract/products'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import {
  addedItem,
  CustomTests,
  cloudItem,
  configItem,
  indexItem,
} from '../../../../test/support/custom-subscriptions.ts'
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

const available = async (user: TestUser) => (await custom.call(user, 'GET', '/available-items')).body.data
const nothing = { configs: [], paid_options: [] }

test('everything that works, with where it comes from', async () => {
  const user = await custom.customer()
  expect(await available(user)).toEqual(nothing)
  const config = await service.buy(user)
  const machine = await clouds.active(user)
  const on = async (body: object) =>
    (await clouds.call(user, 'POST', `/${machine.id}/configs`, body)).body.data
  const [cloud, telegram] = [
    await on({ protocol: 'trojan', title: 'Mine' }),
    await on({ protocol: 'mtproto' }),
  ]
  await clouds.call(user, 'POST', `/${machine.id}/proxies`, { protocol: 'http' })
  await service.customer(user, 'POST', `/configs/${config.id}/subconfig`, { protocol: 'http' })
  const option = await custom.option(user)
  const added = await custom.addTo(user)
  await service.customer(user, 'PATCH', '/paid-options/1/titles/1', { title: 'TV' })
  const emoji = expect.stringMatching(/^\p{RI}\p{RI}$/u)
  const common = { location_emoji: emoji, is_online: true }
  const onCloud = {
    source: 'cloud_server_config',
    cloud_server_id: machine.id,
    expires_at: machine.expires_at,
  }
  const titled = (id: number) => expect.stringMatching(new RegExp(`· ${id}$`))
  const found = await available(user)
  expect(found.configs).toEqual([
    {
      ...common,
      id: config.id,
      title: titled(config.id),
      protocol: 'vless',
      expires_at: config.expires_at,
      source: 'user_config',
    },
    { ...common, ...onCloud, id: cloud.id, title: 'Mine', protocol: 'trojan' },
    { ...common, ...onCloud, id: telegram.id, title: `Telegram · ${telegram.id}`, protocol: 'mtproto' },
  ])
  expect(found.paid_options).toEqual([
    {
      id: 1,
      title: expect.any(String),
      expires_at: option.expires_at,
      configs: [
        ...option.configs.map((own: { index: number; original_title: string }) => ({
          type: 'index',
          index: own.index,
          original_title: own.original_title,
          custom_title: own.index === 1 ? 'TV' : null,
        })),
        {
          type: 'server',
          id: added.id,
          server_id: added.server_id,
          title: titled(added.id),
          is_online: true,
          index: 3,
        },
      ],
    },
  ])
  await custom.made(
    user,
    configItem(config.id),
    cloudItem(cloud.id),
    cloudItem(telegram.id),
    ...option.configs.map((own: { index: number }) => indexItem(own.index)),
    addedItem(added.id),
  )
})

test('nothing that has ended or is switched off, and what is silent is said to be', async () => {
  const user = await custom.customer()
  await service.buy(user)
  await custom.option(user)
  await service.operator('PATCH', `/users/${user.id}/paid-options/1`, { is_disabled: true, reason: 'a test' })
  expect(await available(user)).toMatchObject({ configs: [{ is_online: true }], paid_options: [] })
  service.clock.advance(100)
  expect(await available(user)).toMatchObject({ configs: [{ is_online: false }] })
  service.clock.advance(30 * 86_400)
  expect(await available(user)).toEqual(nothing)
})

test('an index that no item may name is offered by its id', async () => {
  const user = await custom.customer()
  const option = await custom.option(user)
  const { id } = option.configs[2]
  await service.db.updateTable('accesses').set({ position: 21 }).where('id', '=', id).execute()
  const { paid_options } = await available(user)
  expect(paid_options[0].configs.at(-1)).toMatchObject({ type: 'server', id })
  await custom.made(user, addedItem(id))
})

test('what another release sells is not offered, and the rest is', async () => {
  const user = await custom.customer()
  const [own, foreign] = [await service.buy(user), await service.buy(user)]
  const product = 'airships' as string as ProductClass
  await service.db.updateTable('terms').set({ product }).where('item_id', '=', foreign.id).execute()
  expect((await available(user)).configs).toMatchObject([{ id: own.id }])
})
