import { ApiError } from '@sallyport/contract/errors'
import type { operatorFigures } from '@sallyport/contract/operator/figures/figures'
import { redacted } from '@sallyport/domain/text/redacted'
import type { Handlers } from '../../../core/call.ts'
import type { Vault } from '../../../core/kernel/vault.ts'
import { openEvent } from '../../../core/settlement/inbox.ts'
import { previewRefund, type RefundPreview } from '../../../core/settlement/refund-preview.ts'
import { type Db, inSnapshot } from '../../../db/client.ts'
import { shownTransfer } from '../common/ledger-accounts.ts'
import { usualPage } from '../common/search.ts'
import { listTransfersOf } from '../common/transfer-queries.ts'
import {
  findOrder,
  listEvents,
  listOrders,
  listPayments,
  listReceipts,
  listRefunds,
  type OrderRow,
} from './queries.ts'
import { inShownUnits, shownOrder } from './shown.ts'

const withType = (order: OrderRow) => ({ ...shownOrder(order), product_type: order.product })

/** Providers send JSON; whatever else it is, is shown as it came. */
const parsed = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : { text }
  } catch {
    return { text }
  }
}

const shownEvents = async (db: Db, vault: Vault, orderId: number) =>
  (await listEvents(db, orderId)).map(({ payload_sealed, ...event }) => {
    const text = openEvent(vault, { ...event, payload_sealed })
    return { ...event, payload: text === null ? null : (redacted(parsed(text)) as Record<string, unknown>) }
  })

const shownRefund = ({ to, problem, takesBack }: RefundPreview) => ({
  to,
  problem,
  takes_back: {
    days: takesBack.days,
    expires_at: takesBack.expiresAt,
    key: takesBack.key,
    balance: takesBack.balance,
    commission: takesBack.commission,
  },
})

export const orderHandlers: Pick<Handlers<typeof operatorFigures>, 'listOrders' | 'showOrder'> = {
  listOrders: ({ db, query }) =>
    inSnapshot(db, async (tx) => {
      const { limit = usualPage, before, user_id: userId, state, product_type: product } = query
      return (await listOrders(tx, { limit, before, userId, state, product })).map(withType)
    }),

  showOrder: async (call) => {
    const { db, vault, params } = call
    const seen = await inSnapshot(db, async (tx) => {
      const order = await findOrder(tx, params.id)
      if (!order) throw new ApiError('NOT_FOUND')
      return {
        ...withType(order),
        payments: (await listPayments(tx, order.id)).map(inShownUnits),
        receipts: (await listReceipts(tx, order.id)).map(inShownUnits),
        refunds: (await listRefunds(tx, order.id)).map(inShownUnits),
        events: await shownEvents(tx, vault, order.id),
        transfers: (await listTransfersOf(tx, order.id)).map(shownTransfer),
      }
    })
    const preview = shownRefund(await previewRefund(db, call, params.id))
    return { ...seen, refund_now: { ...preview, amount: seen.amount, currency: seen.currency } }
  },
}
