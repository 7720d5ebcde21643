import type { World } from '../../world.ts'

/** A program of the operator's is told what happens, at an address where nobody listens. */

const nowhere = 'http://127.0.0.1:9/events'

export const webhooks = async ({ life, support, finance }: World): Promise<void> => {
  const { operator } = life
  const make = (body: object) => life.ask(operator, 'createWebhook', { body })
  await make({ url: 'https://10.0.0.1/', events: ['order.paid'] })
  await make({ url: 'http://crm.example.com/', events: ['order.paid'] })
  await make({ url: nowhere, events: ['order.lost'] })
  await life.ask(support, 'createWebhook', { body: { url: nowhere, events: ['user.created'] } })
  const { data } = await make({ url: nowhere, events: ['user.created', 'alert.opened'] })
  const params = { id: data.id }
  await life.ask(operator, 'createUser', { body: {} })
  await life.jobs()
  await life.ask(operator, 'testWebhook', { params })
  await life.ask(operator, 'listWebhookDeliveries', { params, query: { limit: 2 } })
  await life.ask(finance, 'listWebhookDeliveries', { params })
  await life.ask(operator, 'changeWebhook', { params, body: { is_active: false, version: 1 } })
  await life.ask(operator, 'changeWebhook', { params, body: { is_active: true, version: 1 } })
  await life.ask(operator, 'listWebhooks')
  await life.ask(operator, 'deleteWebhook', { params })
  await life.ask(operator, 'deleteWebhook', { params })
}
