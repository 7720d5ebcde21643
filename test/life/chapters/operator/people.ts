import { usualOrder } from '../../../support/service.ts'
import { phone } from '../../../support/subscription.ts'
import type { World } from '../../world.ts'

/** Support looks for a customer, helps, and writes to many. */

const finding = async ({ life, support, anna }: World): Promise<void> => {
  const search = (query: object) => life.ask(support, 'searchUsers', { query: { ...query } })
  await search({ search: 'helped' })
  const { data: first } = await search({ view: 'active', sort: 'next_end', limit: 1 })
  await search({ view: 'active', sort: 'next_end', limit: 1, cursor: first.next_cursor })
  await search({ view: 'ended', sort: 'next_end' })
  await search({ view: 'never_connected', search: 'helped' })
  await search({ sort: '-balance', limit: 2 })
  await search({ sort: 'last_seen_at' })
  await search({ cursor: 'nonsense' })
  await search({ search: anna.subscriptionKey })
}

export const people = async (world: World): Promise<void> => {
  const { life, support, finance } = world
  const helped = await life.newcomer('helped', { email: 'helped@example.com', balance: 1000 })
  await life.ask(helped, 'buyConfig', { body: usualOrder })
  await finding(world)
  const params = { id: helped.id }
  const diagnose = () => life.ask(support, 'diagnoseUser', { params })
  await diagnose()
  await life.subscription(helped, phone)
  await life.jobs()
  await diagnose()
  await life.ask(support, 'diagnoseUser', { params: { id: 999_999_999 } })
  await life.ask(support, 'showUser', { params })
  await life.ask(support, 'showUser', { params: { id: 999_999_999 } })
  const change = (body: object) => life.ask(support, 'changeUser', { params, body })
  await change({ note: 'Пишет по вечерам', flags: { noChangeCountry: true }, version: 1 })
  await change({ note: 'Пишет по утрам', version: 1 })
  await change({ email: 'anna.new@example.com' })
  await change({ email: 'Helped.Again@example.com' })
  await life.ask(finance, 'changeUser', { params, body: { note: null } })
  await life.ask(helped, 'listConfigs')
  await life.ask(support, 'signUserOut', { params })
  await life.ask(support, 'signUserOut', { params: { id: 999_999_999 } })
  const write = (body: object) =>
    life.ask(life.operator, 'createBroadcast', {
      body: { content_ru: 'Ночью обновим серверы', content_en: 'Servers are updated at night', ...body },
    })
  await write({ search: 'helped' })
  await write({})
  const { data: later } = await write({
    view: 'everyone',
    send_at: life.service.clock.now() + 86_400,
    confirm: true,
  })
  const { data: now } = await write({ search: 'helped', confirm: true })
  await life.ask(life.operator, 'stopBroadcast', { params: { id: later.id } })
  await life.jobs()
  await life.ask(life.operator, 'showBroadcast', { params: { id: now.id } })
  await life.ask(life.operator, 'stopBroadcast', { params: { id: now.id } })
  await life.ask(life.operator, 'listBroadcasts', { query: { limit: 5 } })
  await life.ask(support, 'listBroadcasts')
  await life.ask(helped, 'takeNotifications')
}
