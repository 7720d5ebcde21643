import { sbpBanks } from '@sallyport/domain/money/sbp-banks'
import { buy, renew, topUp, useCode } from './buying.ts'
import { asCustomer, type Customer, listConfigs } from './customer.ts'
import type { Dice } from './dice.ts'
import { orderMachine, renewMachine, useMachine, useMachineCode } from './machines/renting.ts'
import { addConfig, changeLimits, switchOptionRenewal } from './options/owning.ts'
import { buyOption, useOptionCode } from './options/shopping.ts'
import type { World } from './world.ts'

/** What customers do besides. */

const switchAutoRenewal = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const alive = (await listConfigs(world, customer)).filter((config) => config.expires_at > world.now())
  const config = dice.pickOr(alive)
  if (!config) return
  const enabled = dice.chance(0.75)
  const body = { enabled, ...(enabled && { days: dice.pick([30, 30, 90, 180]) }) }
  const path = `/configs/${config.id}/auto-renewal`
  const { status, message } = await asCustomer(world, customer, 'PATCH', path, { body })
  if (status !== 200) world.blame('auto-renewal was not switched', message)
}

const takeNotifications = async (world: World, customer: Customer): Promise<void> => {
  const { data } = await asCustomer(world, customer, 'GET', '/profile/notifications')
  for (const { id } of data) {
    if (world.journal.tolds.has(id)) world.blame('a notification came twice', id)
    world.journal.tolds.add(id)
  }
}

const changeSettings = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const body = {
    renewal_reminders: dice.chance(0.7),
    notification_start_hour: dice.int(0, 23),
    notification_end_hour: dice.int(0, 23),
    timezone_offset: dice.int(-12, 14) * 60,
  }
  const { status } = await asCustomer(world, customer, 'PATCH', '/profile/notification-settings', { body })
  if (status !== 200) world.blame('settings were not changed')
}

const leastRub = 1000
const mostRub = 75_000

const withdraw = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const { data } = await asCustomer(world, customer, 'GET', '/profile')
  const available: number = data.referral_balance
  const isGreedy = available < leastRub || dice.chance(0.15)
  const amount = isGreedy
    ? Math.max(leastRub, available + 1)
    : dice.int(leastRub, Math.min(mostRub, available))
  const isCard = dice.chance(0.5)
  const body = isCard
    ? { amount, card_number: '4111 1111 1111 1111' }
    : { amount, bank_id: dice.pick(sbpBanks).id, phone_number: `+7${9_000_000_000 + customer.index}` }
  const path = `/profile/referral/withdraw/${isCard ? 'card' : 'sbp'}`
  const key = `withdrawal-${customer.index}-${customer.requests++}`
  const reply = await asCustomer(world, customer, 'POST', path, { body, key })
  if (reply.errorCode === 0) {
    world.tally.add('withdrawals')
    world.journal.withdrawals.push({ id: reply.data.id, userId: customer.user.id, amount })
    return
  }
  world.tally.add('withdrawals refused')
  const after = await asCustomer(world, customer, 'GET', '/profile')
  const isFair = reply.errorCode === 47 && after.data.referral_balance < amount
  if (!isFair) world.blame('a withdrawal was refused', reply.message)
}

const actions = {
  buy,
  renew,
  topUp,
  useCode,
  switchAutoRenewal,
  takeNotifications,
  changeSettings,
  withdraw,
  buyOption,
  useOptionCode,
  switchOptionRenewal,
  addConfig,
  changeLimits,
  orderMachine,
  renewMachine,
  useMachine,
  useMachineCode,
} as const

const weights: Readonly<Record<keyof typeof actions, number>> = {
  buy: 18,
  renew: 16,
  topUp: 19,
  useCode: 7,
  switchAutoRenewal: 4,
  takeNotifications: 6,
  changeSettings: 2,
  withdraw: 5,
  buyOption: 6,
  useOptionCode: 3,
  switchOptionRenewal: 3,
  addConfig: 4,
  changeLimits: 7,
  orderMachine: 5,
  renewMachine: 3,
  useMachine: 5,
  useMachineCode: 2,
}

/** One thing that this customer does now. */
export const act = (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const name = dice.weighted(weights)
  return actions[name](world, customer, dice)
}
