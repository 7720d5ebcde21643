import { usualOrder } from '../../support/service.ts'
import { lastOrder, payAtYooKassa, press } from '../buying.ts'
import type { World } from '../world.ts'

/** Boris pays from outside: by the built-in provider and by YooKassa. */

const byLink = { ...usualOrder, payment_method_id: 2 }
const byCard = { ...usualOrder, payment_method_id: 3 }

const topUps = async (world: World): Promise<void> => {
  const { life, boris } = world
  for (const amount of [100, 1, 0, 15_001, 1.5, 'x'])
    await life.ask(boris, 'calculateTopup', { query: { amount } })
  await life.wait(60)
  const fill = (amount: unknown, payment_method_id: number, headers?: Record<string, string>) =>
    life.ask(boris, 'topUpBalance', { body: { amount, payment_method_id }, ...(headers && { headers }) })
  for (const [amount, method] of [
    [0, 2],
    [15_001, 2],
    [1.5, 2],
    [100, 1],
    [100, 77],
    [100, 5],
  ] as const)
    await fill(amount, method)
  const once = { 'idempotency-key': 'fill' }
  const { data } = await fill(500, 2, once)
  await fill(500, 2, once)
  await life.page(data.link)
  await life.ask(boris, 'listPayments')
  const look = (id: number, who = boris) => life.ask(who, 'getPayment', { params: { id } })
  await look(data.payment_id)
  await look(data.payment_id, world.anna)
  await look(999_999_999)
  await press(world, data.link, 'steal')
  await press(world, data.link, 'pay')
  await press(world, data.link, 'pay')
  await life.page(data.link)
  await look(data.payment_id)
  await life.page(`${life.service.running.url}/pay/nothing-here`)
  await life.ask(boris, 'getProfile')
  await life.ask(boris, 'takeNotifications')
}

const purchases = async (world: World): Promise<void> => {
  const { life, boris } = world
  const buy = (body: object, headers?: Record<string, string>) =>
    life.ask(boris, 'buyConfig', { body, ...(headers && { headers }) })
  const once = { 'idempotency-key': 'by link' }
  const { data: first } = await buy({ ...byLink, enable_auto_renewal: true }, once)
  await buy({ ...byLink, enable_auto_renewal: true }, once)
  await life.ask(boris, 'listConfigs')
  await press(world, first.link, 'pay')
  const { data: configs } = await life.ask(boris, 'listConfigs')
  world.configs.set('boris', configs[1].id)
  const look = ({ payment_id: id }: { payment_id: number }) =>
    life.ask(boris, 'getPayment', { params: { id }, headers: { 'accept-language': 'en' } })
  await look(first)
  const { data: declined } = await buy(byLink)
  await press(world, declined.link, 'decline')
  await look(declined)
  const inTon = { ...usualOrder, payment_method_id: 4 }
  // The rate that was set a day ago holds no more.
  await buy(inTon)
  await life.ask(life.operator, 'setRate', {
    params: { currency: 'TON' },
    body: { rub: 300, valid_hours: null },
  })
  const { data: later } = await buy(inTon)
  await press(world, later.link, 'later')
  await life.wait(21)
  await life.jobs()
  await buy({ ...byLink, location_id: 3 })
  const { data: late } = await buy({ ...usualOrder, payment_method_id: 6 })
  await life.wait(7200)
  await look(late)
  await press(world, late.link, 'pay')
  await life.ask(boris, 'listPayments')
  await life.ask(boris, 'listPayments', { query: { limit: 1, offset: 2 } })
  await life.ask(boris, 'listPayments', { query: { limit: 101 } })
  await life.ask(boris, 'takeNotifications', { headers: { 'accept-language': 'en' } })
}

const renewals = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const config_id = world.configs.get('boris')
  const renew = (body: object, who = boris, id: unknown = config_id) =>
    life.ask(who, 'renewConfig', { params: { config_id: id }, body })
  const { data } = await renew({ payment_method_id: 2, tariff_id: 2 })
  await press(world, data.link, 'pay')
  await life.ask(boris, 'listConfigs', { query: { offset: 1, limit: 1 } })
  await renew({ payment_method_id: 1, enable_auto_renewal: false })
  await renew({})
  await renew({ payment_method_id: 1, promocode: 'ABCD-EFGH' })
  await renew({ promocode: 'ABCD-EFGH' })
  await renew({ payment_method_id: 77 })
  await renew({ payment_method_id: 7 })
  await renew({ payment_method_id: 1, tariff_id: 77 })
  await renew({ payment_method_id: 1, tariff_id: 4 })
  await renew({ payment_method_id: 1 }, anna)
  await renew({ payment_method_id: 1 }, boris, 999_999_999)
}

const wrongMoney = async (world: World): Promise<void> => {
  const { life, boris, support } = world
  const { data: wrong } = await life.ask(boris, 'buyConfig', { body: byCard })
  const look = () => life.ask(boris, 'getPayment', { params: { id: wrong.payment_id } })
  await payAtYooKassa(world, boris, 90)
  await look()
  await life.ask(boris, 'takeNotifications')
  await life.ask(life.operator, 'listAlerts', { query: { is_open: true } })
  const { id } = await lastOrder(world, boris)
  const { data } = await life.ask(life.operator, 'showPayment', { params: { id } })
  const credit = (receipt: number, who = life.operator) =>
    life.ask(who, 'creditReceipt', { params: { id: receipt }, body: { reason: 'agreed' } })
  await credit(data.receipts[0].id, support)
  await credit(data.receipts[0].id)
  await credit(data.receipts[0].id)
  await credit(999_999_999)
  await look()
  await life.ask(boris, 'getProfile')
  await life.ask(life.operator, 'listAlerts', { query: { is_open: true } })
  await life.ask(boris, 'buyConfig', { body: byCard })
  await payAtYooKassa(world, boris, 250)
  await life.ask(boris, 'getProfile')
  await life.ask(boris, 'takeNotifications')
}

export const paying = async (world: World): Promise<void> => {
  await topUps(world)
  await purchases(world)
  await renewals(world)
  await wrongMoney(world)
}
