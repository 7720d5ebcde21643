import type { PaymentRecord } from '@sallyport/contract/customer/money-shapes'
import type { profile } from '@sallyport/contract/customer/profile'
import { isProductClass, type PaymentType } from '@sallyport/contract/product-types'
import { products } from '@sallyport/contract/products'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../core/call.ts'
import { listOrders, type OrderRow } from './history-queries.ts'

const pageSize = 100

/** Money that came and was given back later was paid nevertheless. */
const paidStates: ReadonlySet<string> = new Set(['paid', 'fulfilled', 'refunded'])

/** What another release sold has no type here. What renewed itself is a renewal, whatever it is. */
const typeOf = ({ product, is_renewal, period_end }: OrderRow): PaymentType | null => {
  if (product === 'balance') return 'balance_topup'
  if (!isProductClass(product)) return null
  if (is_renewal && period_end !== null) return 'renewal'
  const { bought, renewed } = products[product].payments
  return is_renewal ? renewed : bought
}

export const recordOf = (order: OrderRow): PaymentRecord => ({
  id: order.id,
  amount: order.method === null ? null : String(shown(order.price, order.currency)),
  type: typeOf(order),
  method: order.method ?? (order.is_gift ? 'gift' : 'promocode'),
  days: order.product === 'balance' ? 0 : order.days,
  is_paid: paidStates.has(order.state),
  as_key: order.as_key,
  created_at: order.created_at,
})

export const historyHandlers: Pick<Handlers<typeof profile>, 'listPayments'> = {
  listPayments: async ({ db, userId, query }) => {
    const page = { limit: query.limit ?? pageSize, offset: query.offset ?? 0 }
    return (await listOrders(db, userId, page)).map(recordOf)
  },
}
