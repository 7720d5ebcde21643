import { sql } from 'kysely'
import { refreshTtlSeconds } from '../accounts/users.ts'

/** When something of the customer `u` was last seen: a device, an app, a session, a key. */
export const lastSeenAt = sql<number | null>`greatest(
  (select max(d.last_seen_at) from subscriptions s cross join lateral (
     select d.last_seen_at from devices d where d.subscription_id = s.id
     order by d.last_seen_at desc, d.id desc limit 1) d
   where s.user_id = u.id),
  (select max(f.at) from subscriptions s join subscription_fetches f on f.subscription_id = s.id where s.user_id = u.id),
  (select max(e.expires_at) - ${sql.lit(refreshTtlSeconds)} from sessions e where e.user_id = u.id),
  (select max(k.last_used_at) from api_keys k where k.user_id = u.id))`

/** The Telegram account of the customer `u`, if it is a number as Telegram's are. */
export const telegramId = sql<number | null>`(select i.subject::bigint from identities i
  where i.user_id = u.id and i.provider = 'telegram' and i.subject ~ '^[0-9]{1,15}$'
  order by i.id limit 1)`
