import { moneyArrived } from '../../../test/support/providers/sandbox-money.ts'
import { type TestUser, usualOrder } from '../../../test/support/service.ts'
import type { Scene, Stage } from './stage.ts'

interface Made {
  readonly link: string
  readonly payment_id: number
}

const sbp = 2

const wanted = {
  waiting: 'waiting',
  held: 'processing',
  paid: 'paid',
  expired: 'expired',
  cancelled: 'cancelled',
  credited: 'credited',
  refunded: 'refunded',
} as const

/** One for each. */
const make = async (stage: Stage, user: TestUser): Promise<Record<keyof typeof wanted, Made>> => {
  const { service } = stage
  const order = (): Promise<Made> =>
    stage.do(user, 'POST', '/configs', { ...usualOrder, payment_method_id: sbp })
  const press = ({ link }: Made, action: string) =>
    service.call('POST', new URL(link).pathname, { body: { action } })
  const expired = await order()
  await stage.pass(3600)
  const credited = await order()
  // No server is heard of meanwhile, so that what was paid for cannot be given.
  service.clock.advance(91)
  await moneyArrived(service, credited.link, { receiptId: 'no room', amount: 200 })
  await service.running.runJobs()
  service.clock.advance(601)
  await service.running.runJobs()
  await stage.pass()
  const [cancelled, paid, refunded, held] = [await order(), await order(), await order(), await order()]
  await press(cancelled, 'decline')
  await press(paid, 'pay')
  await press(refunded, 'pay')
  await stage.pass()
  await stage.operate('POST', `/payments/${refunded.payment_id}/refund`, { to: 'source', reason: 'asked' })
  await stage.pass()
  await moneyArrived(service, held.link, { receiptId: 'too little', amount: 90 })
  return { waiting: await order(), held, paid, expired, cancelled, credited, refunded }
}

/** A payment in each of its states, and a history that has them all. */
export const payments = async (stage: Stage): Promise<Scene> => {
  const user = await stage.service.createUser({ balance: 1000, referral_balance: 20_000 })
  const made = Object.entries(await make(stage, user))
  for (const [name, { payment_id: id }] of made) {
    const { state } = await stage.do(user, 'GET', `/profile/payments/${id}`)
    if (state !== wanted[name as keyof typeof wanted]) throw new Error(`${name} is ${state}`)
  }
  await stage.do(user, 'POST', '/profile/referral/withdraw/card', {
    amount: 1500,
    card_number: '4111111111111111',
  })
  return stage.asNow({
    user,
    pages: [
      ...made.map(([name, { payment_id: id }]) => [name, `/payments/${id}`] as const),
      ['balance', '/balance'],
      ['friends', '/friends'],
      ['home', '/'],
    ],
  })
}
