import { deliver } from '../support/providers/stand-in.ts'
import type { Customer } from './customer.ts'
import { type Dice, inBatches } from './dice.ts'
import type { Intent } from './journal.ts'
import { type Place, type ProviderName, placeOf } from './providers.ts'
import type { World } from './world.ts'

/** What customers do with the links they get. */

type How = 'pay' | 'decline' | 'abandon' | 'less' | 'more' | 'other asset' | 'twice' | 'put off' | 'by bank'

interface Plan {
  readonly place: Place
  readonly how: How
  readonly dueAt: number
  readonly intent: Intent
  readonly customer: Customer
  readonly dice: Dice
}

const habits: Readonly<Record<ProviderName, Readonly<Partial<Record<How, number>>>>> = {
  yookassa: { pay: 78, decline: 8, abandon: 14 },
  crypto_pay: { pay: 66, less: 6, more: 8, 'other asset': 3, abandon: 17 },
  stars: { pay: 60, twice: 22, abandon: 18 },
  stripe: { pay: 74, 'by bank': 8, abandon: 18 },
  sandbox: { pay: 60, 'put off': 15, decline: 10, abandon: 15 },
}

const linkSeconds = 3600
const plans: WeakMap<World, Plan[]> = new WeakMap()
const plansOf = (world: World): Plan[] => {
  const known = plans.get(world) ?? []
  plans.set(world, known)
  return known
}

/** At once, within the hour, or days after the link has ended. */
const waitSeconds = (how: How, dice: Dice): number => {
  if (how === 'abandon') return linkSeconds
  const when = dice.weighted({ now: 60, soon: 30, late: 10 })
  if (when === 'now') return 0
  return when === 'soon' ? dice.int(120, linkSeconds - 60) : dice.int(linkSeconds + 60, 60 * 3600)
}

export const planPayment = async (
  world: World,
  customer: Customer,
  intent: Intent,
  dice: Dice,
): Promise<void> => {
  const place = placeOf(world.providers, intent.link as string)
  world.tally.add(`payment ${place.provider}`)
  const how = dice.weighted(habits[place.provider])
  const dueAt = world.now() + waitSeconds(how, dice)
  const plan = { place, how, dueAt, intent, customer, dice }
  if (dueAt <= world.now()) await perform(world, plan)
  else plansOf(world).push(plan)
}

/** Those whose moment has come take out their cards. */
export const payDue = async (world: World): Promise<void> => {
  const all = plansOf(world)
  const due = all.filter((plan) => plan.dueAt <= world.now())
  plans.set(
    world,
    all.filter((plan) => plan.dueAt > world.now()),
  )
  await inBatches(due, (plan) => perform(world, plan))
}

const isInTime = (world: World, { intent }: Plan): boolean => world.now() < intent.at + linkSeconds

const payYooKassa = async ({ providers }: World, { place, how }: Plan): Promise<void> => {
  const { yookassa } = providers
  if (how === 'pay') yookassa.pay(place.id)
  else yookassa.cancel(place.id, how === 'decline' ? 'insufficient_funds' : 'expired_on_confirmation')
}

const payCrypto = async ({ providers, tally }: World, { place, how, intent, dice }: Plan): Promise<void> => {
  const { cryptoPay } = providers
  const invoice = cryptoPay.payments.get(place.id)
  const amount = Math.round(Number(invoice?.amount) * 100)
  if (how === 'abandon') {
    if (dice.chance(0.5)) cryptoPay.cancel(place.id)
    return
  }
  if (how !== 'pay') tally.add(`paid ${how}`)
  if (how === 'less') cryptoPay.pay(place.id, { amount: dice.int(1, amount - 1) })
  else if (how === 'more') cryptoPay.pay(place.id, { amount: amount + dice.int(1, amount) })
  else if (how === 'other asset') {
    cryptoPay.pay(place.id, { currency: intent.currency === 'TON' ? 'USDT' : 'TON' })
  } else cryptoPay.pay(place.id)
}

/** Telegram asks before it takes the stars. */
const isWelcome = async (world: World, paymentId: string): Promise<boolean> => {
  const response = await deliver(world.url(), world.providers.stars.preCheckout(paymentId))
  return ((await response.json()) as { ok?: boolean }).ok === true
}

const payStars = async (world: World, plan: Plan): Promise<void> => {
  if (plan.how === 'abandon') return
  const { stars } = world.providers
  const paymentId = stars.payments.get(plan.place.id)?.paymentId ?? ''
  const times = plan.how === 'twice' ? 2 : 1
  const answers = await Promise.all(Array.from({ length: times }, () => isWelcome(world, paymentId)))
  const isGone = world.journal.deletions.has(plan.customer.user.id)
  if (!isGone && answers.some((isAllowed) => isAllowed !== isInTime(world, plan))) {
    world.blame('Telegram was told otherwise whether a link may be paid', answers)
  }
  const userId = 5_000_000 + plan.customer.index
  for (const isAllowed of answers) if (isAllowed) stars.pay(plan.place.id, { userId })
  if (times === 2 && answers.every(Boolean)) world.tally.add('paid twice')
}

const payStripe = async (world: World, { place, how, dice, ...plan }: Plan): Promise<void> => {
  const { stripe } = world.providers
  stripe.expireDue()
  if (how === 'abandon' || stripe.payments.get(place.id)?.status !== 'open') return
  if (how === 'pay') stripe.pay(place.id)
  if (how !== 'by bank') return
  stripe.pay(place.id, { isDelayed: true })
  const isPaid = dice.chance(0.7)
  const dueAt = world.now() + dice.int(3600, 48 * 3600)
  plansOf(world).push({ ...plan, place, how: isPaid ? 'pay' : 'decline', dueAt, dice })
}

/** The bank's answer to a payment that took days. */
const settleStripe = async (world: World, { place, how }: Plan): Promise<void> => {
  world.providers.stripe.settle(place.id, how === 'pay')
}

const paySandbox = async (world: World, plan: Plan): Promise<void> => {
  const action = { pay: 'pay', decline: 'decline', 'put off': 'later' }[plan.how as 'pay']
  if (action === undefined) return
  const response = await fetch(`${world.url()}/pay/${plan.place.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action }),
  })
  await response.arrayBuffer()
  const expected = isInTime(world, plan) ? 200 : 409
  if (response.status !== expected) world.blame(`the sandbox answered ${response.status} to ${action}`)
}

const perform = async (world: World, plan: Plan): Promise<void> => {
  if (!isInTime(world, plan)) world.tally.add('tried late')
  switch (plan.place.provider) {
    case 'yookassa':
      return payYooKassa(world, plan)
    case 'crypto_pay':
      return payCrypto(world, plan)
    case 'stars':
      return payStars(world, plan)
    case 'stripe': {
      const isSubmitted = world.providers.stripe.payments.get(plan.place.id)?.status === 'complete'
      return isSubmitted ? settleStripe(world, plan) : payStripe(world, plan)
    }
    case 'sandbox':
      return paySandbox(world, plan)
  }
}
