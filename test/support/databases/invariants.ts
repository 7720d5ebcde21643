import { copies } from './copy-invariants.ts'
import { subscriptions } from './subscription-invariants.ts'

/** What must hold in the database whatever happened: each query finds the rows that break one rule. */

export type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** What a customer's accounts and the service's own must add up to. */
const books: Readonly<Record<string, string>> = {
  'both entries of a transfer sum to zero': `
    select transfer_id from ledger_entries group by transfer_id having sum(amount) <> 0 or count(*) <> 2`,
  'all money of a currency sums to zero': `
    select a.currency from ledger_entries e join ledger_accounts a on a.id = e.account_id
    group by a.currency having sum(e.amount) <> 0`,
  'a transfer has one currency': `
    select t.id from ledger_transfers t join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts r on r.id = t.to_account_id where f.currency <> r.currency`,
  'a cached balance is the sum of its entries': `
    select a.id, a.balance from ledger_accounts a
    left join (select account_id, sum(amount) as entries from ledger_entries group by account_id) e on e.account_id = a.id
    where a.user_id is not null and a.balance <> coalesce(e.entries, 0)`,
  'no balance is negative': `select id from ledger_accounts where balance < 0`,
  'a provider’s account is what it received and gave back': `
    select a.provider, a.currency from ledger_accounts a where a.kind = 'provider' and
      (select coalesce(sum(e.amount), 0) from ledger_entries e where e.account_id = a.id) <>
      (select coalesce(sum(f.amount), 0) from refunds f join receipts r on r.id = f.receipt_id
        where f.state = 'done' and f.destination = 'source' and r.provider = a.provider and f.currency = a.currency)
      - (select coalesce(sum(r.amount), 0) from receipts r where r.provider = a.provider and r.currency = a.currency)`,
  'clearing holds what is paid and not granted': `
    select a.currency from ledger_accounts a where a.kind = 'clearing' and
      (select coalesce(sum(e.amount), 0) from ledger_entries e where e.account_id = a.id) <>
      (select coalesce(sum(o.price), 0) from orders o where o.state = 'paid' and o.currency = a.currency)`,
  'suspense holds what was put aside and not settled': `
    select a.currency from ledger_accounts a where a.kind = 'suspense' and
      (select coalesce(sum(e.amount), 0) from ledger_entries e where e.account_id = a.id) <>
      (select coalesce(sum(r.amount), 0) from receipts r where r.verdict = 'suspense' and r.currency = a.currency
        and not exists (select from refunds f where f.receipt_id = r.id and f.state = 'done'))`,
  'earnings on hold are the commissions held': `
    select a.user_id from ledger_accounts a where a.kind = 'referral_hold' and a.balance <>
      (select coalesce(sum(c.amount), 0) from commissions c where c.referrer_id = a.user_id and c.state = 'held')`,
  'withdrawals on hold are the pending ones': `
    select a.user_id from ledger_accounts a where a.kind = 'withdrawal_hold' and a.balance <>
      (select coalesce(sum(w.amount), 0) from withdrawals w where w.user_id = a.user_id and w.status = 'pending')`,
  'payouts are the withdrawals paid': `
    select a.id from ledger_accounts a where a.kind = 'payouts' and
      (select coalesce(sum(e.amount), 0) from ledger_entries e where e.account_id = a.id) <>
      (select coalesce(sum(w.amount), 0) from withdrawals w where w.status = 'paid')`,
}

/** What an order gave is its customer's, unless all that customer had went to another account. */
const isStillOf = (owner: string): string => `(${owner} = o.user_id or exists (
  select from account_events e where e.user_id = o.user_id and e.kind = 'transferred_out'))`

