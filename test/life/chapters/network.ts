import { emptyReport } from '../../support/node.ts'
import { LifeNode } from '../node.ts'
import { nobody } from '../people.ts'
import type { World } from '../world.ts'

/** The operator opens the shop: settings, methods of payment, rates, machines and servers. */

const settings = async ({ life, finance, support }: World): Promise<void> => {
  const { operator } = life
  await life.ask(nobody, 'showSettings')
  await life.ask(operator, 'showSettings')
  await life.ask(finance, 'changeSettings', { body: { referral_percent: 30, referral_hold_days: 5 } })
  await life.ask(operator, 'changeSettings', { body: { referral_percent: 101 } })
  await life.ask(support, 'changeSettings', { body: { referral_percent: 0 } })
  await life.ask(operator, 'showSettings')
}

const methods = async ({ life, support }: World): Promise<void> => {
  const { operator } = life
  const change = (id: number, body: object) =>
    life.ask(operator, 'changePaymentMethod', { params: { id }, body })
  await life.ask(support, 'listPaymentMethods')
  await change(3, { provider: 'yookassa' })
  await change(1, { provider: 'sandbox' })
  await change(4, { provider: 'yookassa' })
  await change(6, { min_amount: 1.5 })
  await change(5, { is_active: false, min_amount: 2.5 })
  await change(999_999_999, { is_active: false })
  await life.ask(operator, 'listPaymentMethods')
}

const rates = async ({ life, support }: World): Promise<void> => {
  const { operator } = life
  const set = (currency: string, body: object, who = operator) =>
    life.ask(who, 'setRate', { params: { currency }, body })
  await life.ask(operator, 'listRates')
  await set('TON', { rub: 300, valid_hours: 24 })
  await set('XTR', { rub: 1.5 })
  await set('USDT', { rub: 90, valid_hours: null })
  await set('EUR', { rub: 100 })
  await set('TON', { rub: 0 })
  await set('TON', { rub: 1 }, support)
  await life.ask(operator, 'listRates')
}

const machine = async ({ life, support }: World, node: LifeNode): Promise<void> => {
  const { operator } = life
  const body = { name: node.name, address: node.address, listen_address: '0.0.0.0' }
  await life.ask(support, 'createNode', { body })
  const { data } = await life.ask(operator, 'createNode', { body })
  node.id = data.id
  const enrol = (token: string, public_key: string) =>
    life.ask(nobody, 'enrolNode', { body: { token, public_key } })
  await enrol('nonsense', node.publicKey)
  await enrol(data.enrolment_token, node.publicKey)
  await enrol(data.enrolment_token, new LifeNode(life.service, 'thief', '192.0.2.1').publicKey)
  life.nodes.push(node)
}

const sites = { reality_target: 'www.example.com:443', reality_server_name: 'www.example.com' }

const servers = async ({ life, servers: known }: World, north: number, south: number): Promise<void> => {
  const create = (body: object) => life.ask(life.operator, 'createServer', { body: { ...sites, ...body } })
  const at = async (name: string, body: object) => known.set(name, (await create(body)).data.id)
  await at('north-nl', { node_id: north, location_id: 1, capacity: 50, domain: 'nl.life.example' })
  await at('north-de', { node_id: north, location_id: 2, capacity: 50 })
  await at('south-nl', { node_id: south, location_id: 1, capacity: 40, domain: 'nl-2.life.example' })
  await at('south-ru', { node_id: south, location_id: 18, capacity: 30, domain: 'ru.life.example' })
  await at('south-tr', { node_id: south, location_id: 12, capacity: 30, ports: { vless: 8443 } })
  const small = { protocols: ['vless', 'trojan'], other_reality_server_name: 'other.example.com' }
  await at('south-us', { node_id: south, location_id: 7, capacity: 1, ...small })
  await create({ node_id: 999_999_999, location_id: 1, capacity: 1 })
  await create({ node_id: south, location_id: 999_999_999, capacity: 1 })
  await create({ node_id: south, location_id: 1, capacity: 1, certificate: 'x', certificate_key: 'y' })
  await create({ node_id: south, location_id: 1, capacity: 1, ports: { vless: 8443 } })
  await create({ node_id: south, location_id: 1, capacity: 1, reality_target: 'no port' })
  await create({ node_id: south, location_id: 1, capacity: 1, protocols: [] })
}

export const network = async (world: World): Promise<void> => {
  const { life } = world
  // The servers that came with the start have no agent, and are offline by then.
  await life.wait(600)
  await settings(world)
  await methods(world)
  await rates(world)
  const [north, south] = [
    new LifeNode(life.service, 'north', '203.0.113.5'),
    new LifeNode(life.service, 'south', '198.51.100.7'),
  ]
  await machine(world, north)
  await machine(world, south)
  await servers(world, north.id, south.id)
  await life.beat()
  await life.raw('GET', '/agent/v1/state?since=0')
  const { body } = await north.report({ applied_revision: 0 })
  life.write({ report: north.name, answer: { status: body.status, statusCode: body.statusCode } })
  await south.report({ apply_error: 'no room', engines: emptyReport.engines })
  await life.ask(life.operator, 'listNodes')
  await south.report()
  await life.state(north, { withInbounds: true })
  await life.state(south, { withInbounds: true })
  await life.raw('GET', '/healthz')
  await life.raw('GET', '/v1/nowhere')
  await life.raw('PUT', '/v1/profile')
  await life.raw('POST', '/webhooks/nobody', { body: {} })
  await life.raw('POST', '/webhooks/sandbox', { body: {} })
}
