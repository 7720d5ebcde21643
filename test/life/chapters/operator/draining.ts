import { LifeNode } from '../../node.ts'
import { serverOf, type World } from '../../world.ts'

/** A server that is emptied while its customers go on, and one customer who is moved. */
export const draining = async (world: World): Promise<void> => {
  const { life, support, anna } = world
  const { operator } = life
  await life.beat()
  const node = new LifeNode(life.service, 'spare', '203.0.113.61')
  const { data } = await life.ask(operator, 'createNode', {
    body: { name: node.name, address: node.address },
  })
  const sites = { reality_target: 'www.example.com:443', reality_server_name: 'www.example.com' }
  const { data: made } = await life.ask(operator, 'createServer', {
    body: { node_id: data.id, location_id: 1, capacity: 50, protocols: ['vless'], ...sites },
  })
  const params = { id: made.id }
  await life.ask(support, 'showDrain', { params })
  await life.ask(support, 'stopDrain', { params })
  await life.ask(support, 'startDrain', { params, body: { to_server_ids: [made.id] } })
  await life.ask(support, 'startDrain', { params, body: { to_server_ids: [serverOf(world, 'north-nl')] } })
  await life.jobs()
  await life.ask(support, 'showDrain', { params })
  await life.ask(operator, 'changeServer', { params, body: { state: 'selling' } })
  await life.ask(support, 'stopDrain', { params })
  await life.ask(support, 'startDrain', { params, body: {} })
  await life.jobs()
  await life.ask(support, 'showDrain', { params })
  await life.ask(operator, 'showServer', { params })
  const move = { params: { id: 999_999_999 }, body: { server_id: made.id } }
  await life.ask(support, 'moveTerm', move)
  await life.ask(anna, 'listConfigs')
}
