import { deliver } from '../../support/providers/stand-in.ts'
import { usualOrder } from '../../support/service.ts'
import { lastOrder, payAtYooKassa, press } from '../buying.ts'
import type { Person } from '../people.ts'
import type { Caller } from '../recorder.ts'
import type { World } from '../world.ts'

/** Money goes back, and prices are made personal. */

const refundOf = async (world: World, to: string, id: unknown, who: Caller = world.life.operator) => {
  const answer = await world.life.ask(who, 'refundPayment', { params: { id }, body: { to, reason: 'asked' } })
  await world.life.jobs()
  return answer
}

const after = async ({ life }: World, person: Person): Promise<void> => {
  await life.ask(person, 'getProfile')
  await life.ask(person, 'listConfigs')
  await life.ask(person, 'takeNotifications')
}

const fromBalance = async (world: World): Promise<void> => {
  const { life, support } = world
  const rita = await life.newcomer('rita', { balance: 500, referral_balance: 300 })
  await life.ask(rita, 'buyConfig', { body: usualOrder })
  const { id } = await lastOrder(world, rita)
  await refundOf(world, 'balance', id, support)
  await refundOf(world, 'source', id)
  await refundOf(world, 'elsewhere', id)
  await refundOf(world, 'balance', id)
  await refundOf(world, 'balance', id)
  await refundOf(world, 'balance', 999_999_999)
  await life.ask(life.operator, 'showPayment', { params: { id } })
  await life.ask(rita, 'getPayment', { params: { id } })
  await after(world, rita)
  await life.ask(rita, 'buyConfig', { body: { ...usualOrder, payment_method_id: 7 } })
  await refundOf(world, 'balance', (await lastOrder(world, rita)).id)
  await after(world, rita)
}

const fromOutside = async (world: World): Promise<void> => {
  const { life, yookassa } = world
  const zoya = await life.newcomer('zoya', { email: 'zoya@example.com' })
  const byCard = { ...usualOrder, payment_method_id: 3 }
  await life.ask(zoya, 'buyConfig', { body: byCard })
  await refundOf(world, 'source', (await lastOrder(world, zoya)).id)
  await payAtYooKassa(world, zoya)
  const { id } = await lastOrder(world, zoya)
  await refundOf(world, 'source', id)
  await life.wait(30)
  await life.ask(life.operator, 'showPayment', { params: { id } })
  await life.ask(zoya, 'getPayment', { params: { id } })
  await after(world, zoya)
  await life.ask(zoya, 'buyConfig', { body: byCard })
  const paid = await payAtYooKassa(world, zoya)
  await deliver(life.service.running.url, yookassa.refundOutside(paid, 50))
  await life.jobs()
  await deliver(life.service.running.url, yookassa.refundOutside(paid))
  await life.jobs()
  await after(world, zoya)
  await life.ask(life.operator, 'showPayment', { params: { id: (await lastOrder(world, zoya)).id } })
}

const ofTopUps = async (world: World): Promise<void> => {
  const { life, yookassa } = world
  const igor = await life.newcomer('igor')
  const fill = (payment_method_id: number) =>
    life.ask(igor, 'topUpBalance', { body: { amount: 300, payment_method_id } })
  const { data } = await fill(2)
  await press(world, data.link, 'pay')
  const { id } = await lastOrder(world, igor)
  await refundOf(world, 'balance', id)
  await refundOf(world, 'source', id)
  await life.page(data.link)
  await after(world, igor)
  await fill(3)
  await payAtYooKassa(world, igor)
  yookassa.refundsBecome = 'canceled'
  await refundOf(world, 'source', (await lastOrder(world, igor)).id)
  yookassa.refundsBecome = 'succeeded'
  await after(world, igor)
  await life.ask(life.operator, 'listAlerts', { query: { is_open: true, limit: 2 } })
  await life.ask(igor, 'buyConfig', { body: usualOrder })
  await refundOf(
    world,
    'source',
    (await life.send(life.operator, 'searchPayments', { query: { user_id: igor.id } })).data[1].id,
  )
}

const prices = async (world: World): Promise<void> => {
  const { life, boris, finance, support } = world
  const params = { id: boris.id }
  const rule = (body: object, who = finance, id = boris.id) =>
    life.ask(who, 'createPricingRule', { params: { id }, body })
  const { data: first } = await rule({ type: 'all', percent: -10, comment: 'Постоянному клиенту' })
  await rule({ type: 'configs', percent: 50 })
  await life.ask(boris, 'listConfigTariffs')
  const { data: narrow } = await rule({
    type: 'config',
    product_id: world.configs.get('boris'),
    percent: -12.5,
  })
  await rule({ type: 'all', percent: -101 })
  await rule({ type: 'everything', percent: 1 })
  await rule({ type: 'all', percent: 1 }, support)
  await rule({ type: 'all', percent: 1 }, finance, 999_999_999)
  await life.ask(support, 'listPricingRules', { params })
  await life.ask(support, 'listPricingRules', { params: { id: 999_999_999 } })
  await life.ask(boris, 'getProfile')
  await life.ask(boris, 'renewConfig', {
    params: { config_id: world.configs.get('boris') },
    body: { payment_method_id: 1 },
  })
  const { id } = await lastOrder(world, boris)
  await life.ask(support, 'showPayment', { params: { id } })
  const remove = (rule_id: number, id = boris.id) =>
    life.ask(finance, 'deletePricingRule', { params: { id, rule_id } })
  await remove(first.id, world.anna.id)
  await remove(first.id)
  await remove(first.id)
  if (narrow) await remove(narrow.id)
  await life.ask(boris, 'getProfile')
}

export const refunds = async (world: World): Promise<void> => {
  await fromBalance(world)
  await fromOutside(world)
  await ofTopUps(world)
  await prices(world)
}
