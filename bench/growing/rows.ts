import pg from 'pg'

/** Tables whose rows only grow, or go by age: rows as the service writes them, `n` numbers them. */
const samples: Readonly<Record<string, string>> = {
  audit_log: `(operator_id, action, subject, details, created_at) select 1, 'changeUser', 'user:' || n,
    '{"before": {"is_blocked": false}, "after": {"is_blocked": true}}', n`,
  ledger_transfers: `(cause, kind, from_account_id, to_account_id, amount, order_id, created_at)
    select 'order:' || n || ':paid', 'purchase', 10 + n % 100000, 1, 20000, n, n`,
  orders: `(user_id, product, product_id, item_id, state, payment_method_id, tariff_id, days, price, value_rub, price_steps, purchase, created_at)
    select n % 100000, 'configs', 1, n, 'fulfilled', 1, 1, 30, 20000, 20000,
    '[{"kind": "list", "amount": 20000}, {"kind": "discount", "amount": -1000}]', '{"location_id": 1, "protocol": "vless"}', n`,
  payments: `(public_id, order_id, provider, provider_payment_id, method_key, amount, currency, state, link, created_at, expires_at)
    select md5(n::text), n, 'yookassa', gen_random_uuid()::text, 'card', 20000, 'RUB', 'succeeded',
    'https://yoomoney.ru/checkout/payments/v2/contract?orderId=' || md5(n::text), n, n`,
  receipts: `(payment_id, order_id, provider, receipt_id, amount, currency, value_rub, verdict, created_at)
    select n, n, 'yookassa', gen_random_uuid()::text, 20000, 'RUB', 20000, 'accepted', n`,
  webhook_inbox: `(provider, event_id, payload_sealed, received_at, processed_at, forgotten_at)
    select 'yookassa', gen_random_uuid()::text, '', n, n, n`,
  notifications: `(user_id, content, content_en, cause, delivered_at, created_at)
    select n % 100000, repeat('а', 120), repeat('a', 120), 'ends:' || n || ':3', n, n`,
  account_events: `(user_id, kind, details, created_at) select n % 100000, 'signed_in', '{"method": "email"}', n`,
  outbox: `(type, subject, data, created_at) select 'order.fulfilled', 'user:' || n % 100000,
    '{"order_id": 123456, "user_id": 4711, "price": 200, "currency": "RUB"}', n`,
  webhook_deliveries: `(webhook_id, outbox_id, subject, attempts, delivered_at, last_try_at, last_status, created_at)
    select 1, n, 'user:' || n % 100000, 1, n, n, 200, n`,
  idempotency_keys: `(actor, key, operation, body_hash, status, response_sealed, created_at)
    select 'customer:' || n % 100000, md5(n::text), 'buyConfig', decode(md5(n::text) || md5(n::text), 'hex'), 201,
    decode(repeat(md5(n::text), 30), 'hex'), n`,
}

/** Goes by age, in pieces of what one round of tidying meets: ten minutes, and a day that was missed. */
const pruned: Readonly<Record<string, string>> = {
  notifications: 'delivered_at',
  outbox: 'created_at',
  idempotency_keys: 'created_at',
}

export interface Grown {
  readonly table: string
  readonly bytesOfRow: number
  readonly ofThemIndexes: number
}

const timed = async (client: pg.Client, sql: string): Promise<number> => {
  const begun = performance.now()
  await client.query(sql)
  return performance.now() - begun
}

/** What a row takes with its indexes, and how long rows take to go. */
export const measureRows = async (url: string, rows: number) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Rows that others point at are not needed for their size.
  await client.query('set session_replication_role = replica')
  const grown: Grown[] = []
  for (const [table, sample] of Object.entries(samples)) {
    await client.query(`insert into ${table} ${sample} from generate_series(1, ${rows}) n`)
    const { rows: sizes } = await client.query<{ all: number; heap: number }>(
      `select pg_total_relation_size('${table}') as all, pg_table_size('${table}') as heap`,
    )
    const { all = 0, heap = 0 } = sizes[0] ?? {}
    grown.push({
      table,
      bytesOfRow: Math.round(Number(all) / rows),
      ofThemIndexes: Math.round((Number(all) - Number(heap)) / rows),
    })
  }
  const deleted: Record<string, number> = {}
  for (const [table, age] of Object.entries(pruned)) {
    await client.query(`analyze ${table}`)
    let upTo = 0
    for (const some of [1000, 100_000]) {
      upTo += some
      deleted[`${table}, ${some} rows`] = await timed(client, `delete from ${table} where ${age} <= ${upTo}`)
    }
    deleted[`${table}, vacuum after`] = await timed(client, `vacuum ${table}`)
  }
  await client.end()
  return { grown, deleted }
}
