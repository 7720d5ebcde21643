import { sql } from 'kysely'
import { test } from 'vitest'
import { startTestService } from '../../../../test/support/service.ts'
import { findOrderIds, listOrders } from './payment-queries.ts'
import { findUserIds, listUsers } from './customer-queries.ts'
test('plans', { timeout: 200_000 }, async () => {
  const service = await startTestService()
  const { db } = service
  await service.createUser({ email: 'x@y.zz' })
  for (let n = 0; n < 10; n++) {
  await sql`insert into users (email, subscription_key_sealed, subscription_key_hash, sign_in_method, referral_code, created_at)
    select 'u' || g || '@example.com', '\\x00', sha256(g::text::bytea), 'x', 'R' || g, 1 from generate_series(1 + ${n * 2000}::int, ${(n + 1) * 2000}::int) g`.execute(db)
  }
  await sql`insert into ledger_accounts (kind, user_id, balance) select k, u.id, 0 from users u, unnest(array['wallet','referral']) k where not exists (select from ledger_accounts a where a.user_id = u.id and a.kind = k)`.execute(db)
  for (let n = 0; n < 20; n++) {
  await sql`insert into orders (user_id, product, state, payment_method_id, days, price, price_steps, created_at)
    select 1 + g % 20000, 'configs', 'fulfilled', 2, 30, 200, '{}', 1 from generate_series(1, 10000) g`.execute(db)
  await sql`insert into payments (public_id, order_id, provider, provider_payment_id, method_key, amount, currency, state, created_at, expires_at)
    select 'p' || id, id, 'yookassa', 'y' || id, 'sbp', 200, 'RUB', 'succeeded', 1, 2 from orders where id > ${n * 10000}::bigint`.execute(db)
  await sql`insert into receipts (payment_id, order_id, provider, receipt_id, amount, currency, value_rub, verdict, created_at)
    select id, order_id, provider, 'r' || id, 200, 'RUB', 200, 'accepted', 1 from payments where id > ${n * 10000}::bigint`.execute(db)
  }
  await sql`analyze`.execute(db)
  for (const s of ['y777', 'r777', 'p777', '777', 'u777@example.com']) {
    let t = performance.now()
    const ids = await findOrderIds(db, s, s === '777' ? 777 : undefined)
    const a = performance.now() - t
    t = performance.now()
    const rows = await listOrders(db, { limit: 100 }, ids)
    console.log(s, ids, rows.length, a.toFixed(1), (performance.now() - t).toFixed(1))
  }
  let t = performance.now(); await listOrders(db, { limit: 100 }); console.log('page', performance.now() - t)
  t = performance.now(); await listOrders(db, { limit: 100, userId: 500 }); console.log('user', performance.now() - t)
  t = performance.now(); await listOrders(db, { limit: 100, provider: 'stars' }); console.log('rare provider', performance.now() - t)
  t = performance.now(); await listOrders(db, { limit: 100, provider: 'yookassa' }); console.log('common provider', performance.now() - t)
  t = performance.now(); await listOrders(db, { limit: 100, state: 'refunded' }); console.log('rare state', performance.now() - t)
  t = performance.now(); await listUsers(db, { limit: 100 }); console.log('users', performance.now() - t)
  t = performance.now(); console.log(await findUserIds(db, 'U777@example.com', undefined), performance.now() - t)
  const plan = await sql<any>`explain select order_id from payments where provider in (select distinct provider from ledger_accounts where user_id is null and kind = 'provider') and provider_payment_id = 'y777'`.execute(db)
  console.log(plan.rows.map((r: any) => r['QUERY PLAN']).join('\n'))
  await service.stop()
})
