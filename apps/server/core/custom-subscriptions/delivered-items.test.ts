import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import {
  addedItem,
  CustomTests,
  cloudItem,
  configItem,
  indexItem,
  optionItem,
} from '../../../../test/support/custom-subscriptions.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { endpointsOf } from '../vpn/access/endpoints.ts'
import { proxyEndpoint } from '../vpn/access/proxies.ts'
import { type Delivered, listDelivered } from './delivered-items.ts'

let service: TestService
let custom: CustomTests
let clouds: CloudTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
  clouds = new CloudTests(service)
})
afterAll(() => service.stop())

const day = 86_400

const toldAs = (one: Delivered): string => {
  const { vault } = service.running.services
  switch (one.kind) {
    case 'config':
      return endpointsOf(vault, [one.config]).map(connectionUrl).join()
    case 'proxy':
      return connectionUrl(proxyEndpoint(vault, one.proxy))
    case 'paused':
      return one.paused
  }
}

/** As links, without their titles. */
const delivered = async (id: number, inEnglish = false): Promise<string[]> => {
  const all = await listDelivered(service.db, id, service.clock.now(), inEnglish)
  return all.map((one) => toldAs(one).split('#')[0] as string)
}

const linkOf = ({ connection_url: url }: { connection_url: string }) => url.split('#')[0]

const onMachine = async (user: TestUser) => {
  const machine = await clouds.active(user)
  const on = async (protocol: string) =>
    (await clouds.call(user, 'POST', `/${machine.id}/configs`, { protocol })).body.data
  return { machine, wg: await on('wg'), telegram: await on('mtproto') }
}

test('everything comes in the customer’s order, as the account’s link has it', async () => {
  const user = await custom.customer()
  const config = await service.buy(user, { use_extended_settings: true })
  const { wg, telegram } = await onMachine(user)
  const option = await custom.option(user)
  const added = await custom.addTo(user)
  const { id } = await custom.made(
    user,
    cloudItem(telegram.id),
    optionItem(),
    cloudItem(wg.id),
    configItem(config.id),
  )
  expect(await delivered(id)).toEqual([
    linkOf(telegram),
    ...option.configs.map(linkOf),
    linkOf(added),
    linkOf(wg),
    linkOf(config),
  ])
  await custom.call(user, 'PUT', `/${id}/items`, { items: [configItem(config.id), cloudItem(telegram.id)] })
  expect(await delivered(id)).toEqual([linkOf(config), linkOf(telegram)])
})

test('what several items give comes once, at the first of its places', async () => {
  const user = await custom.customer()
  const option = await custom.option(user)
  const added = await custom.addTo(user)
  const { id } = await custom.made(user, addedItem(added.id), indexItem(2), optionItem(), indexItem(0))
  const [first, second, third] = option.configs.map(linkOf)
  expect(await delivered(id)).toEqual([linkOf(added), third, first, second])
})

test('titles are in the language that is asked for', async () => {
  const user = await custom.customer()
  await custom.option(user)
  const { id } = await custom.made(user, indexItem(0))
  const titleIn = async (inEnglish: boolean) => {
    const [one] = await listDelivered(service.db, id, service.clock.now(), inEnglish)
    return one?.kind === 'config' ? one.config.product_title : null
  }
  expect(await titleIn(true)).toMatch(/^[\x20-\x7e]+$/)
  expect(await titleIn(false)).toMatch(/[а-я]/i)
})

test('what has ended is left out until it is renewed', async () => {
  const user = await custom.customer()
  const [short, long] = [await service.buy(user), await service.buy(user)]
  const { id } = await custom.made(user, configItem(short.id), configItem(long.id))
  const renew = (config: number) =>
    service.customer(user, 'POST', `/configs/renewal/${config}`, { payment_method_id: 1, tariff_id: 1 })
  await renew(long.id)
  service.clock.advance(30 * day)
  expect(await delivered(id)).toEqual([linkOf(long)])
  await custom.pass(0)
  expect(await delivered(id)).toEqual([linkOf(long)])
  await renew(short.id)
  expect(await delivered(id)).toEqual([linkOf(short), linkOf(long)])
})

test('an option that is switched off is one entry that says so, in its first place', async () => {
  const user = await custom.customer()
  const config = await service.buy(user)
  await custom.option(user)
  const added = await custom.addTo(user)
  const items = [indexItem(1), configItem(config.id), optionItem(), addedItem(added.id)]
  const { id } = await custom.made(user, ...items)
  const disabled = { is_disabled: true, reason: 'a test' }
  await service.operator('PATCH', `/users/${user.id}/paid-options/1`, disabled)
  expect(await delivered(id)).toEqual(['operator', linkOf(config)])
})

test('nothing of another customer, whatever an item names', async () => {
  const [user, other] = [await custom.customer(), await custom.customer()]
  const mine = await service.buy(user)
  const theirs = await service.buy(other)
  await custom.option(other)
  const added = await custom.addTo(other)
  const { wg, telegram } = await onMachine(other)
  const { id } = await custom.made(user, configItem(mine.id))
  const strange = [
    configItem(theirs.id),
    cloudItem(wg.id),
    cloudItem(telegram.id),
    addedItem(added.id),
    optionItem(),
    { ...indexItem(0) },
  ]
  // As if they had been added while they were the customer's.
  await service.db
    .insertInto('subscription_items')
    .values(
      strange.map((item, at) => ({
        subscription_id: id,
        position: at + 1,
        item_type: item.item_type as 'user_config',
        reference_id: item.item_reference_id,
        item_index: 'item_index' in item ? (item.item_index as number) : null,
      })),
    )
    .execute()
  expect(await delivered(id)).toEqual([linkOf(mine)])
  expect(await custom.validity(user, id)).toEqual([true, ...strange.map(() => false)])
})

test('what was refunded is gone from it', async () => {
  const user = await custom.customer()
  const config = await service.buy(user)
  const { id } = await custom.made(user, configItem(config.id))
  const payments = await service.operator('GET', `/payments?user_id=${user.id}`)
  const refund = await service.operator('POST', `/payments/${payments.body.data[0].id}/refund`, {
    reason: 'a test',
    to: 'balance',
  })
  expect(refund.status, JSON.stringify(refund.body)).toBeLessThan(300)
  await custom.pass(1)
  expect(await delivered(id)).toEqual([])
  expect(await custom.validity(user, id)).toEqual([false])
})

test('the account’s own subscription and a missing one deliver nothing here', async () => {
  const user = await custom.customer()
  await service.buy(user)
  const own = await service.db
    .selectFrom('subscriptions')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect([await delivered(own.id), await delivered(999_999_999)]).toEqual([[], []])
})
