import { usualOrder } from '../../support/service.ts'
import { phone } from '../../support/subscription.ts'
import { lastOrder, press } from '../buying.ts'
import { nobody, type Person } from '../people.ts'
import { nodeOf, type World } from '../world.ts'

/** Accounts that are moved, closed and deleted. */

const moving = async (world: World): Promise<Person> => {
  const { life } = world
  const [old, fresh] = [
    await life.newcomer('old', { balance: 1000, referral_balance: 70 }),
    await life.newcomer('fresh', { balance: 5 }),
  ]
  const { data: config } = await life.ask(old, 'buyConfig', { body: usualOrder })
  await life.ask(old, 'buyConfig', { body: { as_key: true, payment_method_id: 1, tariff_id: 1 } })
  const activate = (who: Person, key: string) => life.ask(who, 'activateTransferKey', { body: { key } })
  const { data: lost } = await life.ask(old, 'createTransferKey')
  const { data: made } = await life.ask(old, 'createTransferKey')
  await activate(fresh, lost.key)
  await activate(fresh, 'nonsense')
  await activate(old, made.key)
  await activate(fresh, made.key)
  await activate(fresh, made.key)
  await life.ask(nobody, 'createTransferKey')
  for (const person of [old, fresh]) {
    await life.ask(person, 'getProfile')
    await life.ask(person, 'listConfigs')
    await life.ask(person, 'listPromocodes')
    await life.ask(person, 'listPayments')
    await life.ask(person, 'takeNotifications', { headers: { 'accept-language': 'en' } })
    await life.subscription(person, phone)
    await life.ask(life.operator, 'listAccountEvents', { params: { id: person.id } })
  }
  await life.ask(fresh, 'resetCredentials')
  await life.ask(old, 'changeConfigTitle', { params: { config_id: config.id }, body: { title: 'mine' } })
  const { id } = await lastOrder(world, old)
  await life.ask(life.operator, 'refundPayment', { params: { id }, body: { to: 'balance', reason: 'asked' } })
  await life.ask(life.operator, 'showPayment', { params: { id } })
  return fresh
}

const closing = async ({ life, support }: World, person: Person): Promise<void> => {
  const block = (is_blocked: unknown, id = person.id) =>
    life.ask(support, 'blockUser', { params: { id }, body: { is_blocked } })
  await block(true)
  await life.ask(person, 'getProfile')
  await life.ask(person, 'listApiKeys')
  await life.subscription(person)
  await life.ask(life.operator, 'createSession', { params: { id: person.id } })
  await block('no')
  await block(true, 999_999_999)
  await block(false)
  await life.ask(person, 'getProfile')
  await life.subscription(person)
}

const deleting = async (world: World): Promise<void> => {
  const { life, finance } = world
  const fields = { email: 'gone@example.com', balance: 1000, referral_balance: 3000 }
  const gone = await life.newcomer('gone', fields)
  await life.ask(gone, 'buyConfig', { body: { ...usualOrder, enable_auto_renewal: true } })
  await life.subscription(gone, phone)
  const { data: late } = await life.ask(gone, 'topUpBalance', { body: { amount: 300, payment_method_id: 2 } })
  const body = { amount: 1000, card_number: '2200150000001237' }
  const { data: withdrawal } = await life.ask(gone, 'withdrawToCard', { body })
  await life.ask(gone, 'deleteAccount')
  await life.ask(finance, 'approveWithdrawal', { params: { id: withdrawal.id } })
  await life.wait(300)
  await life.ask(gone, 'deleteAccount')
  await life.ask(gone, 'deleteAccount')
  await life.ask(gone, 'getProfile')
  await life.subscription(gone)
  await life.state(nodeOf(world, 'north'))
  await press(world, late.link, 'pay')
  await life.ask(life.operator, 'listAlerts', { query: { is_open: true, limit: 1 } })
  await life.ask(life.operator, 'searchUsers', { query: { search: String(gone.id) } })
  await life.ask(life.operator, 'searchUsers', { query: { search: 'gone@example.com' } })
  await life.ask(life.operator, 'listAccountEvents', { params: { id: gone.id } })
  await life.ask(life.operator, 'listPricingRules', { params: { id: gone.id } })
  const give = (amount: number) =>
    life.ask(finance, 'adjustBalance', {
      params: { id: gone.id },
      body: { account: 'wallet', amount, reason: 'late' },
    })
  await give(100)
  await give(-100)
  await life.ask(life.operator, 'createSession', { params: { id: gone.id } })
  const again = await life.ask(life.operator, 'createUser', { body: { email: 'gone@example.com' } })
  if (again.data.id === gone.id) throw new Error('the account came back')
}

export const leaving = async (world: World): Promise<void> => {
  const fresh = await moving(world)
  await closing(world, fresh)
  await deleting(world)
}
