import { protocols } from '@sallyport/contract/shapes'
import { usualOrder } from '../../support/service.ts'
import { configOf, nodeOf, serverOf, type World } from '../world.ts'

/** What can be changed about a configuration: where it is, what carries it, what it is called. */

const nl = { location_id: 1, protocol: 'vless' }

const names = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const config_id = configOf(world, 'vless')
  const call = (title: unknown, who = anna) =>
    life.ask(who, 'changeConfigTitle', { params: { config_id }, body: { title } })
  await call('Дача & дом #1')
  await life.subscription(anna)
  await call('')
  await call('x'.repeat(65))
  await call('mine', boris)
  await life.ask(anna, 'listConfigs', { query: { limit: 1 } })
  await call(null)
}

const renewals = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const config_id = configOf(world, 'vless')
  const change = (body: object, who = anna) =>
    life.ask(who, 'switchAutoRenewal', { params: { config_id }, body })
  await change({ enabled: true, days: 90 })
  await change({ enabled: true, days: 31 })
  await change({ enabled: true })
  await change({ enabled: true, days: 30 }, boris)
  await change({ enabled: false })
}

const moves = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const config_id = configOf(world, 'vless')
  const move = (body: object, who = anna) =>
    life.ask(who, 'changeConfigSettings', { params: { config_id }, body })
  await move({ location_id: 2, protocol: 'vless' })
  await life.changes(nodeOf(world, 'north'))
  await life.subscription(anna)
  await move({ ...nl, server_id: serverOf(world, 'south-nl') })
  for (const node of life.nodes) await life.changes(node)
  await life.changes(nodeOf(world, 'north'))
  await move({ ...nl, disable_sni: true })
  await move({ ...nl, disable_sni: false, disable_flow_reality: true })
  for (const protocol of protocols) await move({ location_id: 1, protocol })
  for (const node of life.nodes) await life.state(node)
  await move(nl)
  await move({ location_id: 7, protocol: 'vless' })
  await move({ location_id: 3, protocol: 'vless' })
  await move({ location_id: 1, protocol: 'wg', use_extended_settings: true })
  await move({ location_id: 1 })
  await move(nl, boris)
  await move({ ...nl, server_id: serverOf(world, 'north-de') })
}

const options = [
  {},
  { use_xhttp: true },
  { use_xhttp: false, use_grpc: true },
  { use_grpc: false, disable_reality: true },
  { disable_reality: false, change_sni: true },
  { change_sni: false, disable_sni: true },
  { disable_sni: false, disable_flow_reality: true },
  { block_bittorrent: true },
  { block_local_network: true, enable_family_filter: true },
  { use_xhttp: true },
] as const

const extended = async (world: World): Promise<void> => {
  const { life, anna, configs } = world
  const body = { ...usualOrder, use_extended_settings: true }
  const { data } = await life.ask(anna, 'buyConfig', { body })
  configs.set('extended', data.id)
  const change = (wanted: object) =>
    life.ask(anna, 'changeConfigSettings', { params: { config_id: data.id }, body: wanted })
  for (const chosen of options) await change({ ...nl, use_extended_settings: true, ...chosen })
  await life.ask(anna, 'listConfigs', { query: { limit: 1, offset: 13 } })
  await change({ location_id: 18, protocol: 'vless', use_warp: true })
  await change({ location_id: 18, protocol: 'vless', pass_all_traffic_through_vpn: true })
  await life.state(nodeOf(world, 'south'))
  await change({ location_id: 1, protocol: 'vless-2410', use_warp: false })
  await change({ ...nl, use_grpc: true })
  await change({ ...nl, use_extended_settings: false })
  await change({ ...nl, use_warp: true })
  await change({ ...nl, use_extended_settings: true })
}

export const settings = async (world: World): Promise<void> => {
  await names(world)
  await renewals(world)
  await moves(world)
  await extended(world)
  await world.life.subscription(world.anna)
}
