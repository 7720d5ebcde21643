import { usualOrder } from '../../support/service.ts'
import { lastOrder, press } from '../buying.ts'
import type { World } from '../world.ts'

/** Activation keys: issued by the operator, bought by customers, used once. */

const place = { location_id: 1, protocol: 'vless' }

const issue = async (world: World): Promise<string[]> => {
  const { life, finance, support } = world
  const now = life.service.clock.now()
  const make = (body: object, who = finance) =>
    life.ask(who, 'issuePromocodes', { body: { product_type: 'configs', days: 30, count: 1, ...body } })
  const { data } = await make({ count: 4 })
  const { data: short } = await make({ days: 7, expires_at: now + 3600 })
  const { data: other } = await make({ product_type: 'cloud_servers' })
  await make({ expires_at: now - 1 })
  await make({ count: 0 })
  await make({ days: 3651 })
  await make({}, support)
  await life.ask(support, 'listIssuedPromocodes')
  await life.ask(support, 'listIssuedPromocodes', {
    query: { product_type: 'cloud_servers', is_active: true },
  })
  return [...data.codes, ...short.codes, ...other.codes]
}

const use = async (world: World, codes: readonly string[]): Promise<void> => {
  const { life, boris, finance } = world
  const [first = '', second = '', third = '', , short = '', other = ''] = codes
  const buy = (promocode: string, more: object = place) =>
    life.ask(boris, 'buyConfig', { body: { promocode, ...more } })
  const { data } = await buy(first.toLowerCase())
  await buy(first)
  await buy(other)
  await buy('AAAA-BBBB-CCCC-DDDD')
  await buy('x')
  await buy(second, {})
  await buy(second, { ...place, tariff_id: 1 })
  await buy(second, { ...place, location_id: 3 })
  const renew = (promocode: string) =>
    life.ask(boris, 'renewConfig', { params: { config_id: data.id }, body: { promocode } })
  await renew(second)
  await renew(second)
  await life.wait(3600)
  await renew(short)
  const { data: list } = await life.ask(life.operator, 'listIssuedPromocodes', { query: { limit: 6 } })
  const idOf = (code: string) =>
    list.find((row: { code: string }) => row.code.startsWith(code.slice(0, 4))).id
  const revoke = (id: number, who = finance) => life.ask(who, 'revokePromocode', { params: { id } })
  await revoke(idOf(first))
  await revoke(idOf(third), world.support)
  await revoke(idOf(third))
  await revoke(idOf(third))
  await revoke(999_999_999)
  await buy(third)
  await life.ask(life.operator, 'listIssuedPromocodes', { query: { is_active: true } })
  await life.ask(boris, 'listPayments', { query: { limit: 2 } })
}

const bought = async (world: World): Promise<void> => {
  const { life, boris } = world
  const buyer = await life.newcomer('buyer', { balance: 1000 })
  const buy = (body: object) =>
    life.ask(buyer, 'buyConfig', { body: { as_key: true, payment_method_id: 1, tariff_id: 1, ...body } })
  await life.ask(buyer, 'listPromocodes')
  const { data: key } = await buy({})
  await life.ask(boris, 'buyConfig', { body: { ...place, promocode: key.promocode } })
  const used = await lastOrder(world, buyer)
  const refund = (id: number) =>
    life.ask(life.operator, 'refundPayment', { params: { id }, body: { to: 'balance', reason: 'asked' } })
  await refund(used.id)
  await buy({ ...place, tariff_id: 2 })
  const unused = await lastOrder(world, buyer)
  await refund(unused.id)
  await life.ask(buyer, 'listPromocodes')
  const { data } = await buy({ payment_method_id: 2 })
  await press(world, data.link, 'pay')
  await life.ask(buyer, 'listPromocodes', { query: { limit: 1 } })
  await life.ask(buyer, 'listPromocodes', { query: { limit: 0 } })
  await buy({ promocode: key.promocode, payment_method_id: undefined, tariff_id: undefined })
  await life.ask(buyer, 'buyConfig', { body: { ...usualOrder, as_key: true, enable_auto_renewal: true } })
  await life.ask(buyer, 'takeNotifications')
  await life.ask(buyer, 'listPayments')
}

export const promocodes = async (world: World): Promise<void> => {
  const codes = await issue(world)
  await use(world, codes)
  await bought(world)
}
