import type pg from 'pg'

/** A million of each, for 100 000 customers. */

const rows = 1_000_000

const statements = [
  `insert into devices (subscription_id, hwid_hash, device_name, device_type, device_model, os_version, is_fingerprinted,
     created_at, last_seen_at)
   select s.id, sha256(convert_to('device' || n, 'UTF8')), 'Pixel', 'android', 'Pixel', '15', true, 1700000000 + n,
     1700000000 + n
   from generate_series(1, ${rows}) n join subscriptions s on s.user_id = 1001 + n % 100000 and s.kind = 'account'
   order by n`,
  `insert into sessions (id, user_id, created_at, expires_at)
   select gen_random_uuid(), 1001 + n % 100000, 1700000000 + n, 1702592000 + n from generate_series(1, ${rows}) n`,
  `insert into refresh_tokens (token_hash, session_id, created_at, replaced_at)
   select sha256(convert_to('token' || row_number() over (), 'UTF8')), id, created_at,
     case when created_at % 3 = 0 then created_at + 900 end from sessions`,
  `insert into sign_in_codes (kind, subject_hash, code_hash, tries_left, user_id, expires_at)
   select 'otp', sha256(convert_to('subject' || n, 'UTF8')), '\\x00', 5, 1001 + n % 100000, 1700000600 + n
   from generate_series(1, ${rows}) n`,
  `insert into mailed_codes (recipient_hash, asker_hash, digits_hash, long_hash, tries_left, foreign_tries_left, expires_at)
   select sha256(convert_to('recipient' || n % 1000, 'UTF8')), sha256(convert_to('asker' || n % 100000, 'UTF8')),
     case when n % 10 > 0 then '\\x00'::bytea end, sha256(convert_to('long' || n, 'UTF8')), 5, 5, 1700000600 + n
   from generate_series(1, ${rows}) n`,
  `insert into identities (user_id, provider, subject, created_at)
   select 1001 + n % 100000, 'provider' || n % 10, n::text, 1700000000 from generate_series(1, ${rows}) n`,
  `insert into passkeys (user_id, credential_id, public_key, counter, title, created_at)
   select 1001 + n % 100000, sha256(convert_to('credential' || n, 'UTF8')), '\\x00', 0, 'Passkey', 1700000000
   from generate_series(1, 200000) n`,
  `insert into account_events (user_id, kind, details, created_at)
   select 1001 + n % 100000, 'signed_in', '{}', 1700000000 + n from generate_series(1, ${rows}) n`,
  `insert into security_counters (key, window_start, count)
   select 'sign-in:ip:' || n, 1700000000 + n, 1 from generate_series(1, ${rows}) n`,
  `insert into mails (letter_sealed, next_try_at, expires_at, created_at)
   select '\\x00', 1700000000 + n, 1700000600 + n, 1700000000 + n from generate_series(1, 100000) n`,
  `insert into oauth_states (state_hash, provider, browser_hash, checks_sealed, link_user_id, expires_at)
   select sha256(convert_to('state' || n, 'UTF8')), 'google', '\\x00', '\\x00', 1001 + n % 100000, 1700000600 + n
   from generate_series(1, 100000) n`,
]

export const seedIdentity = async (client: pg.Client): Promise<void> => {
  for (const sql of statements) await client.query(sql)
}
