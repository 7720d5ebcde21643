import { nobody } from '../people.ts'
import type { World } from '../world.ts'

/** What the operator sees of all this. */

const people = async ({ life, anna, support }: World): Promise<void> => {
  const search = (query: object) => life.ask(support, 'searchUsers', { query: { ...query } })
  await search({ search: 'anna.new@example.com' })
  await search({ search: String(anna.id) })
  await search({ search: anna.referralCode })
  await search({ search: 'example.com' })
  await search({ search: 'nobody at all' })
  const { data } = await search({ limit: 3 })
  await search({ limit: 2, cursor: data.next_cursor })
  await search({ limit: 501 })
  await life.ask(nobody, 'searchUsers')
  await life.ask(support, 'listAccountEvents', { params: { id: anna.id } })
  await life.ask(support, 'listAccountEvents', { params: { id: anna.id }, query: { limit: 1 } })
  await life.ask(support, 'listAccountEvents', { params: { id: 999_999_999 } })
}

const payments = async ({ life, boris, support }: World): Promise<void> => {
  const search = (query: object) => life.ask(support, 'searchPayments', { query: { ...query } })
  const { data } = await search({ limit: 4 })
  await search({ limit: 1, before: data[3].id })
  await search({ user_id: boris.id, state: 'expired' })
  await search({ state: 'refunded', provider: 'yookassa' })
  const { data: paid } = await search({ user_id: boris.id, provider: 'sandbox', limit: 1 })
  await search({ search: paid[0].payment_id })
  await search({ search: 'nothing' })
  await search({ state: 'stolen' })
  await life.ask(support, 'showPayment', { params: { id: paid[0].id } })
  await life.ask(support, 'showPayment', { params: { id: 999_999_999 } })
}

const alerts = async ({ life, support }: World): Promise<void> => {
  const { data } = await life.ask(support, 'listAlerts', { query: { is_open: true } })
  const take = (id: number, isTaken: boolean) =>
    life.ask(support, 'takeAlert', { params: { id }, body: { is_taken: isTaken } })
  await take(data[1].id, true)
  await life.ask(life.operator, 'takeAlert', { params: { id: data[1].id }, body: { is_taken: false } })
  await life.ask(support, 'listAlerts', { query: { is_taken: true } })
  await take(data[1].id, false)
  const resolve = (id: number, body: object) => life.ask(support, 'resolveAlert', { params: { id }, body })
  await resolve(data[0].id, { comment: 'Клиенту написали' })
  await resolve(data[0].id, {})
  await resolve(999_999_999, {})
  await resolve(data[1].id, { comment: '' })
  await life.ask(support, 'listAlerts', { query: { is_open: false } })
  await life.ask(support, 'listAlerts', { query: { limit: 1, before: data[0].id } })
}

const audit = async ({ life, anna, support }: World): Promise<void> => {
  const look = (query: object) => life.ask(support, 'listAudit', { query: { ...query } })
  const { data } = await look({ limit: 10 })
  await look({ limit: 2, before: data[9].id })
  for (const action of [
    'adjustBalance',
    'blockUser',
    'changePaymentMethod',
    'changeSettings',
    'createNode',
    'createNotification',
    'createPricingRule',
    'createServer',
    'creditReceipt',
    'deletePricingRule',
    'issuePromocodes',
    'refundPayment',
    'rejectWithdrawal',
    'resolveAlert',
    'revealWithdrawalAccount',
    'revokePromocode',
    'setRate',
  ])
    await look({ action, limit: 2 })
  await look({ subject: `user:${anna.id}`, limit: 3 })
  await look({ operator_id: data[0].operator_id, limit: 1 })
  await look({ limit: 0 })
}

export const office = async (world: World): Promise<void> => {
  await people(world)
  await payments(world)
  await alerts(world)
  await audit(world)
}