const orders: Readonly<Record<string, string>> = {
  'what is paid inside was never only half done': `
    select o.id, o.state from orders o join payment_methods m on m.id = o.payment_method_id
    where m.key in ('balance', 'referral') and o.state not in ('fulfilled', 'refunded')`,
  'an order paid inside was charged once, its price, to its customer': `
    select o.id from orders o join payment_methods m on m.id = o.payment_method_id
    where m.key in ('balance', 'referral') and (
      select coalesce(array_agg(row(t.amount, f.user_id, f.kind, r.kind)::text), '{}') from ledger_transfers t
      join ledger_accounts f on f.id = t.from_account_id join ledger_accounts r on r.id = t.to_account_id
      where t.order_id = o.id and t.kind = 'purchase'
    ) <> array[row(o.price, o.user_id, case m.key when 'balance' then 'wallet' else 'referral' end, 'revenue')::text]`,
  'an order paid outside has the one receipt that paid it, or none': `
    select o.id, o.state from orders o join payments p on p.order_id = o.id
    where (o.state in ('paid', 'fulfilled', 'refunded')) <>
      ((select count(*) from receipts r where r.order_id = o.id and r.verdict = 'accepted'
        and r.currency = o.currency and r.amount >= o.price) = 1)`,
  'every charge has its order': `
    select t.id from ledger_transfers t where t.kind = 'purchase'
      and not exists (select from orders o where o.id = t.order_id
        and t.cause in ('order:' || o.id || ':charge', 'order:' || o.id || ':earn'))`,
  'a piece of money has one effect': `
    select r.id from receipts r where (select count(*) from ledger_transfers t where t.cause =
      'receipt:' || r.id || case r.verdict when 'accepted' then ':in' when 'suspense' then ':suspense'
        else case r.currency when 'RUB' then ':extra' else ':extra:sold' end end) <> 1`,
  'a promocode was used by the order it paid': `
    select o.id from orders o where o.promocode_id is not null and o.state <> 'refunded' and not exists (
      select from promocodes p where p.id = o.promocode_id and p.used_order_id = o.id and p.used_by = o.user_id)`,
  'the promocode of what could not be delivered works again': `
    select o.id from orders o join promocodes p on p.id = o.promocode_id where o.state = 'refunded' and p.used_order_id = o.id`,
  'a key bought is one key': `
    select o.id from orders o where o.as_key and o.state = 'fulfilled'
      and (select count(*) from promocodes p where p.order_id = o.id and ${isStillOf('p.buyer_id')}) <> 1`,
  'a key whose order was refunded opens nothing, or a person knows': `
    select o.id from orders o join promocodes p on p.order_id = o.id where o.state = 'refunded' and p.revoked_at is null
      and not exists (select from alerts a where a.kind = 'refund_uncovered' and a.subject = 'order:' || o.id)`,
  'a top-up is credited once, what was asked for': `
    select o.id from orders o where o.product = 'balance' and o.state = 'fulfilled' and (
      select coalesce(array_agg(row(t.amount, r.user_id, r.kind)::text), '{}') from ledger_transfers t
      join ledger_accounts r on r.id = t.to_account_id where t.cause = 'order:' || o.id || ':top-up'
    ) <> array[row(o.value_rub, o.user_id, 'wallet')::text]`,
  'a refunded order has its money back once': `
    select o.id from orders o where o.state = 'refunded' and o.promocode_id is null and not o.is_gift and
      (select count(*) from refunds f where f.order_id = o.id and f.state = 'done'
        and f.receipt_id is not distinct from (select r.id from receipts r where r.order_id = o.id and r.verdict = 'accepted'))
      + (select count(*) from ledger_transfers t where t.cause in
        ('order:' || o.id || ':credit', 'order:' || o.id || ':credit:sold')) < 1`,
  'a gift costs nothing, was paid by nobody, and is in the books for what it is worth or not at all': `
    select o.id from orders o where o.is_gift and (o.price <> 0 or o.value_rub <> 0 or o.payment_method_id is not null
      or o.promocode_id is not null or exists (select from payments p where p.order_id = o.id)
      or exists (select from refunds f where f.order_id = o.id)
      or (o.price_steps->>'list')::bigint <> coalesce((select sum(t.amount) from ledger_transfers t
        where t.cause = 'order:' || o.id || ':gift'), 0)
      or exists (select from ledger_transfers t where t.order_id = o.id and t.kind <> 'gift')
      or (o.state = 'refunded') <> (exists (select from ledger_transfers t where t.cause = 'order:' || o.id || ':gift-back')
        or o.state = 'refunded' and (o.price_steps->>'list')::bigint = 0))`,
  'a commission stands while its money does': `
    select c.id from commissions c join refunds f on f.receipt_id = c.receipt_id
    where f.state = 'done' and c.state <> 'reversed'`,
  'a renewal happens once in a period': `
    select item_id, period_end from orders where period_end is not null
    group by product, item_id, period_end having count(*) > 1`,
  'an idempotency key is kept with its answer, or with the payment it waits for': `
    select key from idempotency_keys where (status is null or response_sealed is null) and payment_id is null`,
}

