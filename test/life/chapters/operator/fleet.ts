import { emptyReport } from '../../../support/node.ts'
import { LifeNode } from '../../node.ts'
import { nobody } from '../../people.ts'
import { nodeOf, serverOf, type World } from '../../world.ts'

/** Machines and servers that are looked after while customers are on them. */

const nodes = async (world: World): Promise<void> => {
  const { life, support } = world
  const { operator } = life
  const south = nodeOf(world, 'south')
  const show = (id: number) => life.ask(support, 'showNode', { params: { id } })
  const change = (body: object, who = operator) =>
    life.ask(who, 'changeNode', { params: { id: south.id }, body })
  const { data } = await show(south.id)
  await show(999_999_999)
  await change({ name: 'south-2', version: data.version })
  await change({ name: 'late', version: data.version })
  await change({ name: 'north' })
  await change({ address: '198.51.100.8', listen_address: '198.51.100.8' })
  await change({ address: '198.51.100.7', listen_address: '0.0.0.0', name: 'south' })
  await change({ name: 'mine' }, support)
  await life.ask(operator, 'changeNode', { params: { id: 999_999_999 }, body: { name: 'nobody' } })
}

const load = async (world: World): Promise<void> => {
  const { life, support } = world
  const { id } = nodeOf(world, 'north')
  const { body } = await nodeOf(world, 'north').report({
    host: { ...emptyReport.host, cpu_percent: 70, up_mbps: 300 },
  })
  life.write({ report: 'north', answer: { status: body.status } })
  const show = (query: object) => life.ask(support, 'showNodeLoad', { params: { id }, query: { ...query } })
  const { data } = await show({ step: 'day' })
  const { at } = data.at(-1)
  await show({ from: at, to: at + 86_400 })
  await show({ from: at, to: at })
  await show({ from: 0, to: at, step: 'day' })
  await show({ step: 'month' })
  await life.ask(support, 'showNodeLoad', { params: { id: 999_999_999 } })
}

const servers = async (world: World): Promise<void> => {
  const { life, anna, support } = world
  const { operator } = life
  const list = (query: object) => life.ask(support, 'listServers', { query: { ...query } })
  await list({ limit: 2 })
  await list({ location_id: 1, state: 'selling', limit: 1 })
  await list({ state: 'sold' })
  const id = serverOf(world, 'south-us')
  const change = (body: object) => life.ask(operator, 'changeServer', { params: { id }, body })
  const { data } = await life.ask(support, 'showServer', { params: { id } })
  await life.ask(support, 'showServer', { params: { id: 999_999_999 } })
  await change({ capacity: 0, state: 'closed', version: data.version })
  await change({ capacity: 2, version: data.version })
  await change({ protocols: ['trojan', 'wg'] })
  await change({ protocols: ['vless', 'trojan', 'wg'], reality_server_name: 'www.example.org' })
  await change({ domain: 'us.life.example', other_reality_server_name: 'www.example.net' })
  await change({ certificate: 'x' })
  await change({ state: 'draining' })
  await life.ask(support, 'changeServer', { params: { id }, body: { capacity: 1 } })
  await list({ state: 'closed' })
  await life.ask(anna, 'listConfigs')
  await life.ask(operator, 'deleteServer', { params: { id: serverOf(world, 'north-nl') } })
}

const retiring = async ({ life, support }: World): Promise<void> => {
  const { operator } = life
  const node = new LifeNode(life.service, 'short', '203.0.113.60')
  const { data } = await life.ask(operator, 'createNode', {
    body: { name: node.name, address: node.address },
  })
  const body = { node_id: data.id, location_id: 1, capacity: 5, protocols: ['vless'] }
  const sites = { reality_target: 'www.example.com:443', reality_server_name: 'www.example.com' }
  const { data: made } = await life.ask(operator, 'createServer', { body: { ...body, ...sites } })
  const params = { id: made.id }
  await life.ask(nobody, 'deleteServer', { params })
  await life.ask(support, 'deleteServer', { params })
  await life.ask(operator, 'deleteServer', { params })
  await life.ask(operator, 'deleteServer', { params })
  await life.ask(operator, 'changeServer', { params, body: { state: 'selling' } })
  await life.ask(operator, 'listServers', { query: { node_id: data.id } })
  await life.ask(operator, 'listServers', { query: { state: 'retired' } })
  await life.ask(operator, 'deleteNode', { params: { id: data.id } })
}

export const fleet = async (world: World): Promise<void> => {
  await world.life.beat()
  await nodes(world)
  await load(world)
  await servers(world)
  await retiring(world)
}
