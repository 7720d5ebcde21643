/** What must hold in the database whatever happened: each query finds the rows that break one rule. */

export type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>

const rules: Readonly<Record<string, string>> = {
  'both entries of a transfer sum to zero': `
    select transfer_id from ledger_entries group by transfer_id having sum(amount) <> 0 or count(*) <> 2`,
  'all money sums to zero': `select sum(amount) from ledger_entries having sum(amount) <> 0`,
  'a cached balance is the sum of its entries': `
    select a.id, a.balance from ledger_accounts a where a.user_id is not null
      and a.balance <> (select coalesce(sum(e.amount), 0) from ledger_entries e where e.account_id = a.id)`,
  'no balance is negative': `select id from ledger_accounts where balance < 0`,
  'an order is fulfilled or was never there': `select id, state from orders where state <> 'fulfilled'`,
  'a fulfilled order was charged once, its price, to its customer': `
    select o.id from orders o where o.state = 'fulfilled' and (
      select coalesce(array_agg(row(t.amount, f.user_id, f.kind, r.kind)::text), '{}') from ledger_transfers t
      join ledger_accounts f on f.id = t.from_account_id join ledger_accounts r on r.id = t.to_account_id
      where t.order_id = o.id
    ) <> array[row(o.price, o.user_id, 'wallet', 'revenue')::text]`,
  'every charge has its order': `
    select t.id from ledger_transfers t where t.kind = 'purchase'
      and not exists (select from orders o where o.id = t.order_id and t.cause = 'order:' || o.id || ':charge')`,
  'a fulfilled order has its customer’s configuration': `
    select o.id from orders o where o.state = 'fulfilled'
      and not exists (select from configs c where c.id = o.config_id and c.user_id = o.user_id)`,
  'a configuration comes from one order': `
    select c.id from configs c where (select count(*) from orders o where o.config_id = c.id) <> 1`,
  'used slots are the active configurations': `
    select s.id, s.used_slots from servers s where s.used_slots
      <> (select count(*) from configs c where c.server_id = s.id and c.state = 'active')`,
  'an active configuration is placed on its server’s node': `
    select c.id from configs c join servers s on s.id = c.server_id where c.state = 'active' and (
      select coalesce(array_agg(row(p.node_id, p.item, p.server_id)::text), '{}') from placements p
      where p.config_id = c.id and p.is_present
    ) <> array[row(s.node_id, 'c' || c.id, c.server_id)::text]`,
  'nothing else is placed': `
    select p.item from placements p where p.is_present
      and not exists (select from configs c where c.id = p.config_id and c.state = 'active')`,
  'no placement is ahead of its node': `
    select p.item from placements p join nodes n on n.id = p.node_id where p.revision > n.desired_revision`,
  'an idempotency key is kept with its answer only': `
    select key from idempotency_keys where status is null or response_sealed is null`,
}

/** The rules that do not hold, with the rows that break them. */
export const brokenRules = async (query: Query): Promise<string[]> => {
  const broken: string[] = []
  for (const [rule, sql] of Object.entries(rules)) {
    const rows = await query(sql)
    if (rows.length > 0) broken.push(`${rule}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return broken
}
