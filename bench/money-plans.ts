import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { holdDueRenewal } from '../apps/server/core/auto-renewal.ts'
import { releaseCommissions } from '../apps/server/core/commissions.ts'
import { deleteLapsedConfigs, findDueConfigs } from '../apps/server/core/config-expiry.ts'
import { takeEvents } from '../apps/server/core/inbox.ts'
import { expireOrders, takeOrdersToGrant } from '../apps/server/core/orders.ts'
import { findPaymentBy, takePaymentsToCheck } from '../apps/server/core/payments.ts'
import { listPrices } from '../apps/server/core/prices.ts'
import { findAcceptedReceipt, findReceipt } from '../apps/server/core/receipts.ts'
import { isBeingRefunded, takeDueRefunds } from '../apps/server/core/refund-rows.ts'
import { forgetReminders, holdDueReminders } from '../apps/server/core/reminders.ts'
import { eraseOldAccounts } from '../apps/server/core/withdrawals.ts'
import { type Db, inTransaction, openDatabase } from '../apps/server/db/client.ts'
import { findLastTariff } from '../apps/server/features/configs/queries.ts'
import {
  findOrderIds,
  listTransfers,
  listOrders as searchOrders,
} from '../apps/server/features/operator/payment-queries.ts'
import { listWithdrawalRows } from '../apps/server/features/operator/withdrawal-queries.ts'
import { listOrders } from '../apps/server/features/profile/history-queries.ts'
import { takeNotifications } from '../apps/server/features/profile/notification-queries.ts'
import { boughtPromocodes } from '../apps/server/features/profile/promocode-queries.ts'
import { listReferralRows } from '../apps/server/features/profile/referral-queries.ts'
import { seedMoney } from './money-seed.ts'

/** Every list, search and job about money over a million orders: none may read a large table from end to end. */

const largeFrom = 10_000
const early = 1_700_000_000

type Work = readonly [name: string, run: (tx: Db) => Promise<unknown>]

const works = (userId: number): readonly Work[] => {
  const now = early + 100_000
  const ids = { paymentId: 'payment77', providerPaymentId: null }
  return [
    ['payments history', (tx) => listOrders(tx, userId, { limit: 100, offset: 0 })],
    ['referral records', (tx) => listReferralRows(tx, userId, { limit: 100, offset: 0 })],
    ['bought keys', (tx) => boughtPromocodes(tx, { buyerId: userId, limit: 100, offset: 0, now }).execute()],
    ['notifications', (tx) => takeNotifications(tx, userId, 'en', now)],
    ['prices', (tx) => listPrices(tx, { userId, now, providers: new Map() }, 'configs')],
    ['last tariff', (tx) => findLastTariff(tx, 77)],
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
    ['refunds to pursue', (tx) => takeDueRefunds(tx, now, 50)],
    ['events to settle', (tx) => takeEvents(tx, now)],
    ['renewals', (tx) => holdDueRenewal(tx, now)],
    ['reminders', (tx) => holdDueReminders(tx, now, 100)],
    ['reminders of an item', (tx) => forgetReminders(tx, { userId, configId: 77 })],
    ['commissions to release', (tx) => releaseCommissions(tx, early)],
    ['accounts to erase', (tx) => eraseOldAccounts(tx, early)],
    ['configurations to expire', (tx) => findDueConfigs(tx, now, 200)],
    ['configurations to delete', (tx) => deleteLapsedConfigs(tx, now)],
    ['operator: orders', (tx) => searchOrders(tx, { limit: 100 })],
    ['operator: orders of a customer', (tx) => searchOrders(tx, { limit: 100, userId })],
    ['operator: search', (tx) => findOrderIds(tx, 'receipt9', undefined)],
    ['operator: entries of an order', (tx) => listTransfers(tx, 9)],
    ['operator: pending withdrawals', (tx) => listWithdrawalRows(tx, { limit: 100, status: 'pending' })],
  ]
}

const scansOf = async (client: pg.Client): Promise<Map<string, number>> => {
  const { rows } = await client.query(
    `select relname, seq_scan from pg_stat_user_tables where n_live_tup >= $1`,
    [largeFrom],
  )
  return new Map(rows.map((row) => [row.relname as string, Number(row.seq_scan)]))
}

/** PostgreSQL's counters of whole-table reads lag by up to a second. */
const settled = async (client: pg.Client) => {
  await sleep(1200)
  await client.query('select pg_stat_clear_snapshot()')
  return scansOf(client)
}

const undo = new Error('undone on purpose')

export const checkMoneyPlans = async (
  databaseUrl: string,
  userId: number,
  say: (text: string) => void,
): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  say('Making a million orders with payments, receipts, notifications and events…')
  await seedMoney(client)
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '.' })
  const problems: string[] = []
  let before = await settled(client)
  for (const [name, run] of works(userId)) {
    let tookMs = 0
    await inTransaction(db, async (tx) => {
      const startedMs = performance.now()
      await run(tx)
      tookMs = performance.now() - startedMs
      throw undo
    }).catch((error: unknown) => {
      if (error !== undo) throw error
    })
    const after = await settled(client)
    const scanned = [...after]
      .filter(([table, scans]) => scans > (before.get(table) ?? 0))
      .map(([table]) => table)
    console.log(
      `${name}: ${tookMs.toFixed(1)} ms${scanned.length > 0 ? `, READS ALL OF ${scanned.join(', ')}` : ''}`,
    )
    for (const table of scanned) problems.push(`${name} reads the whole of ${table}`)
    before = after
  }
  await close()
  await client.end()
  return problems
}
