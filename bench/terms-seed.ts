import type pg from 'pg'
import type { Customer } from './seed.ts'

/**
 * The configurations that are there, spread over the year to come as if the jobs had always kept up with them; beside them
 * what has ended, what is gone, and options with keys of their own.
 */

const year = 365 * 86_400
const day = 86_400

const statements = [
  `update terms set expires_at = created_at + id * 7919 % ${year},
     auto_renewal = id % 10 = 0, auto_renewal_days = case when id % 10 = 0 then 30 end,
     reminders_sent = case when id * 7919 % ${year} < ${day} then 2 when id * 7919 % ${year} < ${3 * day} then 1 else 0 end,
     renewal_tried_at = case when id % 10 = 0 and id * 7919 % ${year} < ${day} then created_at end`,
  // What has come since the jobs looked last.
  `update terms set expires_at = created_at - 5, auto_renewal = false where id % 10007 = 0`,
  `update terms set renewal_tried_at = null where auto_renewal and id % 70 = 0`,
  `update terms set reminders_sent = reminders_sent - 1 where reminders_sent > 0 and id % 50 = 0`,
  `update terms set state = 'expired', expires_at = created_at - id % ${14 * day} where id % 25 = 1`,
  `update terms set expires_at = created_at - ${15 * day} where id % 5000 = 1`,
  `insert into terms (user_id, product, item_id, state, expires_at, created_at)
   select 1001 + n % 100000, 'configs', 100000000 + n, 'deleted', 1700000000 + n, 1690000000 + n
   from generate_series(1, 400000) n`,
  `with sold as (
     insert into terms (user_id, product, product_id, item_id, expires_at, is_metered, created_at)
     select 1001 + n * 5, 'paid_options', 1, n, extract(epoch from now())::bigint + n * 7919 % ${year}, true, 1700000000
     from generate_series(1, 19000) n returning id, user_id
   ), subscribed as (
     insert into subscriptions (user_id, kind, term_id, key_sealed, key_hash, created_at)
     select user_id, 'paid_option', id, '\\x00', sha256(convert_to('option' || id, 'UTF8')), 1700000000 from sold
   ), made as (
     insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, position, created_at)
     select t.id, s.id, s.location_id, 'vless', uuid_send(gen_random_uuid()), s.at, 1700000000
     from sold t, (select id, location_id, row_number() over (order by id) - 1 as at from servers order by id limit 3) s
     returning id, term_id
   )
   insert into meters (access_id, term_id, is_metered) select id, term_id, true from made`,
  // Some periods are over, some subscriptions have to follow their servers, and some have used all they may.
  `insert into option_terms (term_id, traffic_limit, period_began_at, option_id, furnished)
   select id, case when item_id % 500 = 7 then 1000 else 1000000000 end,
     extract(epoch from now())::bigint - case when item_id % 1000 = 3 then 31 * ${day} else item_id * 7919 % (29 * ${day}) end,
     product_id, case when item_id % 5000 = 5 then 0 else 1 end
   from terms where product = 'paid_options'`,
  // A small share of the options: of a larger one PostgreSQL rightly reads the whole table.
  `insert into moved_terms (term_ids) select array_agg(id) from (
     select id from terms where product = 'paid_options' order by item_id limit 200) t`,
]

/** Whether a customer has got one of the options. */
export const hasOption = ({ id }: Customer): boolean =>
  id > 1001 && id <= 1001 + 19_000 * 5 && (id - 1001) % 5 === 0

export const seedTerms = async (client: pg.Client): Promise<void> => {
  for (const sql of statements) await client.query(sql)
}
