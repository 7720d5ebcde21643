import type { PaymentRecord, PaymentType } from '@sallyport/contract/customer/money-shapes'
import type { profile } from '@sallyport/contract/customer/profile'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../core/call.ts'
import { listOrders, type OrderRow } from './history-queries.ts'

const pageSize = 100

const typesOfProducts: Readonly<Record<string, PaymentType>> = {
  configs: 'new_config',
  cloud_servers: 'cloud_server',
  paid_options: 'paid_option',
  balance: 'balance_topup',
}

/** Money that came and was given back later was paid nevertheless. */
const paidStates: ReadonlySet<string> = new Set(['paid', 'fulfilled', 'refunded'])

/** Options are bought again rather than renewed, unless they renew themselves. */
const typeOf = ({ product, is_renewal, period_end }: OrderRow): PaymentType | null => {
  const isRenewal = is_renewal && (product !== 'paid_options' || period_end !== null)
  return isRenewal ? 'renewal' : (typesOfProducts[product] ?? null)
}

const recordOf = (order: OrderRow): PaymentRecord => ({
  id: order.id,
  amount: order.method === null ? null : String(shown(order.price, order.currency)),
  type: typeOf(order),
  method: order.method ?? 'promocode',
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
