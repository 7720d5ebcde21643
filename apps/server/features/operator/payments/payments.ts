import { ApiError } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { asId } from '../../../core/customers/search.ts'
import { inSnapshot } from '../../../db/client.ts'
import { usualPage } from '../common/search.ts'
import {
  findOrder,
  findOrderIds,
  listOrders,
  listReceipts,
  listRefunds,
  listTransfers,
  type OrderRow,
  type TransferAccount,
} from './queries.ts'

const inShownUnits = <T extends { amount: number; currency: string }>(row: T): T => ({
  ...row,
  amount: shown(row.amount, row.currency),
})

const shownOrder = ({ price, ...order }: OrderRow) => inShownUnits({ ...order, amount: price })

/** `wallet of 12`, `revenue TON`, `provider yookassa RUB`. */
const accountName = ({ kind, user_id: userId, provider, currency }: TransferAccount): string => {
  const name = kind.replaceAll('_', ' ')
  if (userId !== null) return `${name} of ${userId}`
  return provider === null ? `${name} ${currency}` : `${name} ${provider} ${currency}`
}

export const paymentHandlers: Pick<Handlers<typeof operatorMoney>, 'searchPayments' | 'showPayment'> = {
  searchPayments: async ({ db, query }) => {
    const { limit = usualPage, before, state, provider } = query
    const search = query.search?.trim()
    const ids = search === undefined ? undefined : await findOrderIds(db, search, asId(search))
    const filter = { limit, before, userId: query.user_id, state, provider }
    return (await listOrders(db, filter, ids)).map(shownOrder)
  },

  showPayment: ({ db, params }) =>
    inSnapshot(db, async (tx) => {
      const order = await findOrder(tx, params.id)
      if (!order) throw new ApiError('NOT_FOUND')
      const transfers = await listTransfers(tx, order.id)
      return {
        ...shownOrder(order),
        receipts: (await listReceipts(tx, order.id)).map(inShownUnits),
        refunds: (await listRefunds(tx, order.id)).map(inShownUnits),
        transfers: transfers.map(({ from, to, ...row }) => ({
          ...inShownUnits({ ...row, currency: from.currency }),
          from: accountName(from),
          to: accountName(to),
        })),
      }
    }),
}