/** A closed account has nothing on any node. */
const isOpen = (owner: string): string =>
  `not exists (select from users closed where closed.id = ${owner} and closed.is_blocked)`

const items: Readonly<Record<string, string>> = {
  'a fulfilled order has its customer’s item': `
    select o.id from orders o where o.state = 'fulfilled' and o.product <> 'balance' and not o.as_key
      and not exists (select from terms t
        where t.product = o.product and t.item_id = o.item_id and ${isStillOf('t.user_id')})`,
  'an item comes from one order': `
    select t.id, t.product, t.item_id, t.state from terms t where t.product <> 'paid_options' and (select count(*)
      from orders o where o.product = t.product and o.item_id = t.item_id and not o.is_renewal) <> 1`,
  // One that was ordered twice at once was prolonged by the second, and one that went into another took its orders with it.
  'an option comes from orders': `
    select t.id from terms t where t.product = 'paid_options' and t.state <> 'deleted'
      and not exists (select from orders o where o.product = t.product and o.item_id = t.item_id)`,
  'a configuration has one access, until it is deleted': `
    select t.id from terms t where t.product = 'configs' and (select count(*) from accesses a
      where a.term_id = t.id and a.id = t.item_id and a.beside_id is null) <> (t.state <> 'deleted')::integer`,
  'every access has a meter': `
    select a.id from accesses a where not exists (
      select from meters m where m.access_id = a.id and m.term_id = a.term_id)`,
  'used slots are the active configurations': `
    select s.id, s.used_slots from servers s where s.used_slots <> (
      select count(*) from accesses a join terms t on t.id = a.term_id
      where a.server_id = s.id and a.beside_id is null and t.state = 'active')`,
  'an access of an active term is placed on its server’s node': `
    select a.id from accesses a join terms t on t.id = a.term_id join servers s on s.id = a.server_id
    where t.state = 'active' and t.paused is null and ${isOpen('t.user_id')} and (
      select coalesce(array_agg(row(p.node_id, p.server_id)::text), '{}') from placements p
      where p.access_id = a.id and p.is_present
    ) <> array[row(s.node_id, a.server_id)::text]`,
  'nothing else is placed': `
    select p.access_id from placements p where p.is_present and not exists (
      select from accesses a join terms t on t.id = a.term_id where a.id = p.access_id and t.state = 'active' and t.paused is null
        and ${isOpen('t.user_id')})
      and not exists (select from held_accesses h where h.id = -p.access_id and h.is_live)`,
  'no placement is ahead of its node': `
    select p.access_id from placements p join nodes n on n.id = p.node_id where p.revision > n.desired_revision`,
  'a node’s fingerprint is that of what should be on it': `
    select n.id from nodes n where n.desired_hash <> coalesce((
      select bit_xor(('x' || substr(md5('a' || p.access_id || ':' || p.revision), 1, 16))::bit(64)::bigint)
      from placements p where p.node_id = n.id and p.is_present), 0)`,
  'an option has a configuration at each of its indexes': `
    select t.id from terms t join option_terms o on o.term_id = t.id
    join paid_options p on p.id = t.product_id where t.state = 'active' and o.furnished = p.revision and (
      select coalesce(array_agg(row(a.position, a.server_id)::text order by a.position), '{}') from accesses a
      where a.term_id = t.id and a.position is not null
    ) <> (
      select coalesce(array_agg(row(s.position, s.server_id)::text order by s.position), '{}')
      from paid_option_servers s where s.option_id = t.product_id)`,
  'each configuration of an option has an index of its own': `
    select t.id from terms t join accesses a on a.term_id = t.id and a.beside_id is null
    where t.product = 'paid_options' group by t.id having count(*) <> count(distinct coalesce(a.position, a.added_index))`,
  'what was added is on a server of the option, and there are at most 20': `
    select t.id from terms t join option_terms o on o.term_id = t.id
      join accesses a on a.term_id = t.id and a.position is null and a.beside_id is null
      join paid_options p on p.id = t.product_id
    where t.state = 'active' and o.furnished = p.revision group by t.id, t.product_id
    having count(*) > 20 or bool_or(not exists (
      select from paid_option_servers s where s.option_id = t.product_id and s.server_id = a.server_id))`,
  'an option has its subscription and its traffic until it is deleted': `
    select t.id from terms t where t.product = 'paid_options' and (
      (t.state <> 'deleted') <> exists (select from option_terms o where o.term_id = t.id)
      or (t.state <> 'deleted') <> exists (select from subscriptions s where s.term_id = t.id and s.user_id = t.user_id))`,
  'traffic since a period began is not negative': `
    select o.term_id from option_terms o where o.period_base >
      (select coalesce(sum(m.up) + sum(m.down), 0) from meters m where m.term_id = o.term_id)`,
  'a meter counts what its nodes told': `
    select c.access_id from traffic_counters c join meters m on m.access_id = c.access_id
    group by c.access_id, m.up, m.down having sum(c.up) > m.up or sum(c.down) > m.down`,
}

