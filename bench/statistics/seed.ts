import type pg from 'pg'

/** A year of a shop: orders of every product, method and location at any second of it, with what hangs on them. */

const accountOf = (kind: string) =>
  `(select id from ledger_accounts where kind = '${kind}' and user_id is null and currency = 'RUB' limit 1)`

const statements = (orders: number, customers: number, begins: number): readonly string[] => [
  // Ids in the order in which they happened.
  `insert into orders (user_id, product, state, payment_method_id, days, price, value_rub, price_steps, purchase, location_id,
     created_at, paid_at, fulfilled_at, refunded_at)
   select 1001 + (n * 7919) % ${customers}, (array['configs', 'configs', 'configs', 'paid_options', 'cloud_servers', 'balance'])[1 + n % 6],
     case when n % 50 = 0 then 'refunded' else 'fulfilled' end, case when n % 6 = 5 then 2 + n % 2 else 1 + n % 6 end, 30,
     200, 200, '{}', '{}', case when n % 6 < 3 then (array[1, 2, 3, 7, 12, 18])[1 + (n / 6) % 6] end,
     ${begins} + n * 31536000::bigint / ${orders}, ${begins} + n * 31536000::bigint / ${orders},
     ${begins} + n * 31536000::bigint / ${orders}, case when n % 50 = 0 then ${begins} + n * 31536000::bigint / ${orders} + 3600 end
   from generate_series(1::bigint, ${orders}) n`,
  `insert into payments (public_id, order_id, provider, method_key, amount, currency, state, created_at, expires_at)
   select 'year' || id, id, 'yookassa', 'sbp', 200, 'RUB', 'succeeded', created_at, created_at from orders
   where payment_method_id <> 1`,
  `insert into receipts (payment_id, order_id, provider, receipt_id, amount, currency, value_rub, verdict, created_at)
   select id, order_id, provider, public_id, amount, currency, amount, 'accepted', created_at from payments`,
  `insert into ledger_transfers (cause, kind, from_account_id, to_account_id, amount, order_id, created_at)
   select 'order:' || o.id || case o.payment_method_id when 1 then ':charge' else ':in' end,
     case o.payment_method_id when 1 then 'purchase' else 'payment' end,
     case o.payment_method_id when 1 then w.id else
       (select id from ledger_accounts where kind = 'provider' and provider = 'yookassa' and currency = 'RUB') end,
     case o.payment_method_id when 1 then ${accountOf('revenue')} else ${accountOf('clearing')} end,
     200, o.id, o.created_at
   from orders o join ledger_accounts w on w.user_id = o.user_id and w.kind = 'wallet'`,
  `insert into ledger_transfers (cause, kind, from_account_id, to_account_id, amount, order_id, created_at)
   select 'order:' || o.id || ':refund', 'refund', ${accountOf('refunds')}, ${accountOf('operator')}, 200, o.id, o.refunded_at
   from orders o where o.refunded_at is not null`,
  `update users set created_at = ${begins} + id * 31536000::bigint / (1000 + ${customers})`,
  `insert into node_traffic (at, node_id, location_id, up, down)
   select ${begins} - ${begins} % 900 + q * 900, n, l, q, 10 * q
   from generate_series(0, 35039) q, generate_series(1, 20) n, unnest(array[1 + n % 6]) l`,
]

export const seedYear = async (
  client: pg.Client,
  size: { readonly orders: number; readonly customers: number; readonly begins: number },
): Promise<void> => {
  for (const sql of statements(size.orders, size.customers, size.begins)) await client.query(sql)
  await client.query('vacuum analyze')
}
