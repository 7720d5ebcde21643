import { toRoubles } from '@sallyport/domain/money/exchange'
import { decimalsOf } from '@sallyport/domain/money/money'
import { asCustomer, type Customer, listConfigs } from './customer.ts'
import type { Dice } from './dice.ts'
import type { Intent, Kind } from './journal.ts'
import { planPayment } from './paying.ts'
import type { Reply, World } from './world.ts'

/** Customers who buy, renew and top up. */

export interface ShownMethod {
  readonly id: number
  readonly currency: string
  readonly tariffs: readonly { readonly id: number; readonly days: number; readonly price: number }[]
}

const methodWeights: Readonly<Record<string, number>> = {
  '1': 34,
  '2': 14,
  '3': 14,
  '4': 7,
  '5': 7,
  '6': 12,
  '7': 10,
}
const protocols = ['vless', 'trojan', 'outline', 'shadowsocks-2022', 'hysteria2', 'wg']
const locations = [1, 2, 3, 7, 12, 18]
const maxTries = 4

/** No such code, no room, too many guesses: what an honest customer may hear. */
const fairRefusals = [21, 22, 5]
const noMoney = [20, 47]

const units = (price: number, currency: string): number => Math.round(price * 10 ** decimalsOf(currency))

const chooseMethod = <T extends { readonly id: number }>(dice: Dice, methods: readonly T[]): T => {
  const ids = methods.map(({ id }) => [String(id), methodWeights[id] ?? 0])
  const id = dice.weighted(Object.fromEntries(ids) as Record<string, number>)
  return methods.find((method) => String(method.id) === id) as T
}

const worthIn = (world: World, currency: string) => {
  const rate = currency === 'RUB' ? 1_000_000 : world.journal.rateAt(currency, world.now())
  return (price: number): number => (rate === undefined ? Number.NaN : toRoubles(price, currency, rate))
}

const keep = (world: World, intent: Intent, { data }: Reply): void => {
  if (data.link !== undefined) intent.link = data.link
  else if (data.promocode !== undefined) {
    intent.code = data.promocode
    const { optionId } = intent
    if (optionId === undefined) world.journal.codes.set(data.promocode, data.days)
    else world.journal.optionCodes.set(data.promocode, { days: data.days, optionId })
  } else intent.configId = data.id
}

/** Without a tariff before there is none to repeat, and the poor are now and then looked in the purse. */
const isFair = async (
  world: World,
  customer: Customer,
  dice: Dice,
  { means, days, quote }: Intent,
  { errorCode, message }: Reply,
): Promise<boolean> => {
  if (errorCode === 3) return days === undefined || message.includes('switched off by the operator')
  if (!noMoney.includes(errorCode)) return fairRefusals.includes(errorCode)
  if (days === undefined || !dice.chance(0.25)) return true
  const { data } = await asCustomer(world, customer, 'GET', '/profile')
  return (means === 'balance' ? data.balance : data.referral_balance) < (quote.get(days) ?? 0)
}

/** Sends it until there is an answer that says something; now and then once more, as if the answer was lost. */
export const submit = async (
  world: World,
  customer: Customer,
  dice: Dice,
  path: string,
  body: object,
  wish: Omit<Intent, 'userId' | 'at' | 'outcome'>,
): Promise<Reply> => {
  const key = `${customer.index}-${customer.requests++}`
  const intent: Intent = { ...wish, userId: customer.user.id, at: world.now(), outcome: 'unknown' }
  let reply = await asCustomer(world, customer, 'POST', path, { body, key })
  for (let tries = 1; reply.status === 503 && tries < maxTries && dice.chance(0.85); tries++) {
    world.tally.add('repeats')
    reply = await asCustomer(world, customer, 'POST', path, { body, key })
  }
  if (reply.status === 503) {
    world.journal.intents.push(intent)
  } else if (reply.errorCode === 0) {
    intent.outcome = 'done'
    keep(world, intent, reply)
    world.journal.intents.push(intent)
    if (dice.chance(0.06)) await repeat(world, customer, path, { body, key }, reply)
    if (intent.link) await planPayment(world, customer, intent, dice)
  } else if (!(await isFair(world, customer, dice, intent, reply))) {
    world.blame(`${path} refused`, `${JSON.stringify(body)} ${reply.message}`)
  }
  return reply
}

const repeat = async (
  world: World,
  customer: Customer,
  path: string,
  question: { body: object; key: string },
  first: Reply,
): Promise<void> => {
  world.tally.add('replays')
  const again = await asCustomer(world, customer, 'POST', path, question)
  const isSame = JSON.stringify(again.data) === JSON.stringify(first.data)
  if (!again.isReplay || !isSame) world.blame('a repeat was answered otherwise', again.message)
}

