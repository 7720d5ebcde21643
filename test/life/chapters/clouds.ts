import type { Person } from '../people.ts'
import { nodeOf, type World } from '../world.ts'

/** Machines of one's own: on a node that takes them, and found by hand. */

interface Stay {
  readonly world: World
  readonly ivan: Person
  readonly configuration: number
  readonly tariff: number
}

const words = {
  title_ru: 'Малый',
  title_en: 'Small',
  description_ru: '1 ядро',
  description_en: '1 core',
}

const opening = async (world: World): Promise<Omit<Stay, 'ivan'>> => {
  const { life, support } = world
  const { operator } = life
  const create = (body: object, who = operator) => life.ask(who, 'createCloud', { body })
  const { data: own } = await create({ kind: 'local', title: 'North', node_id: nodeOf(world, 'north').id })
  const { data: hands } = await create({ kind: 'manual', title: 'By hand' })
  await create({ kind: 'manual', title: 'By hand' })
  await create({ kind: 'hetzner', title: 'Without a token' })
  await create({ kind: 'manual', title: 'Mine' }, support)
  await life.ask(operator, 'changeCloud', { params: { id: own.id }, body: { title: 'The north' } })
  await life.ask(operator, 'listMachineTypes', { params: { id: own.id } })
  await life.ask(support, 'listClouds')
  const prices = [
    { payment_method_id: 1, price: 300 },
    { payment_method_id: 2, price: 300, old_price: 400 },
  ]
  const offers = [
    { location_id: 1, cloud_id: own.id },
    { location_id: 2, cloud_id: hands.id, reality_server_name: 'www.example.com' },
  ]
  const body = { ...words, tariffs: [{ days: 30, prices }], offers }
  const { data } = await life.ask(operator, 'createCloudConfiguration', { body })
  await life.ask(operator, 'createCloudConfiguration', {
    body: { ...body, offers: [{ location_id: 1, cloud_id: 999 }] },
  })
  await life.ask(operator, 'changeCloudConfiguration', {
    params: { id: data.id },
    body: { title_en: 'Tiny' },
  })
  await life.ask(support, 'listCloudConfigurations')
  return { world, configuration: data.id, tariff: data.tariffs[0].id }
}

const buying = async ({ world: { life }, ivan, configuration, tariff }: Stay): Promise<number> => {
  const buy = async (body: object) => {
    await life.wait(5)
    return life.ask(ivan, 'buyCloudServer', {
      body: { location_id: 1, tariff_config_id: configuration, ...body },
    })
  }
  await life.ask(ivan, 'listCloudTariffs')
  await life.ask(ivan, 'listCloudLocations')
  await life.ask(ivan, 'listCloudServers')
  await buy({})
  await buy({ payment_method_id: 1, tariff_id: tariff, hostname: '-no-' })
  await buy({ payment_method_id: 1, tariff_id: tariff, location_id: 7 })
  await buy({ payment_method_id: 2, tariff_id: tariff })
  const { data } = await buy({ payment_method_id: 1, tariff_id: tariff, hostname: 'ivan.example.com' })
  await life.ask(ivan, 'createCloudConfig', { params: { server_id: data.id }, body: { protocol: 'vless' } })
  await life.beat()
  await life.jobs()
  await life.ask(ivan, 'listCloudServers')
  await life.ask(ivan, 'showCloudServerStats', { params: { id: data.id } })
  const renewal = (body: object) =>
    life.ask(ivan, 'switchCloudAutoRenewal', { params: { id: data.id }, body })
  await renewal({ enabled: true, days: 30 })
  await renewal({ enabled: false })
  return data.id
}

