import { usualOrder } from '../../support/service.ts'
import { configOf, nodeOf, type World } from '../world.ts'

/** Proxies beside configurations, and bridges between them. */

const proxies = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const config_id = configOf(world, 'vless')
  const params = { config_id }
  const create = (body: object, id = config_id, headers?: Record<string, string>) =>
    life.ask(anna, 'createSubconfig', { params: { config_id: id }, body, ...(headers && { headers }) })
  const change = (protocol: string, id = config_id) =>
    life.ask(anna, 'changeSubconfig', { params: { config_id: id }, body: { protocol } })
  await life.ask(anna, 'showSubconfig', { params })
  await change('http')
  const once = { 'idempotency-key': 'a proxy' }
  await create({ protocol: 'http' }, config_id, once)
  await create({ protocol: 'http' }, config_id, once)
  await create({ protocol: 'socks5' })
  await life.ask(anna, 'showSubconfig', { params })
  await change('socks5')
  await change('mtproto')
  await life.ask(anna, 'showSubconfig', { params })
  for (const node of life.nodes) await life.state(node)
  await life.ask(boris, 'showSubconfig', { params })
  await life.ask(boris, 'deleteSubconfig', { params })
  await life.ask(anna, 'deleteSubconfig', { params })
  await life.ask(anna, 'deleteSubconfig', { params })
  await life.changes(nodeOf(world, 'south'))
  for (const tls_domain of ['localhost', '127.0.0.1', 'a b.com', '', 'metadata.google.internal'])
    await create({ protocol: 'mtproto', tls_domain })
  await create({ protocol: 'http', tls_domain: 'www.example.com' })
  await create({ protocol: 'vless' })
  await create({ protocol: 'mtproto', tls_domain: 'Cdn.Example.com' })
  await life.ask(anna, 'showSubconfig', { params })
}

const turkey = async (world: World): Promise<void> => {
  const { life, anna } = world
  const config_id = configOf(world, 'vless')
  const there = { location_id: 12, protocol: 'vless' }
  const move = (body: object) => life.ask(anna, 'changeConfigSettings', { params: { config_id }, body })
  await move(there)
  await life.ask(anna, 'changeSubconfig', { params: { config_id }, body: { protocol: 'http' } })
  await move(there)
  await life.ask(anna, 'changeSubconfig', { params: { config_id }, body: { protocol: 'mtproto' } })
  await life.ask(anna, 'showSubconfig', { params: { config_id } })
  await life.state(nodeOf(world, 'south'))
  await move({ location_id: 1, protocol: 'vless' })
  await life.ask(anna, 'showSubconfig', { params: { config_id } })
}

const bridges = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const [first, second, third] = ['vless', 'german', 'trojan'].map((name) => configOf(world, name))
  const make = (body: object, who = anna) => life.ask(who, 'makeBridge', { body })
  const between = (from: unknown, to: unknown) => ({ first_config_id: from, second_config_id: to })
  await life.ask(anna, 'listBridges')
  await make(between(first, second))
  await make(between(third, first))
  const { data } = await life.ask(anna, 'listBridges')
  for (const node of life.nodes) await life.state(node)
  await life.subscription(anna)
  await make(between(second, third))
  await make(between(first, first))
  await make({ ...between(first, second), first_type: 'cloud' })
  await make(between(first, configOf(world, 'amnezia-wg-2')))
  await make(between(configOf(world, 'wg'), second))
  await make(between(configOf(world, 'extended'), second))
  await make(between(first, 999_999_999))
  await make(between(first, second), boris)
  const remove = (bridge_id: unknown, who = anna) => life.ask(who, 'removeBridge', { params: { bridge_id } })
  await life.ask(boris, 'listBridges')
  await remove(data[1].id, boris)
  await remove(data[1].id)
  await life.changes(nodeOf(world, 'north'))
  await remove(data[1].id)
  await remove('x')
  await life.ask(anna, 'changeConfigSettings', {
    params: { config_id: first },
    body: { location_id: 1, protocol: 'wg' },
  })
  await life.ask(anna, 'listBridges')
}

/** A bridge whose exit becomes what cannot end one is taken away, and its owner is told. */
const brokenBridge = async (world: World): Promise<void> => {
  const { life, anna } = world
  const { data } = await life.ask(anna, 'buyConfig', { body: usualOrder })
  const config_id = data.id
  await life.ask(anna, 'makeBridge', {
    body: { first_config_id: configOf(world, 'extended'), second_config_id: config_id },
  })
  const change = (body: object) => life.ask(anna, 'changeConfigSettings', { params: { config_id }, body })
  await life.state(nodeOf(world, 'north'))
  await change({ location_id: 2, protocol: 'amnezia-wg-2' })
  await life.ask(anna, 'listBridges')
  await life.ask(anna, 'takeNotifications')
}

export const sideDoors = async (world: World): Promise<void> => {
  await proxies(world)
  await turkey(world)
  await bridges(world)
  await brokenBridge(world)
}
