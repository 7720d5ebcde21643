import { laptop, phone } from '../../support/subscription.ts'
import type { Person } from '../people.ts'
import { nodeOf, serverOf, type World } from '../world.ts'

/** An option over two machines: bought, used, limited, changed by its operator, and ended. */

interface Stay {
  readonly world: World
  readonly olga: Person
  readonly id: number
  readonly tariff: number
}

const words = {
  title_ru: 'Дорога',
  title_en: 'On the road',
  caption_ru: 'Две машины',
  caption_en: 'Two machines',
  description_ru: 'Для поездок',
  description_en: 'For travels',
}

const making = async (world: World): Promise<Omit<Stay, 'olga'>> => {
  const { life, support } = world
  const prices = [
    { payment_method_id: 1, price: 150 },
    { payment_method_id: 2, price: 150, old_price: 200 },
  ]
  const body = {
    key: 'road',
    ...words,
    protocol: 'vless',
    device_limit: 2,
    most_devices: 3,
    traffic_limit: 1000,
    most_traffic: 0,
    server_ids: [serverOf(world, 'north-nl'), serverOf(world, 'south-nl')],
    tariffs: [{ days: 30, prices }],
  }
  await life.ask(support, 'createOption', { body })
  const { data } = await life.ask(life.operator, 'createOption', { body })
  await life.ask(life.operator, 'createOption', { body })
  await life.ask(life.operator, 'createOption', { body: { ...body, key: 'other', server_ids: [999_999] } })
  await life.ask(life.operator, 'listOptions')
  return { world, id: data.id, tariff: data.tariffs[0].id }
}

const buying = async ({ world: { life }, olga, id, tariff }: Stay): Promise<void> => {
  const buy = (body: object) => life.ask(olga, 'buyPaidOption', { body: { paid_option_id: id, ...body } })
  await life.ask(olga, 'listPaidOptionTariffs')
  await life.ask(olga, 'listPaidOptions')
  await buy({})
  await buy({ payment_method_id: 1, tariff_id: 1 })
  await buy({ payment_method_id: 2, tariff_id: tariff })
  const { data } = await buy({ payment_method_id: 1, tariff_id: tariff, as_key: true })
  await buy({ promocode: data.promocode })
  await buy({ payment_method_id: 1, tariff_id: tariff })
  await life.ask(olga, 'listPaidOptions')
  await life.ask(olga, 'listPayments', { query: { limit: 4 } })
  const renewal = (body: object) => life.ask(olga, 'switchOptionAutoRenewal', { params: { id }, body })
  await renewal({ enabled: true, days: 30 })
  await renewal({ enabled: true, days: 31 })
  await renewal({ enabled: false })
}

const using = async ({ world, olga, id }: Stay): Promise<void> => {
  const { life } = world
  await life.ask(olga, 'changeIndexTitle', { params: { id, index: 1 }, body: { title: 'Second' } })
  await life.ask(olga, 'changeIndexTitle', { params: { id, index: 2 }, body: { title: 'Third' } })
  await life.subscription(olga, phone)
  await life.ask(olga, 'deleteIndexTitle', { params: { id, index: 1 } })
  await life.ask(olga, 'showIndexStats', { params: { id, index: 0 } })
  await life.ask(olga, 'listOptionServers', { params: { id }, query: { protocol: 'trojan' } })
  const { data } = await life.ask(olga, 'addOptionConfig', { params: { id }, body: { protocol: 'vless' } })
  const params = { id, configId: data.id }
  const settings = { protocol: 'vless', use_extended_settings: true }
  await life.ask(olga, 'changeOptionConfigSettings', { params, body: settings })
  await life.ask(olga, 'changeOptionXrayConfig', { params, body: { xray_config: '{}' } })
  await life.ask(olga, 'resetOptionXrayConfig', { params })
  await life.ask(olga, 'resetOptionConfigCredentials', { params })
  await life.ask(olga, 'changeOptionConfigTitle', { params, body: { title: 'TV' } })
  await life.ask(olga, 'showOptionConfigStats', { params })
  await life.ask(olga, 'createOptionSubconfig', { params, body: { protocol: 'socks5' } })
  await life.ask(olga, 'showOptionSubconfig', { params })
  await life.changes(nodeOf(world, 'north'))
  await life.changes(nodeOf(world, 'south'))
  await life.ask(olga, 'changeOptionSubconfig', { params, body: { protocol: 'http' } })
  await life.ask(olga, 'deleteOptionSubconfig', { params })
  await life.ask(olga, 'listPaidOptions')
}

const limits = async ({ world: { life }, olga, id }: Stay): Promise<void> => {
  const change = (body: object) => life.ask(olga, 'changeOptionLimits', { params: { id }, body })
  await life.subscription(olga, laptop)
  await life.subscription(olga, { 'x-hwid': 'tablet-0123456789' })
  await life.ask(olga, 'listPanelDevices', { params: { id } })
  await life.ask(olga, 'deletePanelDevice', { params: { id, device_id: 'laptop-0123456789' } })
  await life.ask(olga, 'deletePanelDevice', { params: { id, device_id: 'laptop-0123456789' } })
  await change({ device_limit: 4 })
  await life.wait(5)
  await change({ device_limit: 3, traffic_limit: 0 })
  await life.ask(olga, 'deletePanelDevices', { params: { id } })
  await life.ask(olga, 'showOptionSubscription', { params: { id } })
  await life.ask(olga, 'takeNotifications')
}

const office = async ({ world, olga, id }: Stay): Promise<void> => {
  const { life, support, finance } = world
  const params = { id: olga.id, option_id: id }
  const change = (body: object, who = support) => life.ask(who, 'changeUserOption', { params, body })
  await change({ is_disabled: true, reason: 'looks like abuse' }, finance)
  await change({ is_disabled: true, reason: 'looks like abuse' })
  await life.subscription(olga, phone)
  await life.ask(olga, 'showOptionSubscription', { params: { id } })
  await change({ is_disabled: false, reset_traffic: true, reason: 'it was not' })
  await life.ask(support, 'listUserOptions', { params: { id: olga.id } })
  const servers = { server_ids: [serverOf(world, 'south-nl')], device_limit: 1 }
  await life.ask(life.operator, 'changeOption', { params: { id }, body: servers })
  await life.jobs()
  await life.ask(olga, 'listPaidOptions')
  await life.changes(nodeOf(world, 'north'))
  await life.changes(nodeOf(world, 'south'))
}

const ending = async ({ world: { life }, olga, id }: Stay): Promise<void> => {
  await life.wait(61 * 86_400)
  await life.jobs()
  await life.ask(olga, 'listPaidOptions')
  await life.ask(olga, 'showOptionSubscription', { params: { id } })
  await life.subscription(olga, phone)
  await life.wait(15 * 86_400)
  await life.jobs()
  await life.ask(olga, 'showOptionSubscription', { params: { id } })
  await life.ask(olga, 'takeNotifications', { headers: { 'accept-language': 'en' } })
}

export const options = async (world: World): Promise<void> => {
  const made = await making(world)
  const olga = await world.life.newcomer('olga', { balance: 1000 })
  const stay = { ...made, olga }
  await buying(stay)
  await using(stay)
  await limits(stay)
  await office(stay)
  await ending(stay)
}
