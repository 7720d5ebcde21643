import { protocols } from '@sallyport/contract/shapes'
import { usualOrder } from '../../support/service.ts'
import { configOf, nodeOf, serverOf, type World } from '../world.ts'

/** Anna buys one of everything from her balance. */

const looking = async ({ life, anna, boris }: World): Promise<void> => {
  await life.ask(anna, 'listConfigTariffs')
  await life.ask(boris, 'listConfigTariffs', { headers: { 'accept-language': 'en' } })
  const available = (query: object) => life.ask(anna, 'listAvailableServers', { query: { ...query } })
  await available({ location_id: 1, protocol: 'vless' })
  await available({ location_id: 7, protocol: 'trojan' })
  await available({ location_id: 7, protocol: 'wg' })
  await available({ location_id: 3, protocol: 'vless' })
  await life.wait(5)
  await available({ location_id: 1, protocol: 'mtproto' })
  await available({ location_id: 'x' })
  await life.ask(anna, 'listConfigs')
}

const wrongOrders: readonly object[] = [
  { location_id: 999 },
  { payment_method_id: 7 },
  { payment_method_id: 77 },
  { payment_method_id: 5 },
  { tariff_id: 77 },
  { tariff_id: undefined },
  { payment_method_id: undefined },
  { promocode: 'ABCD' },
  { location_id: undefined },
  { protocol: 'mtproto' },
  { price: 1 },
  { tariff_id: 1.5 },
  { tariff_id: '1' },
  { use_grpc: true },
  { use_xhttp: true, disable_flow_reality: true },
  { protocol: 'trojan', use_extended_settings: true },
  { protocol: 'vless-2410', change_sni: true, use_extended_settings: true },
  { use_extended_settings: true, pass_all_traffic_through_vpn: true },
]

const refusals = async ({ life, anna, servers }: World): Promise<void> => {
  const buy = (body: object) => life.ask(anna, 'buyConfig', { body: { ...usualOrder, ...body } })
  for (const change of wrongOrders) await buy(change)
  await buy({ server_id: servers.get('north-de') })
  await buy({ server_id: 999_999_999 })
  await life.ask(anna, 'buyConfig', { body: [] })
  const poor = await life.newcomer('poor', { balance: 199 })
  await life.ask(poor, 'buyConfig', { body: usualOrder })
  await life.ask(poor, 'buyConfig', { body: { ...usualOrder, payment_method_id: 7 } })
}

const purchases = async (world: World): Promise<void> => {
  const { life, anna, configs } = world
  const buy = async (name: string, change: object, headers?: Record<string, string>) => {
    const body = { ...usualOrder, ...change }
    const { data } = await life.ask(anna, 'buyConfig', { body, ...(headers && { headers }) })
    configs.set(name, data.id)
  }
  for (const protocol of protocols) await buy(protocol, { protocol })
  const once = { 'idempotency-key': 'three months' }
  const chosen = { location_id: 2, tariff_id: 2, enable_auto_renewal: true, protocol: 'trojan' }
  await buy('german', chosen, once)
  await buy('german', chosen, once)
  await buy('chosen', { server_id: serverOf(world, 'south-nl'), disable_sni: true })
  await buy('without flow', { disable_flow_reality: true })
  await buy('american', { location_id: 7 })
  await life.ask(anna, 'buyConfig', { body: { ...usualOrder, location_id: 7 } })
  await life.ask(anna, 'getProfile')
}

const seeing = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  await life.ask(anna, 'listConfigs')
  await life.ask(anna, 'listConfigs', {
    query: { limit: 2, offset: 1 },
    headers: { 'accept-language': 'en' },
  })
  await life.ask(anna, 'listConfigs', { query: { limit: 0 } })
  await life.ask(boris, 'listConfigs')
  await life.subscription(anna)
  await life.subscription(anna, { 'accept-language': 'en' })
  for (const node of life.nodes) await life.state(node)
  const stats = (config_id: unknown, who = anna) =>
    life.ask(who, 'showServerStats', { params: { config_id } })
  await stats(configOf(world, 'vless'))
  await stats(configOf(world, 'vless'), boris)
  await stats(999_999_999)
  await stats('abc')
}

/** The south is away, and comes back with news of traffic. */
const outage = async (world: World): Promise<void> => {
  const { life, anna } = world
  const south = nodeOf(world, 'south')
  south.isAlive = false
  await life.wait(120)
  await life.ask(anna, 'buyConfig', { body: { ...usualOrder, location_id: 18 } })
  const page = { query: { limit: 1, offset: 10 } }
  const { data } = await life.ask(anna, 'listConfigs', page)
  await life.ask(anna, 'showServerStats', { params: { config_id: data[0].id } })
  south.isAlive = true
  await life.wait(86_400)
  const { id } = await south.accessWith(new URL(data[0].connection_url).username)
  await south.report({ traffic: [{ boot_id: 'first', id, up: 500, down: 7000 }] })
  await south.report({ traffic: [{ boot_id: 'first', id, up: 600, down: 7000 }] })
  await south.report({ traffic: [{ boot_id: 'second', id, up: 1, down: 2 }] })
  await life.ask(anna, 'listConfigs', page)
  await life.ask(anna, 'showServerStats', { params: { config_id: data[0].id } })
  await life.subscription(anna)
}

export const shopping = async (world: World): Promise<void> => {
  await looking(world)
  await refusals(world)
  await purchases(world)
  await seeing(world)
  await outage(world)
}
