import { toRoubles } from '@sallyport/domain/money/exchange'
import { Dice } from './dice.ts'
import { changeDays, giveProduct, sure } from './gifts.ts'
import { changeServers, resetTraffic, switchOff, switchOn } from './options/desk.ts'
import type { World } from './world.ts'

/** The operator's day: refunds, payouts, codes, rates, personal prices, alerts. */

interface ShownOrder {
  readonly id: number
  readonly user_id: number
  readonly method: string
}

/** What an alert says of money that does not fit its order. */
interface WrongAmount {
  readonly order_id: number
  readonly amount: number
  readonly currency: string
}

const innerMethods = ['balance', 'referral', 'promocode', 'gift']

const refund = async (world: World, dice: Dice): Promise<void> => {
  const { data } = await world.operator('GET', '/payments?state=fulfilled&limit=60')
  const order = dice.pickOr<ShownOrder>(data)
  if (!order) return
  const to = innerMethods.includes(order.method) || dice.chance(0.35) ? 'balance' : 'source'
  const isCrypto = order.method === 'ton' || order.method === 'usdt'
  const recipient = isCrypto && dice.chance(0.8) ? { recipient: String(7_000_000 + order.user_id) } : {}
  const body = { to, reason: 'the customer asked', ...recipient }
  const path = `/payments/${order.id}/refund`
  const reply = await sure(world, dice, path, body, `refund-${order.id}-${world.now()}`)
  if (reply.errorCode !== 0 && reply.errorCode !== 6) world.blame('a refund was answered', reply.message)
  world.tally.add(reply.errorCode === 0 ? `refund to ${to}` : 'refund refused')
}

const decideWithdrawals = async (world: World, dice: Dice): Promise<void> => {
  const { data } = await world.operator('GET', '/withdrawals?status=pending')
  for (const { id } of data as { id: number }[]) {
    if (dice.chance(0.4)) continue
    const isPaid = dice.chance(0.7)
    const key = `withdrawal-${id}-${world.now()}`
    const path = `/withdrawals/${id}/${isPaid ? 'approve' : 'reject'}`
    const reply = await sure(world, dice, path, isPaid ? {} : { reason: 'another name' }, key)
    if (reply.errorCode !== 0) world.blame('a withdrawal was not decided', reply.message)
    world.tally.add(isPaid ? 'withdrawals paid' : 'withdrawals rejected')
  }
}

const issueCodes = async (world: World, dice: Dice): Promise<void> => {
  const days = dice.pick([7, 30, 45, 90])
  const life = dice.chance(0.5) ? { expires_at: world.now() + 30 * 86_400 } : {}
  const product_type = dice.weighted({ configs: 55, paid_options: 30, cloud_servers: 15 })
  const body = { product_type, days, count: 2, ...life }
  const { data } = await sure(world, dice, '/promocodes', body, `codes-${world.now()}`)
  for (const code of data.codes) {
    if (product_type === 'paid_options') world.journal.optionCodes.set(code, { days })
    else if (product_type === 'cloud_servers') world.journal.machineCodes.set(code, days)
    else world.journal.codes.set(code, days)
  }
  world.tally.add('promocodes issued', data.codes.length)
}

const revokeCode = async (world: World, dice: Dice): Promise<void> => {
  const { data } = await world.operator('GET', '/promocodes?is_active=true&limit=30')
  const code = dice.pickOr<{ id: number }>(data)
  if (!code) return
  const { status, message } = await world.operator('DELETE', `/promocodes/${code.id}`)
  if (status !== 200) world.blame('a code was not revoked', message)
  world.tally.add('promocodes revoked')
}

const usualRub: Readonly<Record<string, number>> = { TON: 285.714286, USDT: 90.909091, XTR: 1.666667 }

export const setRate = async (world: World, currency: string, rub: number, hours: number | null) => {
  const body = { rub, valid_hours: hours }
  const { status, message } = await world.operator('PUT', `/rates/${currency}`, { body })
  if (status !== 200) return world.blame('a rate was not set', message)
  const until = hours === null ? Number.POSITIVE_INFINITY : world.now() + hours * 3600
  world.journal.rates.push({ currency, microRub: Math.round(rub * 1e6), since: world.now(), until })
}

const changeRate = (world: World, dice: Dice): Promise<void> => {
  const currency = dice.pick(Object.keys(usualRub))
  const rub = Math.round((usualRub[currency] as number) * (0.8 + dice.int(0, 40) / 100) * 1e4) / 1e4
  return setRate(world, currency, rub, dice.chance(0.3) ? 5 * 24 : null)
}

/** The rates of the beginning, and again wherever one ran out. */
export const setUsualRates = async (world: World): Promise<void> => {
  for (const [currency, rub] of Object.entries(usualRub)) {
    if (world.journal.rateAt(currency, world.now()) === undefined) await setRate(world, currency, rub, null)
  }
}

