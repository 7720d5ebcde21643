import type { Db } from '../../apps/server/db/client.ts'

/** The service's books as they are at the end. */

const listOrders = (db: Db) =>
  db
    .selectFrom('orders as o')
    .leftJoin('payments as p', 'p.order_id', 'o.id')
    .select([
      'o.id',
      'o.user_id',
      'o.product',
      'o.product_id',
      'o.state',
      'o.payment_method_id',
      'o.promocode_id',
      'o.is_gift',
      'o.days',
      'o.price',
      'o.currency',
      'o.value_rub',
      'o.item_id',
      'o.is_renewal',
      'o.as_key',
      'o.period_end',
      'o.created_at',
      'o.fulfilled_at',
      'o.refunded_at',
      'o.refunded_to',
      'p.id as payment_id',
      'p.public_id',
      'p.provider',
      'p.link',
      'p.state as payment_state',
      'p.checks',
    ])
    .orderBy('o.id')
    .execute()

const listReceipts = (db: Db) =>
  db
    .selectFrom('receipts')
    .select([
      'id',
      'order_id',
      'provider',
      'receipt_id',
      'amount',
      'currency',
      'value_rub',
      'verdict',
      'created_at',
    ])
    .execute()

const listRefunds = (db: Db) =>
  db
    .selectFrom('refunds')
    .select(['id', 'order_id', 'receipt_id', 'destination', 'amount', 'state', 'operator_id', 'failure'])
    .execute()

const listConfigs = (db: Db) =>
  db
    .selectFrom('terms')
    .select(['item_id as id', 'user_id', 'state', 'expires_at', 'auto_renewal', 'created_at'])
    .where('product', '=', 'configs')
    .execute()

const listOptions = (db: Db) =>
  db
    .selectFrom('terms')
    .select([
      'id as term_id',
      'item_id as id',
      'user_id',
      'product_id',
      'state',
      'expires_at',
      'auto_renewal',
      'created_at',
    ])
    .where('product', '=', 'paid_options')
    .execute()

const listMachines = (db: Db) =>
  db
    .selectFrom('terms as t')
    .innerJoin('machines as m', 'm.term_id', 't.id')
    .leftJoin('clouds as c', 'c.id', 'm.cloud_id')
    .select([
      'm.id',
      't.user_id',
      't.product_id',
      't.state',
      't.expires_at',
      't.auto_renewal',
      'm.created_at',
    ])
    .select(['m.order_id', 'm.status', 'm.ref', 'm.node_id', 'm.activated_at', 'm.gone_at', 'c.kind'])
    .execute()

/** Days that were given to what is there, or taken. */
const listDays = (db: Db) =>
  db
    .selectFrom('term_days as d')
    .innerJoin('terms as t', 't.id', 'd.term_id')
    .select(['d.id', 'd.days', 'd.created_at', 't.product', 't.item_id'])
    .orderBy('d.id')
    .execute()

const listCommissions = (db: Db) =>
  db
    .selectFrom('commissions')
    .select(['id', 'referrer_id', 'receipt_id', 'amount', 'state', 'created_at'])
    .execute()

const listAccounts = (db: Db) =>
  db
    .selectFrom('ledger_accounts')
    .select(['id', 'user_id', 'kind', 'balance'])
    .where('user_id', 'is not', null)
    .execute()

const listTransfers = (db: Db) =>
  db
    .selectFrom('ledger_transfers as t')
    .innerJoin('ledger_accounts as f', 'f.id', 't.from_account_id')
    .innerJoin('ledger_accounts as r', 'r.id', 't.to_account_id')
    .select(['t.cause', 't.amount', 't.order_id', 'f.user_id as payer_id', 'f.kind as from_kind'])
    .select(['r.user_id as payee_id', 'r.kind as to_kind', 't.created_at'])
    .orderBy('t.id')
    .execute()

const listSandboxPayments = (db: Db) =>
  db.selectFrom('sandbox_payments').select(['payment_id', 'amount', 'currency', 'state']).execute()

export const readBooks = async (db: Db) => ({
  orders: await listOrders(db),
  receipts: await listReceipts(db),
  refunds: await listRefunds(db),
  configs: await listConfigs(db),
  options: await listOptions(db),
  machines: await listMachines(db),
  days: await listDays(db),
  commissions: await listCommissions(db),
  accounts: await listAccounts(db),
  transfers: await listTransfers(db),
  sandbox: await listSandboxPayments(db),
  alerts: await db.selectFrom('alerts').select(['kind', 'subject', 'details']).execute(),
  notifications: await db.selectFrom('notifications').select(['user_id', 'cause']).execute(),
  promocodes: await db.selectFrom('promocodes').select(['id', 'order_id', 'days', 'used_order_id']).execute(),
  users: await db.selectFrom('users').select(['id', 'referrer_id']).execute(),
  withdrawals: await db.selectFrom('withdrawals').select(['id', 'user_id', 'amount', 'status']).execute(),
})

export type Books = Awaited<ReturnType<typeof readBooks>>
export type OrderRow = Books['orders'][number]
export type DaysRow = Books['days'][number]
export type ReceiptRow = Books['receipts'][number]
export type RefundRow = Books['refunds'][number]