const machines: Readonly<Record<string, string>> = {
  'a cloud server has one machine': `
    select t.id from terms t where t.product = 'cloud_servers'
      and (select count(*) from machines m where m.term_id = t.id and m.id = t.item_id) <> 1`,
  'a machine was bought by the order it is named after': `
    select m.id from machines m where not exists (select from orders o where o.id = m.order_id
      and o.product = 'cloud_servers' and o.item_id = m.id and not o.is_renewal and o.fulfilled_at is not null)`,
  'what is wanted of a machine is what its term says': `
    select m.id, m.wanted, t.state from machines m join terms t on t.id = m.term_id
    where m.wanted <> case t.state when 'active' then 'on' when 'expired' then 'off' else 'gone' end`,
  'nothing is left of a machine that is gone': `
    select m.id from machines m where m.gone_at is not null and (
      m.wanted <> 'gone' or m.node_id is not null or m.ref is not null or m.asked_at is not null
      or exists (select from servers s where s.owner_term_id = m.term_id))`,
  'a customer’s own server stands on the node of its machine, and each has one': `
    select s.id from servers s where s.owner_term_id is not null and (
      not exists (select from machines m where m.term_id = s.owner_term_id and m.node_id = s.node_id)
      or exists (select from servers o where o.owner_term_id = s.owner_term_id and o.id <> s.id))`,
  'what is on a customer’s machine is on their own server': `
    select a.id from accesses a join terms t on t.id = a.term_id join servers s on s.id = a.server_id
    where (t.product = 'cloud_servers') <> (s.owner_term_id is not null)
      or s.owner_term_id is not null and s.owner_term_id <> t.id`,
}