const addRule = async (world: World, dice: Dice): Promise<void> => {
  const { openings, deletions } = world.journal
  const userId = dice.pickOr([...openings.keys()].filter((id) => !deletions.has(id)))
  if (userId === undefined) return
  const type = dice.pick(['all', 'configs', 'config', 'paid_options', 'paid_option'] as const)
  const productId = type === 'config' ? dice.int(1, 4) : type === 'paid_option' ? dice.int(1, 2) : null
  const percent = dice.pick([-100, -50, -25, -12.5, -7.25, 10])
  const body = { type, product_id: productId, percent }
  const { data } = await world.operator('POST', `/users/${userId}/pricing-rules`, { body })
  const until = Number.POSITIVE_INFINITY
  world.journal.rules.push({ userId, id: data.id, type, productId, percent, since: world.now(), until })
}

const deleteRule = async (world: World, dice: Dice): Promise<void> => {
  const { rules, deletions } = world.journal
  const rule = dice.pickOr(
    rules.filter(({ until, userId }) => until === Number.POSITIVE_INFINITY && !deletions.has(userId)),
  )
  if (!rule) return
  rule.until = world.now()
  await world.operator('DELETE', `/users/${rule.userId}/pricing-rules/${rule.id}`)
}

const creditReceipt = async (
  world: World,
  dice: Dice,
  subject: string,
  details: WrongAmount,
): Promise<void> => {
  const id = Number(subject.split(':')[1])
  const rate = world.journal.rateAt(details.currency, world.now()) ?? 0
  const path = `/receipts/${id}/credit`
  const reply = await sure(world, dice, path, { reason: 'agreed' }, `credit-${id}`)
  const valueRub = toRoubles(details.amount, details.currency, rate)
  if (reply.data?.value_rub !== valueRub) world.blame(`money put aside, worth ${valueRub}`, reply.message)
  world.journal.credits.set(id, valueRub)
  world.tally.add('credits of money put aside')
}

const payerOf = async (world: World, { order_id }: WrongAmount): Promise<number> =>
  (await world.operator('GET', `/payments/${order_id}`)).data.user_id

const adjust = async (world: World, dice: Dice, details: WrongAmount): Promise<void> => {
  const { order_id } = details
  const userId = await payerOf(world, details)
  const body = { account: 'wallet', amount: 50, reason: 'a payment of another amount' }
  const reply = await sure(world, dice, `/users/${userId}/balance`, body, `adjust-${order_id}`)
  if (reply.errorCode !== 0) world.blame('a balance was not adjusted', reply.message)
  world.journal.adjustments.push({ userId, amount: body.amount })
}

/** Wrong money goes to the balance, or is made good by hand, or is kept. */
const resolveAlerts = async (world: World, dice: Dice): Promise<void> => {
  const { data } = await world.operator('GET', '/alerts?is_open=true&limit=20')
  for (const { id, kind, subject, details } of data) {
    const wish = kind === 'wrong_amount' ? dice.pick(['credit', 'adjust', 'keep']) : 'keep'
    // Nobody is credited whose account is gone.
    const isGone = wish !== 'keep' && world.journal.deletions.has(await payerOf(world, details))
    const how = isGone ? 'keep' : wish
    if (how === 'credit') await creditReceipt(world, dice, subject, details)
    if (how === 'adjust') await adjust(world, dice, details)
    if (how !== 'credit') await world.operator('POST', `/alerts/${id}/resolve`, { body: {} })
    world.tally.add('alerts resolved')
  }
}

const routes: Readonly<Record<number, string>> = {
  2: 'yookassa',
  3: 'stripe',
  4: 'crypto_pay',
  5: 'crypto_pay',
  6: 'stars',
}

const route = async (world: World, method: number, provider: string): Promise<void> => {
  const { status, message } = await world.operator('PATCH', `/payment-methods/${method}`, {
    body: { provider },
  })
  if (status !== 200) world.blame('a method was not given to a provider', message)
}

export const useRealProviders = async (world: World): Promise<void> => {
  for (const [method, provider] of Object.entries(routes)) await route(world, Number(method), provider)
}

/** For some days a method goes through the sandbox, or cards through the other bank. */
const reroute = async (world: World, dice: Dice): Promise<void> => {
  await useRealProviders(world)
  const method = dice.int(2, 6)
  if (dice.chance(0.7)) await route(world, method, method === 3 && dice.chance(0.4) ? 'yookassa' : 'sandbox')
}

const daily: readonly (readonly [share: number, work: (world: World, dice: Dice) => Promise<void>])[] = [
  [0.45, refund],
  [0.25, decideWithdrawals],
  [0.14, issueCodes],
  [0.06, revokeCode],
  [0.1, changeRate],
  [0.25, addRule],
  [0.15, deleteRule],
  [0.15, resolveAlerts],
  [0.08, reroute],
  [0.08, switchOff],
  [0.12, switchOn],
  [0.12, resetTraffic],
  [0.025, changeServers],
  [0.2, giveProduct],
  [0.3, changeDays],
]

/** Some of it each day. */
export const workInOffice = async (world: World, day: number, officeShare: number): Promise<void> => {
  await setUsualRates(world)
  for (const [number, [share, work]] of daily.entries()) {
    const dice = new Dice(world.seed, 700, day, number)
    if (dice.chance(share * officeShare)) await work(world, dice)
  }
}
