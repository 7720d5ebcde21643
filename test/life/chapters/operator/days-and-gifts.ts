import { usualOrder } from '../../../support/service.ts'
import { lastOrder } from '../../buying.ts'
import { nobody, type Person } from '../../people.ts'
import type { World } from '../../world.ts'

/** What operators give without payment: days and products. And what an account that is closed keeps. */

const termOf = async ({ life }: World, person: Person): Promise<number> => {
  const { id } = await life.service.db
    .selectFrom('terms')
    .select('id')
    .where('user_id', '=', person.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

const givingDays = async (world: World): Promise<Person> => {
  const { life, support, finance } = world
  const zoya = await life.newcomer('zoya', { balance: 1000 })
  await life.ask(zoya, 'buyConfig', { body: usualOrder })
  const id = await termOf(world, zoya)
  const change = (days: unknown, who = life.operator, params = { id }) =>
    life.ask(who, 'changeTermDays', { params, body: { days, reason: 'two days without a server' } })
  await change(10)
  await change(-3)
  await change(25, support)
  await change(25, support)
  await change(31, support)
  await change(-1, support)
  await change(1, finance)
  await change(1, nobody)
  await change(0)
  await change(4000)
  await change(1, life.operator, { id: 999_999_999 })
  await life.ask(zoya, 'takeNotifications')
  const { id: order } = await lastOrder(world, zoya)
  const refund = { params: { id: order }, body: { to: 'balance', reason: 'asked' } }
  await life.ask(life.operator, 'refundPayment', refund)
  await life.ask(zoya, 'listConfigs')
  await change(-3650)
  await life.wait(60)
  await life.ask(zoya, 'listConfigs')
  await change(-1)
  await change(5)
  await life.ask(zoya, 'listConfigs')
  await life.ask(zoya, 'takeNotifications', { headers: { 'accept-language': 'en' } })
  return zoya
}

const givingProducts = async (world: World): Promise<Person> => {
  const { life, support } = world
  const gleb = await life.newcomer('gleb')
  const reason = 'a mistake of ours'
  const grant = (body: object, who = life.operator, userId = gleb.id) =>
    life.ask(who, 'grantProduct', { params: { id: userId }, body: { days: 30, reason, ...body } })
  const config = { product_type: 'configs', location_id: 1, protocol: 'vless' }
  await grant(config)
  await grant({ product_type: 'paid_options', product_id: 1 })
  await grant({ product_type: 'paid_options', product_id: 1, days: 5 })
  await grant(config, support)
  await grant(config, nobody)
  await grant(config, life.operator, 999_999_999)
  await grant({ product_type: 'configs' })
  await grant({ product_type: 'paid_options', product_id: 999 })
  await grant({ ...config, location_id: 999 })
  await grant({ ...config, days: 0 })
  await life.ask(gleb, 'listConfigs')
  await life.ask(gleb, 'listPayments')
  await life.ask(gleb, 'takeNotifications')
  const { id } = await lastOrder(world, gleb)
  await life.ask(life.operator, 'showPayment', { params: { id } })
  const refund = { params: { id }, body: { to: 'balance', reason } }
  await life.ask(life.operator, 'refundPayment', refund)
  return gleb
}

const closing = async ({ life, support }: World, person: Person): Promise<void> => {
  const block = (is_blocked: boolean) =>
    life.ask(support, 'blockUser', { params: { id: person.id }, body: { is_blocked } })
  await block(true)
  await life.ask(person, 'listConfigs')
  await life.subscription(person)
  await block(true)
  await block(false)
  await life.ask(person, 'listConfigs')
  await life.ask(life.operator, 'listAudit', { query: { subject: `user:${person.id}` } })
}

export const daysAndGifts = async (world: World): Promise<void> => {
  await givingDays(world)
  await closing(world, await givingProducts(world))
}
