import type pg from 'pg'

/** A few years of business for 100 000 customers: a million orders with everything that hangs on them. */

const orders = 1_000_000

const statements = [
  `insert into orders (user_id, product, state, payment_method_id, tariff_id, days, price, currency, value_rub,
     price_steps, purchase, item_id, is_renewal, created_at, expires_at, paid_at, next_try_at, fulfilled_at)
   select 1001 + n % 100000, 'configs', case when n % 5000 = 0 then 'created' when n % 5001 = 0 then 'paid' else 'fulfilled' end,
     2, 1, 30, 200, 'RUB', 200, '{}', '{}', n, n % 3 = 0, 1700000000 + n, 1700003600 + n, 1700000060 + n,
     case when n % 5001 = 0 then 1700000060 + n end, 1700000061 + n
   from generate_series(1, ${orders}) n`,
  `insert into payments (public_id, order_id, provider, provider_payment_id, method_key, amount, currency, state,
     created_at, expires_at, next_check_at)
   select 'payment' || id, id, case when id % 1000 = 0 then 'stripe' else 'yookassa' end, 'outside' || id, 'sbp', 200, 'RUB',
     case state when 'created' then 'pending' else 'succeeded' end, created_at, created_at + 3600,
     case state when 'created' then created_at + 300 end
   from orders`,
  `insert into receipts (payment_id, order_id, provider, receipt_id, amount, currency, value_rub, verdict, created_at)
   select id, order_id, provider, 'receipt' || id, 200, 'RUB', 200, 'accepted', created_at + 60 from payments
   where state = 'succeeded'`,
  `insert into refunds (order_id, receipt_id, destination, amount, currency, reason, state, next_try_at, created_at)
   select order_id, id, 'source', 200, 'RUB', 'bench', case when id % 50000 = 0 then 'requested' else 'done' end,
     case when id % 50000 = 0 then created_at end, created_at from receipts where id % 50 = 0`,
  `insert into commissions (referrer_id, referred_id, receipt_id, amount, state, release_at, created_at)
   select 1001 + r.id % 20000, 21001, r.id, 40, case when r.id % 1000 = 0 then 'held' else 'released' end,
     r.created_at + 1209600, r.created_at from receipts r where r.id % 3 = 0`,
  `insert into withdrawals (user_id, method, amount, account_sealed, account_masked, status, decided_at, created_at)
   select 1001 + n % 20000, 'card', 1000, case when n % 1000 = 0 then '\\x00'::bytea end, '220015******1234',
     case when n % 500 = 0 then 'pending' else 'paid' end, 1700000000 + n, 1700000000 + n
   from generate_series(1, 100000) n`,
  `insert into promocodes (code_hash, code_sealed, product_type, days, buyer_id, used_by, used_at, created_at)
   select sha256(convert_to('code' || n, 'UTF8')), '\\x00', 'configs', 30, 1001 + n % 100000, 1001, 1700000000,
     1700000000 + n from generate_series(1, 300000) n`,
  `insert into notifications (user_id, content, cause, created_at, delivered_at)
   select 1001 + n % 100000, '', 'bench:' || n, 1700000000 + n, case when n % 100 <> 0 then 1700000000 + n end
   from generate_series(1, ${orders}) n`,
  `insert into webhook_inbox (provider, event_id, payload_sealed, received_at, next_try_at, processed_at)
   select 'yookassa', 'event' || n, '\\x00', 1700000000 + n, case when n % 50000 = 0 then 1700000000 + n end, 1700000000 + n
   from generate_series(1, ${orders}) n`,
  `insert into ledger_transfers (cause, kind, from_account_id, to_account_id, amount, order_id, created_at)
   select 'order:' || o.id || ':charge', 'purchase', (select id from ledger_accounts where kind = 'operator'),
     (select id from ledger_accounts where kind = 'revenue' and currency = 'RUB'), 200, o.id, o.created_at from orders o`,
]

export const seedMoney = async (client: pg.Client): Promise<void> => {
  for (const sql of statements) await client.query(sql)
}
