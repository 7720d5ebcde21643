import { phone } from '../../support/subscription.ts'
import type { Person } from '../people.ts'
import type { World } from '../world.ts'

/** The operator decides what apps are told, what they are made of, and which of them customers find. */

interface Stay {
  readonly world: World
  readonly dina: Person
}

const telling = async ({ world: { life, support }, dina }: Stay): Promise<void> => {
  const change = (body: object, who = life.operator) => life.ask(who, 'changeDeliverySettings', { body })
  await life.ask(support, 'showDeliverySettings')
  await change({ title: 'Life VPN' }, support)
  await change({ support_url: 'http://example.com' })
  await change({ happ_routing: { GlobalProxy: 'true' } })
  await change({
    title: 'Life VPN',
    support_url: 'https://t.me/life_support',
    announce_en: 'New servers',
    update_interval_hours: 6,
    happ_routing: { Name: 'Home', DirectSites: ['geosite:private'] },
    happ_routing_enabled: true,
  })
  await life.subscription(dina, phone)
  await change({ announce_en: null, happ_routing: null, happ_routing_enabled: null, support_url: null })
  await life.subscription(dina, phone)
}

const templates = async ({ world: { life, support } }: Stay): Promise<void> => {
  const params = { kind: 'xray' }
  const template = '{"outbounds":[{"tag":"proxy"}]}'
  await life.ask(support, 'listDeliveryTemplates')
  await life.ask(support, 'showDeliveryTemplate', { params })
  await life.ask(support, 'showDeliveryTemplate', { params: { kind: 'surge' } })
  await life.ask(support, 'changeDeliveryTemplate', { params, body: { template } })
  await life.ask(life.operator, 'changeDeliveryTemplate', { params, body: { template: '{"outbounds":1}' } })
  await life.ask(life.operator, 'changeDeliveryTemplate', { params, body: { template } })
  await life.ask(life.operator, 'listDeliveryTemplates')
  await life.ask(life.operator, 'resetDeliveryTemplate', { params })
}

const apps = async ({ world: { life, support } }: Stay): Promise<void> => {
  const arrange = (body: object, who = life.operator) =>
    life.ask(who, 'arrangeApps', { body: { order: [], hidden: [], added: [], ...body } })
  await life.ask(support, 'showApps')
  await arrange({ hidden: ['happ'] }, support)
  await arrange({ order: ['nothing'] })
  await arrange({ order: ['karing'], hidden: ['happ'] })
  await arrange({})
}

export const delivery = async (world: World): Promise<void> => {
  const dina = await world.life.newcomer('dina', { balance: 1000 })
  const stay = { world, dina }
  await telling(stay)
  await templates(stay)
  await apps(stay)
}
