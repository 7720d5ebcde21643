import { sql } from 'kysely'
import { expireOrders, takeOrdersToGrant } from '../apps/server/core/sales/orders.ts'
import { listPrices } from '../apps/server/core/sales/prices.ts'
import { releaseCommissions } from '../apps/server/core/settlement/commissions.ts'
import { takeEvents } from '../apps/server/core/settlement/inbox.ts'
import {
  findPaymentBy,
  markAwaited,
  takeAwaited,
  takePaymentsToCheck,
} from '../apps/server/core/settlement/payments.ts'
import { findAcceptedReceipt, findReceipt } from '../apps/server/core/settlement/receipts.ts'
import { isBeingRefunded, takeDueRefunds } from '../apps/server/core/settlement/refund-rows.ts'
import { eraseOldAccounts } from '../apps/server/core/settlement/withdrawals.ts'
import { customers, type Rollup, sales } from '../apps/server/core/statistics/facts.ts'
import type { Db } from '../apps/server/db/client.ts'
import { configSold } from '../apps/server/features/configs/product.ts'
import { countContents, readLocations } from '../apps/server/features/operator/catalogue/location-queries.ts'
import { readConfigTariffs } from '../apps/server/features/operator/catalogue/queries.ts'
import { listTransfersOf } from '../apps/server/features/operator/common/transfer-queries.ts'
import { listTransferRows } from '../apps/server/features/operator/figures/ledger-queries.ts'
import { countWaiting } from '../apps/server/features/operator/figures/queries.ts'
import {
  listEvents,
  listOrders as listEveryOrder,
  searchOrders,
} from '../apps/server/features/operator/orders/queries.ts'
import { listWithdrawalRows } from '../apps/server/features/operator/withdrawals/queries.ts'
import { listOrders } from '../apps/server/features/profile/history-queries.ts'
import { takeNotifications } from '../apps/server/features/profile/notification-queries.ts'
import { findPayment } from '../apps/server/features/profile/payment-queries.ts'
import { boughtPromocodes } from '../apps/server/features/profile/promocode-queries.ts'
import { listReferralRows } from '../apps/server/features/profile/referral-queries.ts'
import type { Work } from './scans.ts'

/** Every list, search and job about money. */

const early = 1_700_000_000

/** As whoever reads counts what is new. Ten minutes here are hours of a shop with as many orders in a year. */
const counted = (tx: Db, rollup: Rollup, now: number) =>
  sql`select count(*) from (${rollup.facts({ from: now, to: now + 600 })}) f`.execute(tx)

export const moneyWorks = (userId: number): readonly Work[] => {
  const now = early + 100_000
  const ids = { paymentId: 'payment77', providerPaymentId: null }
  return [
    ['payments history', (tx) => listOrders(tx, userId, { limit: 100, offset: 0 })],
    [
      'one of the history',
      async (tx) => {
        const [order] = await listOrders(tx, userId, { limit: 1, offset: 0 })
        await findPayment(tx, { id: order?.id ?? 9, userId, now })
      },
    ],
    ['referral records', (tx) => listReferralRows(tx, userId, { limit: 100, offset: 0 })],
    ['bought keys', (tx) => boughtPromocodes(tx, { buyerId: userId, limit: 100, offset: 0, now }).execute()],
    ['notifications', (tx) => takeNotifications(tx, userId, 'en', now)],
    ['prices', (tx) => listPrices(tx, { userId, now, providers: new Map() }, configSold)],
    ['a payment by our id', (tx) => findPaymentBy(tx, 'yookassa', ids)],
    [
      'a payment by theirs',
      (tx) => findPaymentBy(tx, 'yookassa', { paymentId: null, providerPaymentId: 'outside9' }),
    ],
    ['a receipt', (tx) => findReceipt(tx, 'yookassa', 'receipt9')],
    ['the receipt of an order', (tx) => findAcceptedReceipt(tx, 9)],
    ['a refund under way', (tx) => isBeingRefunded(tx, 9)],
    ['orders to grant', (tx) => takeOrdersToGrant(tx, now, 50)],
    ['orders to expire', (tx) => expireOrders(tx, now)],
    ['payments to check', (tx) => takePaymentsToCheck(tx, now, 50)],
    ['a payment that somebody waits for', (tx) => markAwaited(tx, 9, now)],
    ['payments that somebody waits for', (tx) => takeAwaited(tx, 'yookassa', { now, limit: 5 })],
    ['refunds to pursue', (tx) => takeDueRefunds(tx, now, 50)],
    ['events to settle', (tx) => takeEvents(tx, now)],
    ['commissions to release', (tx) => releaseCommissions(tx, early)],
    ['accounts to erase', (tx) => eraseOldAccounts(tx, early)],
    ['operator: locations', (tx) => readLocations(tx, null)],
    ['operator: what is at a location', (tx) => countContents(tx, 1), ['terms', 'accesses']],
    ['operator: tariffs of configurations', (tx) => readConfigTariffs(tx)],
    ['operator: orders', (tx) => listEveryOrder(tx, { limit: 100 })],
    ['operator: orders of a customer', (tx) => listEveryOrder(tx, { limit: 100, userId })],
    ['operator: search', (tx) => searchOrders(tx, 'receipt9', undefined)],
    ['operator: entries of an order', (tx) => listTransfersOf(tx, 9)],
    ['operator: orders of a state', (tx) => listEveryOrder(tx, { limit: 50, state: 'created' })],
    ['operator: orders of a product', (tx) => listEveryOrder(tx, { limit: 50, product: 'cloud_servers' })],
    ['operator: orders by a provider', (tx) => listEveryOrder(tx, { limit: 50, provider: 'yookassa' })],
    ['operator: transfers', (tx) => listTransferRows(tx, { limit: 50 })],
    ['operator: transfers of an account', (tx) => listTransferRows(tx, { limit: 50, accountId: 1 })],
    ['operator: transfers by cause', (tx) => listTransferRows(tx, { limit: 50, cause: 'order:777:' })],
    ['operator: events of an order', (tx) => listEvents(tx, 9)],
    ['operator: what waits', (tx) => countWaiting(tx, { now, until: now + 259_200 })],
    ['sales since the last round', (tx) => counted(tx, sales, now)],
    ['customers since the last round', (tx) => counted(tx, customers, now)],
    ['operator: pending withdrawals', (tx) => listWithdrawalRows(tx, { limit: 100, status: 'pending' })],
  ]
}
