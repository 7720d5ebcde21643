import { ApiError } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import type { Handlers } from '../../../core/call.ts'
import { asId } from '../../../core/customers/search.ts'
import { inSnapshot } from '../../../db/client.ts'
import { shownTransfer } from '../common/ledger-accounts.ts'
import { usualPage } from '../common/search.ts'
import { listTransfersOf } from '../common/transfer-queries.ts'
import { findOrder, listOrders, listReceipts, listRefunds, searchOrders } from './queries.ts'
import { inShownUnits, shownOrder } from './shown.ts'

export const paymentHandlers: Pick<Handlers<typeof operatorMoney>, 'searchPayments' | 'showPayment'> = {
  searchPayments: ({ db, query }) =>
    inSnapshot(db, async (tx) => {
      const { limit = usualPage, before, state, provider } = query
      const search = query.search?.trim()
      const found = search === undefined ? undefined : await searchOrders(tx, search, asId(search))
      const filter = { limit, before, userId: query.user_id, state, provider }
      return (await listOrders(tx, filter, found)).map(shownOrder)
    }),

  showPayment: ({ db, params }) =>
    inSnapshot(db, async (tx) => {
      const order = await findOrder(tx, params.id)
      if (!order) throw new ApiError('NOT_FOUND')
      return {
        ...shownOrder(order),
        receipts: (await listReceipts(tx, order.id)).map(inShownUnits),
        refunds: (await listRefunds(tx, order.id)).map(inShownUnits),
        transfers: (await listTransfersOf(tx, order.id)).map(shownTransfer),
      }
    }),
}
