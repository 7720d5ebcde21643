import type { Webhook } from '../support/providers/stand-in.ts'
import { Dice } from './dice.ts'
import type { World } from './world.ts'

/** What happens at the providers without the service being asked. */

/** The whole payment, or half of it where the provider knows parts. */
const refundYooKassa = ({ providers }: World, dice: Dice): Webhook | undefined => {
  const { yookassa } = providers
  const paid = [...yookassa.payments.values()].filter(({ status }) => status === 'succeeded').slice(-60)
  const payment = dice.pickOr(paid)
  if (!payment) return undefined
  const half = Math.floor(Number(payment.amount.value) / 2)
  return yookassa.refundOutside(payment.id, dice.chance(0.25) && half > 0 ? half : undefined)
}

const refundStripe = ({ providers }: World, dice: Dice): Webhook | undefined => {
  const { stripe } = providers
  const paid = [...stripe.payments.values()]
    .filter(({ paymentStatus }) => paymentStatus === 'paid')
    .slice(-60)
  const payment = dice.pickOr(paid)
  if (!payment) return undefined
  const half = Math.floor(payment.paid.amount / 200)
  return stripe.refundOutside(payment.id, dice.chance(0.25) && half > 0 ? half : undefined)
}

const refundStars = ({ providers }: World, dice: Dice): Webhook | undefined => {
  const { stars } = providers
  const paid = [...stars.payments.values()].filter(({ charges }) => charges.length > 0).slice(-60)
  const payment = dice.pickOr(paid)
  return payment && stars.refundOutside(payment.id)
}

const dispute = ({ providers }: World, dice: Dice): Webhook | undefined => {
  const { stripe } = providers
  const paid = [...stripe.payments.values()]
    .filter(({ paymentStatus }) => paymentStatus === 'paid')
    .slice(-60)
  const payment = dice.pickOr(paid)
  return payment && stripe.dispute(payment.id)
}

const attempt = (work: () => Webhook | undefined): Webhook | undefined => {
  try {
    return work()
  } catch {
    // Nothing was left of this payment.
    return undefined
  }
}

const refunders = { yookassa: refundYooKassa, stripe: refundStripe, stars: refundStars, dispute }

/** Refunds that a bank took its time for. */
const settlePendingRefunds = ({ providers, tally }: World, dice: Dice): void => {
  const { yookassa } = providers
  for (const { id, status } of [...yookassa.refunds.values()].filter(
    (refund) => refund.status === 'pending',
  )) {
    if (status !== 'pending' || dice.chance(0.4)) continue
    const isDone = dice.chance(0.7)
    yookassa.settleRefund(id, isDone ? 'succeeded' : 'canceled')
    tally.add(isDone ? 'refund settled late' : 'refund refused late')
  }
}

export const workInCabinets = (world: World, day: number, share: number): void => {
  const { providers, tally, courier, seed } = world
  const dice = new Dice(seed, 600, day)
  providers.stripe.expireDue()
  settlePendingRefunds(world, dice)
  providers.yookassa.refundsBecome = dice.chance(0.2) ? 'pending' : 'succeeded'
  providers.stripe.storesFailures = dice.chance(0.03)
  if (!dice.chance(0.3 * share)) return
  const what = dice.weighted({ yookassa: 35, stripe: 30, stars: 25, dispute: 10 })
  const webhook = attempt(() => refunders[what](world, dice))
  if (!webhook) return
  courier.promise(webhook)
  tally.add(what === 'dispute' ? 'disputes' : 'refund by the provider')
}

/** At the end nothing hangs: links have run out and banks have answered. */
export const closeCabinets = (world: World): void => {
  const { yookassa, stripe } = world.providers
  for (const payment of yookassa.payments.values()) {
    if (payment.status === 'pending') yookassa.cancel(payment.id)
  }
  for (const refund of yookassa.refunds.values()) {
    if (refund.status === 'pending') yookassa.settleRefund(refund.id, 'succeeded')
  }
  for (const payment of stripe.payments.values()) {
    const isOpen = payment.status === 'complete' && payment.paymentStatus === 'unpaid' && !payment.hasFailed
    if (isOpen) stripe.settle(payment.id, true)
  }
  stripe.expireDue()
}
