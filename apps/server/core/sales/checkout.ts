import { badRequest, conflict } from '@sallyport/contract/errors'
import { worthOfDays } from '@sallyport/domain/money/pricing'
import type { Db } from '../../db/client.ts'
import type { PaymentProvider } from '../../ports/payments.ts'
import { transfer } from '../ledger/ledger.ts'
import { AwaitingLink } from './awaiting-link.ts'
import { type Granted, grantOrder } from './grant-order.ts'
import { insertPayment } from './new-payments.ts'
import { countUnpaid, insertOrder, type NewOrder } from './orders.ts'
import { type InnerMethod, isInner, listPrices, type Quote, quote } from './prices.ts'
import type { GrantContext, Products, Sold } from './products.ts'
import { noteRedemption, redeemPromocode } from './promocodes.ts'

/** Buying and renewing, whatever the product and however it is paid. */

export interface Till extends GrantContext {
  readonly products: Products
  readonly providers: ReadonlyMap<string, PaymentProvider>
}

export interface Basket extends Sold {
  readonly userId: number
  /** What the product needs to know to grant it later. */
  readonly purchase: object
  readonly itemId: number | null
  readonly isRenewal: boolean
  readonly asKey: boolean
  /** Of an automatic renewal. */
  readonly periodEnd?: number
}

export type Payment =
  | { readonly promocode: string }
  | { readonly paymentMethodId: number; readonly tariffId: number }

export type Bought = Granted & { readonly days: number }

/** Links to a provider live this long. */
export const linkTtlSeconds = 3600

const chargeKinds = { balance: 'wallet', referral: 'referral' } as const

const orderOf = (basket: Basket, quoted: Quote, now: number): Omit<NewOrder, 'state'> => ({
  ...basket,
  paymentMethodId: quoted.method.method_id,
  tariffId: quoted.tariffId,
  days: quoted.days,
  price: quoted.price.charged,
  currency: quoted.method.currency,
  valueRub: quoted.valueRub,
  priceSteps: { ...quoted.price, currency: quoted.method.currency, micro_rub: quoted.method.micro_rub },
  now,
})

const grantNow = (tx: Db, till: Till, id: number, order: Omit<NewOrder, 'state'>): Promise<Granted> =>
  grantOrder(tx, till, { ...order, id, paidAt: till.now })

/** Charged and granted in one go; throws when there is not enough money. */
export const payInside = async (tx: Db, till: Till, basket: Basket, quoted: Quote): Promise<Granted> => {
  const order = orderOf(basket, quoted, till.now)
  const id = await insertOrder(tx, { ...order, state: 'paid' })
  await transfer(tx, {
    cause: `order:${id}:charge`,
    kind: 'purchase',
    from: { userId: basket.userId, kind: chargeKinds[quoted.method.method_key as InnerMethod] },
    to: { kind: 'revenue' },
    amount: quoted.price.charged,
    orderId: id,
    now: till.now,
  })
  return grantNow(tx, till, id, order)
}

const maxUnpaid = 50

/** Every open link is looked after at its provider, so nobody may have them without number. */
const refuseTooMany = async (tx: Db, userId: number): Promise<void> => {
  if ((await countUnpaid(tx, userId)) < maxUnpaid) return
  throw conflict(
    'payment_method_id',
    `has ${maxUnpaid} unpaid links already; pay one, or wait until they end`,
  )
}

const payOutside = async (tx: Db, till: Till, basket: Basket, quoted: Quote): Promise<AwaitingLink> => {
  await refuseTooMany(tx, basket.userId)
  const expiresAt = till.now + linkTtlSeconds
  const order = { ...orderOf(basket, quoted, till.now), state: 'created', expiresAt } as const
  const orderId = await insertOrder(tx, order)
  return new AwaitingLink(await insertPayment(tx, { orderId, method: quoted.method, ...order }))
}

