import { usualOrder } from '../../support/service.ts'
import { lastOrder, press } from '../buying.ts'
import type { World } from '../world.ts'

/** What Anna earns by those she brought, and how she gets it. */

const day = 86_400
const card = '2200 1500 0000 1237'
const phone = { bank_id: '100000000111', phone_number: '+79161234567' }

const earning = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  await life.ask(anna, 'listReferralRecords')
  const topUp = { body: { amount: 1000, payment_method_id: 2 } }
  const { data } = await life.ask(boris, 'topUpBalance', topUp)
  await press(world, data.link, 'pay')
  const { data: second } = await life.ask(boris, 'topUpBalance', topUp)
  await press(world, second.link, 'pay')
  await life.ask(anna, 'listReferralRecords', { query: { limit: 3 } })
  await life.ask(anna, 'showReferralTerms')
  await life.ask(anna, 'getProfile')
  const { id } = await lastOrder(world, boris)
  await life.ask(life.operator, 'showPayment', { params: { id } })
  const refund = { params: { id }, body: { to: 'source', reason: 'asked' } }
  await life.ask(life.operator, 'refundPayment', refund)
  await life.wait(10)
  await life.ask(anna, 'listReferralRecords', { query: { limit: 3 } })
  await life.wait(5 * day)
  await life.ask(anna, 'listReferralRecords', { query: { limit: 1, offset: 1 } })
  await life.ask(anna, 'listReferralRecords', { query: { limit: 'x' } })
  await life.ask(anna, 'getProfile')
  await life.ask(anna, 'takeNotifications')
}

const wrongWithdrawals: readonly (readonly ['withdrawBySbp' | 'withdrawToCard', object])[] = [
  ['withdrawToCard', { amount: 999, card_number: card }],
  ['withdrawToCard', { amount: 75_001, card_number: card }],
  ['withdrawToCard', { amount: 1000, card_number: '2200150000001238' }],
  ['withdrawToCard', { amount: 1000, card_number: '220015000000' }],
  ['withdrawBySbp', { amount: 1000.5, ...phone }],
  ['withdrawBySbp', { amount: 1000, ...phone, phone_number: '89161234567' }],
  ['withdrawBySbp', { amount: 1000, ...phone, bank_id: '100000000999' }],
  ['withdrawBySbp', { amount: 70_000, ...phone }],
  ['withdrawToCard', { amount: 70_000, card_number: card }],
]

const withdrawing = async (world: World): Promise<number[]> => {
  const { life, anna, finance } = world
  const gift = { account: 'referral', amount: 9000, reason: 'partner of the year' }
  await life.ask(finance, 'adjustBalance', { params: { id: anna.id }, body: gift })
  await life.ask(anna, 'listSbpBanks')
  for (const [name, body] of wrongWithdrawals) {
    life.service.clock.advance(3)
    await life.ask(anna, name, { body })
  }
  const headers = { 'idempotency-key': 'payout' }
  const ids: number[] = []
  for (const body of [
    { amount: 1500, card_number: card },
    { amount: 1500, card_number: card },
  ]) {
    life.service.clock.advance(3)
    ids.push((await life.ask(anna, 'withdrawToCard', { body, headers })).data.id)
  }
  for (const amount of [2000, 1000]) {
    life.service.clock.advance(3)
    ids.push((await life.ask(anna, 'withdrawBySbp', { body: { amount, ...phone } })).data.id)
  }
  await life.ask(anna, 'listReferralRecords')
  await life.ask(anna, 'getProfile')
  return ids
}

const deciding = async (world: World, [card = 0, , rejected = 0]: number[]): Promise<void> => {
  const { life, anna, finance, support } = world
  await life.ask(support, 'listWithdrawals')
  const reveal = (id: number, who = finance) => life.ask(who, 'revealWithdrawalAccount', { params: { id } })
  const approve = (id: number, who = finance) => life.ask(who, 'approveWithdrawal', { params: { id } })
  const reject = (id: number, body: object = { reason: 'Нет такого номера' }) =>
    life.ask(finance, 'rejectWithdrawal', { params: { id }, body })
  await reveal(card, support)
  await reveal(card)
  await reveal(rejected)
  await approve(card, support)
  await approve(card)
  await approve(card)
  await reveal(card)
  await reject(card)
  await reject(rejected, {})
  await reject(rejected)
  await reject(rejected)
  for (const work of [reveal, approve, reject]) await work(999_999_999)
  await life.ask(support, 'listWithdrawals', { query: { status: 'pending' } })
  await life.ask(support, 'listWithdrawals', { query: { limit: 1, status: 'rejected' } })
  await life.ask(anna, 'listReferralRecords')
  await life.ask(anna, 'getProfile')
  await life.ask(anna, 'takeNotifications')
}

const spending = async (world: World): Promise<void> => {
  const { life, anna } = world
  await life.ask(anna, 'listConfigTariffs')
  const body = { ...usualOrder, payment_method_id: 7, tariff_id: 4 }
  const { data } = await life.ask(anna, 'buyConfig', { body })
  world.configs.set('earned', data.id)
  await life.ask(anna, 'renewConfig', { params: { config_id: data.id }, body: { payment_method_id: 7 } })
  await life.ask(anna, 'listReferralRecords', { query: { limit: 2 } })
  await life.ask(anna, 'getProfile')
}

export const referrals = async (world: World): Promise<void> => {
  await earning(world)
  const ids = await withdrawing(world)
  await deciding(world, ids)
  await spending(world)
}