const meansOf = (method: { readonly id: number }): Intent['means'] =>
  method.id === 1 ? 'balance' : method.id === 7 ? 'referral' : 'link'

/** Prices the customer is shown, and the one chosen among them. */
const choose = async (world: World, customer: Customer, dice: Dice, kind: Kind) =>
  chooseAmong(world, dice, (await asCustomer(world, customer, 'GET', '/configs/tariffs')).data, kind)

export const chooseAmong = (world: World, dice: Dice, methods: readonly ShownMethod[], kind: Kind) => {
  const method = chooseMethod(dice, methods)
  const tariff = dice.chance(0.6) ? method.tariffs[0] : dice.pick(method.tariffs)
  const { currency } = method
  const quote = new Map(method.tariffs.map(({ days, price }) => [days, units(price, currency)]))
  const worthOf = worthIn(world, currency)
  const wish = { kind, means: meansOf(method), currency, quote, days: tariff?.days, worthOf }
  return { body: { payment_method_id: method.id, tariff_id: tariff?.id }, wish }
}

const place = (dice: Dice) => ({ location_id: dice.pick(locations), protocol: dice.pick(protocols) })

export const buy = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const isKey = dice.chance(0.14)
  const { body, wish } = await choose(world, customer, dice, isKey ? 'key' : 'config')
  const rest = isKey ? { as_key: true } : { ...place(dice), enable_auto_renewal: dice.chance(0.5) }
  await submit(world, customer, dice, '/configs', { ...body, ...rest }, wish)
}

export const renew = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const config = dice.pickOr(await listConfigs(world, customer))
  if (!config) return buy(world, customer, dice)
  const { body, wish } = await choose(world, customer, dice, 'renewal')
  const isAsBefore = dice.chance(0.2)
  await submit(
    world,
    customer,
    dice,
    `/configs/renewal/${config.id}`,
    {
      payment_method_id: body.payment_method_id,
      ...(!isAsBefore && { tariff_id: body.tariff_id }),
      ...(dice.chance(0.2) && { enable_auto_renewal: dice.chance(0.7) }),
    },
    isAsBefore ? { ...wish, days: undefined } : wish,
  )
}

const codeToUse = async (world: World, customer: Customer, dice: Dice): Promise<string> => {
  const whose = dice.weighted({ own: 35, known: 50, wrong: 15 })
  if (whose === 'own') {
    const own = (await asCustomer(world, customer, 'GET', '/profile/promocodes')).data
    const usable = own.filter(
      (key: { is_active: boolean; product_type: string }) => key.is_active && key.product_type === 'configs',
    )
    for (const { code, activation_days } of usable) world.journal.codes.set(code, activation_days)
    if (usable.length > 0) return dice.pick<{ code: string }>(usable).code
  }
  const known = [...world.journal.codes.keys()].slice(-30)
  return whose === 'wrong' || known.length === 0 ? '0000-1111-2222-3333' : dice.pick(known)
}

/** One's own key, a friend's, one that the operator gave, or none that exists. */
export const useCode = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const code = await codeToUse(world, customer, dice)
  const config = dice.chance(0.5) ? dice.pickOr(await listConfigs(world, customer)) : undefined
  const days = world.journal.codes.get(code) ?? 0
  const wish = {
    kind: config ? 'renewal' : 'config',
    means: 'promocode',
    currency: 'RUB',
    quote: new Map([[days, 0]]),
    days,
    worthOf: () => 0,
  } as const
  const path = config ? `/configs/renewal/${config.id}` : '/configs'
  const body = { promocode: code, ...(!config && place(dice)) }
  const { errorCode } = await submit(world, customer, dice, path, body, wish)
  world.tally.add(errorCode === 0 ? 'promocodes used' : 'promocodes refused')
  if (errorCode !== 0) return
  if (world.journal.usedCodes.has(code)) world.blame('a code was used twice', code)
  world.journal.usedCodes.add(code)
}

const topUpsRub = [100, 200, 300, 500, 1000, 2000, 5000]

interface Offer {
  readonly id: number
  readonly currency: string
  readonly price: number
}

export const topUp = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const amount = dice.pick(topUpsRub)
  const path = `/profile/balance/calculate?amount=${amount}`
  const offers: readonly Offer[] = (await asCustomer(world, customer, 'GET', path)).data
  const { id, currency, price } = chooseMethod(dice, offers)
  const quote = new Map([[0, units(price, currency)]])
  const wish = { kind: 'top-up', means: 'link', currency, quote, days: 0, worthOf: () => amount } as const
  const body = { amount, payment_method_id: id }
  await submit(world, customer, dice, '/profile/balance/topup', body, wish)
}