/** What is given away would have cost so much, for the books. */
const worth = async (tx: Db, till: Till, basket: Basket, days: number): Promise<number> => {
  const prices = await listPrices(tx, { ...till, userId: basket.userId }, basket)
  const fromBalance = prices.filter((price) => price.method_key === 'balance')
  return worthOfDays(fromBalance, days)
}

/** Earned and spent at once, so that the books tell what was given away. */
const bookGift = async (tx: Db, orderId: number, amount: number, now: number): Promise<void> => {
  if (amount === 0) return
  const [from, to] = [{ kind: 'promocode_expense' }, { kind: 'revenue' }] as const
  await transfer(tx, { cause: `order:${orderId}:gift`, kind: 'gift', from, to, amount, orderId, now })
}

const payByPromocode = async (tx: Db, till: Till, basket: Basket, code: string): Promise<Bought> => {
  if (basket.asKey) throw badRequest('as_key', 'cannot be paid with a promocode; use the promocode itself')
  const { userId, product, productId } = basket
  const { now } = till
  const key = await redeemPromocode(tx, till.vault, { code, product, productId, userId, now })
  const order = {
    ...basket,
    paymentMethodId: null,
    promocodeId: key.id,
    tariffId: null,
    days: key.days,
    price: 0,
    currency: 'RUB',
    valueRub: 0,
    priceSteps: { promocode_id: key.id },
    now,
  }
  const id = await insertOrder(tx, { ...order, state: 'paid' })
  await noteRedemption(tx, key.id, id)
  if (key.isGift) await bookGift(tx, id, await worth(tx, till, basket, key.days), now)
  return { ...(await grantNow(tx, till, id, order)), days: key.days }
}

/** Granted without payment: an order of price 0. Returns the item. */
export const give = async (
  tx: Db,
  till: Till,
  basket: Basket,
  days: number,
): Promise<{ orderId: number; itemId: number }> => {
  const worthRub = await worth(tx, till, basket, days)
  const order = {
    ...basket,
    paymentMethodId: null,
    isGift: true,
    tariffId: null,
    days,
    price: 0,
    currency: 'RUB',
    valueRub: 0,
    priceSteps: { list: worthRub, charged: 0 },
    now: till.now,
  }
  const orderId = await insertOrder(tx, { ...order, state: 'paid' })
  await bookGift(tx, orderId, worthRub, till.now)
  const { itemId } = await grantNow(tx, till, orderId, order)
  return { orderId, itemId: itemId as number }
}

/** Paid inside the service it is granted at once; otherwise it waits for a payment by link. */
export const checkout = async (
  tx: Db,
  till: Till,
  basket: Basket,
  payment: Payment,
): Promise<Bought | AwaitingLink> => {
  if ('promocode' in payment) {
    return payByPromocode(tx, till, basket, payment.promocode)
  }
  const quoted = await quote(tx, { ...till, userId: basket.userId }, basket, payment)
  if (!isInner(quoted.method.method_key)) return payOutside(tx, till, basket, quoted)
  return { ...(await payInside(tx, till, basket, quoted)), days: quoted.days }
}

/** Money for the balance itself comes from outside only. */
export const topUp = async (
  tx: Db,
  till: Till,
  wanted: {
    readonly userId: number
    readonly amountRub: number
    readonly price: number
    readonly method: Quote['method']
  },
): Promise<AwaitingLink> => {
  const { userId, amountRub, price, method } = wanted
  await refuseTooMany(tx, userId)
  const expiresAt = till.now + linkTtlSeconds
  const order = {
    userId,
    product: 'balance',
    productId: null,
    state: 'created',
    paymentMethodId: method.method_id,
    tariffId: null,
    days: 0,
    price,
    currency: method.currency,
    valueRub: amountRub,
    priceSteps: { list: price, ruleId: null, percent: 0, charged: price, micro_rub: method.micro_rub },
    purchase: {},
    itemId: null,
    isRenewal: false,
    asKey: false,
    expiresAt,
    now: till.now,
  } as const
  const orderId = await insertOrder(tx, order)
  return new AwaitingLink(await insertPayment(tx, { orderId, method, ...order }))
}