const using = async ({ world, ivan }: Stay, server_id: number): Promise<void> => {
  const { life } = world
  const on = { server_id }
  const { data: config } = await life.ask(ivan, 'createCloudConfig', {
    params: on,
    body: { protocol: 'vless', title: 'TV', use_extended_settings: true },
  })
  const { data: awg } = await life.ask(ivan, 'createCloudConfig', {
    params: on,
    body: { protocol: 'amnezia-wg-2' },
  })
  const { data: telegram } = await life.ask(ivan, 'createCloudConfig', {
    params: on,
    body: { protocol: 'mtproto' },
  })
  const params = { ...on, id: config.id }
  await life.ask(ivan, 'changeCloudXrayConfig', { params, body: { xray_config: '{}' } })
  await life.ask(ivan, 'resetCloudXrayConfig', { params: { ...on, config_id: config.id } })
  await life.ask(ivan, 'resetCloudConfigCredentials', { params: { ...on, config_id: telegram.id } })
  await life.ask(ivan, 'changeCloudAwgConfig', { params: { ...on, config_id: awg.id }, body: { jc: 90 } })
  await life.ask(ivan, 'changeCloudConfigTitle', { params, body: { title: 'Kitchen' } })
  await life.ask(ivan, 'changeCloudConfigProtocol', {
    params: { ...on, id: telegram.id },
    body: { protocol: 'trojan' },
  })
  await life.ask(ivan, 'deleteCloudConfig', { params: { ...on, id: awg.id } })
  const { data: proxy } = await life.ask(ivan, 'createCloudProxy', {
    params: on,
    body: { protocol: 'socks5' },
  })
  const one = { ...on, proxy_id: proxy.id }
  await life.ask(ivan, 'changeCloudProxyProtocol', { params: one, body: { protocol: 'http' } })
  await life.ask(ivan, 'changeCloudProxyTitle', { params: one, body: { title: 'Office' } })
  await life.ask(ivan, 'listCloudProxies', { params: on })
  await life.changes(nodeOf(world, 'north'))
  await life.ask(ivan, 'deleteCloudProxy', { params: one })
  await life.ask(ivan, 'listCloudConfigs', { params: on })
  await life.subscription(ivan)
}

const restarting = async ({ world, ivan }: Stay, id: number): Promise<void> => {
  const { life } = world
  await life.ask(ivan, 'rebootCloudServer', { params: { id } })
  await life.ask(ivan, 'listCloudServers')
  await life.wait(3)
  await life.jobs()
  await life.changes(nodeOf(world, 'north'))
  await life.wait(30)
  await life.beat()
  await life.jobs()
  await life.ask(ivan, 'listCloudServers')
}

const byHand = async ({ world, ivan, configuration, tariff }: Stay): Promise<void> => {
  const { life, support } = world
  const order = { location_id: 2, tariff_config_id: configuration, payment_method_id: 1, tariff_id: tariff }
  await life.wait(5)
  const { data } = await life.ask(ivan, 'buyCloudServer', { body: order })
  await life.jobs()
  const params = { id: data.id }
  await life.ask(support, 'listMachines', { query: { state: 'needs_attention' } })
  await life.ask(support, 'setMachineAddress', { params, body: { address: '203.0.113.99' } })
  await life.ask(support, 'retryMachine', { params })
  await life.jobs()
  await life.ask(ivan, 'listCloudServers')
  await life.ask(ivan, 'takeNotifications', { headers: { 'accept-language': 'en' } })
}

const ending = async ({ world: { life }, ivan }: Stay, server_id: number): Promise<void> => {
  const renew = async (body: object) => {
    await life.wait(5)
    return life.ask(ivan, 'renewCloudServer', { body: { server_id, ...body } })
  }
  await renew({ payment_method_id: 1, days: 31 })
  await renew({ payment_method_id: 2, days: 30 })
  await life.wait(31 * 86_400)
  await life.beat()
  await life.jobs()
  await life.ask(ivan, 'listCloudServers')
  await renew({ payment_method_id: 1 })
  await life.beat()
  await life.jobs()
  await life.ask(ivan, 'listCloudServers')
  await life.wait(34 * 86_400)
  await life.beat()
  await life.jobs()
  await life.jobs()
  await life.ask(ivan, 'listCloudServers')
  await life.ask(ivan, 'takeNotifications')
}

export const clouds = async (world: World): Promise<void> => {
  const made = await opening(world)
  const ivan = await world.life.newcomer('ivan', { balance: 2000 })
  const stay = { ...made, ivan }
  const id = await buying(stay)
  await using(stay, id)
  await restarting(stay, id)
  await byHand(stay)
  await ending(stay, id)
}
