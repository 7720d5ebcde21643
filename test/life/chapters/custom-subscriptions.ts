import { usualOrder } from '../../support/service.ts'
import { laptop, phone } from '../../support/subscription.ts'
import type { Person } from '../people.ts'
import type { World } from '../world.ts'

/** Vera puts subscriptions together from all that she has, and looks after them. */

interface Stay {
  readonly world: World
  readonly vera: Person
  readonly config: number
  readonly option: number
  readonly onMachine: number
}

const configItem = (id: number) => ({ item_type: 'user_config', item_reference_id: id })
const optionItem = (id: number) => ({ item_type: 'paid_option', item_reference_id: id })

interface Sold {
  readonly id: number
  readonly key?: string
  readonly title_en?: string
  readonly tariffs: readonly { readonly id: number }[]
}

const shopping = async (world: World, vera: Person): Promise<Stay> => {
  const { life } = world
  const { data: config } = await life.ask(vera, 'buyConfig', { body: usualOrder })
  const options: Sold[] = (await life.send(life.operator, 'listOptions')).data
  const road = options.find(({ key }) => key === 'road') as Sold
  const paid = { payment_method_id: 1, tariff_id: road.tariffs[0]?.id }
  await life.ask(vera, 'buyPaidOption', { body: { paid_option_id: road.id, ...paid } })
  const machines: Sold[] = (await life.send(life.operator, 'listCloudConfigurations')).data
  const tiny = machines.find(({ title_en }) => title_en === 'Tiny') as Sold
  const machine = { tariff_config_id: tiny.id, payment_method_id: 1, tariff_id: tiny.tariffs[0]?.id }
  const { data: server } = await life.ask(vera, 'buyCloudServer', { body: { location_id: 1, ...machine } })
  await life.beat()
  await life.jobs()
  const { data: telegram } = await life.ask(vera, 'createCloudConfig', {
    params: { server_id: server.id },
    body: { protocol: 'mtproto', title: 'Telegram' },
  })
  return { world, vera, config: config.id, option: road.id, onMachine: telegram.id }
}

const making = async ({ world: { life }, vera, config, option, onMachine }: Stay): Promise<number> => {
  const create = async (title: string, items: readonly object[]) => {
    await life.wait(2)
    return life.ask(vera, 'createCustomSubscription', { body: { title, items } })
  }
  await life.ask(vera, 'listCustomSubscriptions')
  await life.ask(vera, 'listAvailableItems')
  const index = { item_type: 'paid_option_index', item_reference_id: option, item_index: 1 }
  const telegram = { item_type: 'cloud_server_config', item_reference_id: onMachine }
  const { data } = await create('Family', [telegram, optionItem(option), configItem(config), index])
  await create('', [configItem(config)])
  await create('Nothing', [])
  await create('Twice', [configItem(config), configItem(config)])
  await create('Without', [{ ...index, item_index: undefined }])
  await create('Strange', [configItem(999_999_999)])
  await life.ask(vera, 'listCustomSubscriptions')
  await life.ask(vera, 'showCustomSubscription', { params: { id: data.id } })
  return data.id
}

const changing = async ({ world: { life }, vera, config }: Stay, id: number): Promise<void> => {
  const params = { id }
  const title = { title: 'Friends' }
  await life.ask(vera, 'renameCustomSubscription', { params, body: title })
  await life.ask(vera, 'renameCustomSubscription', { params: { id: 999_999_999 }, body: title })
  const items = [configItem(config)]
  await life.ask(vera, 'replaceSubscriptionItems', { params, body: { items } })
  await life.ask(vera, 'showEncryptedLink', { params })
  await life.ask(vera, 'showTemplateSettings', { params })
  await life.ask(vera, 'changeTemplateSettings', { params, body: { enabled: true } })
  await life.ask(vera, 'showXrayTemplate', { params })
  await life.ask(vera, 'changeXrayTemplate', { params, body: { template: '{"outbounds":[]}' } })
  await life.ask(vera, 'changeXrayTemplate', { params, body: { template: '{"api":{}}' } })
  await life.ask(vera, 'showXrayTemplate', { params })
  await life.ask(vera, 'resetXrayTemplate', { params })
}

const devices = async ({ world: { life }, vera }: Stay, id: number): Promise<void> => {
  const params = { id }
  const { data } = await life.send(vera, 'listCustomSubscriptions')
  const fetchWith = (headers: Record<string, string>) =>
    life.service.call('GET', `/sub/${data[0].subscription_key}`, { headers })
  await fetchWith(phone)
  await life.wait(1)
  await fetchWith(laptop)
  const { data: page } = await life.ask(vera, 'listSubscriptionDevices', { params })
  await life.ask(vera, 'showSubscriptionDeviceSettings', { params })
  await life.ask(vera, 'changeSubscriptionDeviceSettings', { params, body: { device_limit: 2 } })
  const one = { id, deviceId: page.devices[0].id }
  await life.ask(vera, 'blockSubscriptionDevice', { params: one, body: { is_blocked: true } })
  await life.ask(vera, 'deleteSubscriptionDevice', { params: one })
  await life.ask(vera, 'deleteSubscriptionDevice', { params: one })
  await life.ask(vera, 'deleteSubscriptionDevices', { params })
}

const ending = async ({ world: { life }, vera }: Stay, id: number): Promise<void> => {
  const params = { id }
  await life.ask(vera, 'resetSubscriptionKey', { params })
  await life.wait(31 * 86_400)
  await life.ask(vera, 'showCustomSubscription', { params })
  await life.ask(vera, 'deleteCustomSubscription', { params })
  await life.ask(vera, 'deleteCustomSubscription', { params })
  await life.ask(vera, 'listCustomSubscriptions')
}

export const customSubscriptions = async (world: World): Promise<void> => {
  const vera = await world.life.newcomer('vera', { balance: 2000 })
  const stay = await shopping(world, vera)
  const id = await making(stay)
  await changing(stay, id)
  await devices(stay, id)
  await ending(stay, id)
}