const people: Readonly<Record<string, string>> = {
  'a bridge and both its ends are one customer’s': `
    select b.entry_id, b.exit_id from bridges b where not exists (
      select from accesses entry join terms t on t.id = entry.term_id, accesses exit join terms x on x.id = exit.term_id
      where entry.id = b.entry_id and exit.id = b.exit_id and t.user_id = b.user_id and x.user_id = b.user_id)`,
  'a transfer left one account and arrived at one': `
    select e.id from account_events e where e.kind = 'transferred_out' and (
      select count(*) from account_events i where i.kind = 'transferred_in' and i.user_id = (e.details->>'to_user_id')::bigint
        and i.created_at = e.created_at and i.details - 'from_user_id' - 'key_hash' = e.details - 'to_user_id'
        and (i.details->>'from_user_id')::bigint = e.user_id) < 1`,
  'a deleted account has no name and was deleted once': `
    select u.id from users u where u.deleted_at is not null and (u.email is not null or u.is_messenger_connected
      or (select count(*) from account_events e where e.user_id = u.id and e.kind = 'deleted') <> 1)`,
  'nothing works for a deleted account': `
    select u.id from users u where u.deleted_at is not null and (
      exists (select from terms t where t.user_id = u.id
        and (t.state <> 'deleted' or exists (select from accesses a where a.term_id = t.id)))
      or exists (select from subscriptions s where s.user_id = u.id)
      or exists (select from orders o where o.user_id = u.id and o.state = 'created')
      or exists (select from withdrawals w where w.user_id = u.id and (w.status = 'pending' or w.account_masked <> '')))`,
  'nothing is given to an account after it was deleted': `
    select u.id from users u where u.deleted_at is not null and (
      exists (select from orders o where o.user_id = u.id and o.fulfilled_at > u.deleted_at)
      or exists (select from promocodes p where p.buyer_id = u.id and p.created_at > u.deleted_at)
      or exists (select from commissions c join receipts r on r.id = c.receipt_id
        where c.referred_id = u.id and r.created_at > u.deleted_at))`,
  'what comes for a deleted account is known to a person': `
    select t.id from users u join ledger_accounts a on a.user_id = u.id join ledger_transfers t on t.to_account_id = a.id
    where t.kind = 'credit' and t.created_at > u.deleted_at and not exists (
      select from alerts x where x.kind = 'paid_after_deletion' and (x.details->>'order_id')::bigint = t.order_id)`,
  'who paid for a deleted account is known only as long as a refund may need it': `
    select r.id from receipts r join orders o on o.id = r.order_id join users u on u.id = o.user_id
    where u.deleted_at is not null and r.payer is not null and o.state <> 'paid'
      and not exists (select from refunds f where f.order_id = o.id and f.state = 'requested')
      and not exists (select from alerts x where x.kind = 'paid_after_deletion'
        and (x.details->>'order_id')::bigint = o.id)`,
  'nobody gets into a deleted account, and nothing waits there': `
    select u.id from users u where u.deleted_at is not null and exists (
      select user_id from api_keys where user_id = u.id union all select user_id from sessions where user_id = u.id
      union all select user_id from identities where user_id = u.id
      union all select user_id from passkeys where user_id = u.id
      union all select user_id from subscriptions where user_id = u.id
      union all select user_id from pricing_rules where user_id = u.id
      union all select user_id from notifications where user_id = u.id)`,
}

/** Only once everything has come to rest. */
const atRest: Readonly<Record<string, string>> = {
  'nothing paid is ungranted': `select id from orders where state = 'paid'`,
  'no event waits': `select id, failure from webhook_inbox where next_try_at is not null`,
  'every machine is what it should be': `
    select id, wanted, status, is_on, problem from machines where gone_at is null and (
      next_step_at is not null or wanted = 'gone' or (wanted = 'on' and (status <> 'active' or not is_on)))`,
  'no refund waits': `select id from refunds where state = 'requested'`,
  'what is used up is off, and nothing else is for that reason': `
    select t.id from terms t join option_terms o on o.term_id = t.id
    where t.state = 'active' and t.paused is distinct from 'operator'
      and not exists (select from moved_meters n where n.term_id = t.id)
      and not exists (select from moved_terms n where t.id = any(n.term_ids))
      and not exists (select from terms_to_judge j where j.term_id = t.id)
      and coalesce(t.paused = 'quota', false) <> (o.traffic_limit > 0 and o.traffic_limit <= (
        select coalesce(sum(m.up) + sum(m.down), 0) from meters m where m.term_id = t.id) - o.period_base)`,
}

/** The rules that do not hold, with the rows that break them. */
export const brokenRules = async (query: Query, { isAtRest = true } = {}): Promise<string[]> => {
  const broken: string[] = []
  const always = { ...books, ...orders, ...items, ...machines, ...people, ...subscriptions, ...copies }
  const rules = { ...always, ...(isAtRest ? atRest : {}) }
  for (const [rule, sql] of Object.entries(rules)) {
    const rows = await query(sql)
    if (rows.length > 0) broken.push(`${rule}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return broken
}
