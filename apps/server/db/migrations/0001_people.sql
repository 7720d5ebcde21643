-- Times are Unix seconds and amounts whole smallest units, both as bigint: that is what the API speaks,
-- and the clock is the service's, never the database's.

-- People ---------------------------------------------------------------------------------------------

create table users (
  id bigint generated always as identity primary key,
  email text check (email = lower(email)),
  uuid uuid not null default gen_random_uuid(),
  sign_in_method text not null,
  referral_code text not null unique,
  referrer_id bigint references users (id) check (referrer_id <> id),
  referrals_count integer not null default 0,
  is_messenger_connected boolean not null default false,
  onboarding_completed boolean not null default false,
  is_blocked boolean not null default false,
  renewal_reminders boolean not null default true,
  notification_start_hour smallint not null default 9 check (notification_start_hour between 0 and 23),
  notification_end_hour smallint not null default 21 check (notification_end_hour between 0 and 23),
  -- Minutes east of Greenwich.
  timezone_offset integer not null default 180 check (timezone_offset between -720 and 840),
  -- Personal data is erased then; the row stays, because the ledger refers to it.
  deleted_at bigint,
  created_at bigint not null
);
create unique index users_email on users (email) where email is not null;
create index users_referrer on users (referrer_id) where referrer_id is not null;

create table api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  title text,
  prefix text not null unique,
  secret_hash bytea not null,
  created_at bigint not null,
  last_used_at bigint
);
create index api_keys_user on api_keys (user_id);

create table sessions (
  id uuid primary key,
  user_id bigint not null references users (id),
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);
create index sessions_user on sessions (user_id);
create index sessions_ended on sessions (expires_at);

-- Every refresh token of a session that was ever given, so that a second use of one is noticed.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  created_at bigint not null,
  -- When its successor was given.
  replaced_at bigint
);
create index refresh_tokens_session on refresh_tokens (session_id);
create index refresh_tokens_replaced on refresh_tokens (replaced_at) where replaced_at is not null;

create table operators (
  id bigint generated always as identity primary key,
  name text not null,
  role text not null check (role in ('owner', 'support', 'finance')),
  token_prefix text not null unique,
  token_hash bytea not null,
  created_at bigint not null,
  revoked_at bigint
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create table audit_log (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operators (id),
  action text not null,
  subject text not null,
  details jsonb not null,
  created_at bigint not null
);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();

-- Accounts at Telegram and at identity providers.
create table identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- telegram, google, vk, or the name of a configured provider.
  provider text not null,
  subject text not null,
  created_at bigint not null,
  unique (provider, subject)
);
create index identities_user on identities (user_id);

-- Codes and proofs -----------------------------------------------------------------------------------

-- One code of a kind for a subject at a time: asking again replaces it.
create table sign_in_codes (
  kind text not null check (kind in ('sign_in', 'otp', 'transfer', 'exchange')),
  -- Keyed hash of the account or of the public part of the code.
  subject_hash bytea not null,
  -- Keyed hash of the code.
  code_hash bytea not null,
  tries_left smallint not null,
  -- Whose it is; null when the account may yet have to be made.
  user_id bigint references users (id),
  -- How the session will have begun, where the code only stands for it.
  method text,
  expires_at bigint not null,
  primary key (kind, subject_hash)
);
create index sign_in_codes_age on sign_in_codes (expires_at);
create index sign_in_codes_user on sign_in_codes (user_id) where user_id is not null;

-- What a letter to sign in carries.
create table mailed_codes (
  id bigint generated always as identity primary key,
  -- Keyed hash of the address that it went to.
  recipient_hash bytea not null,
  -- Keyed hash of that address with the network that asked for the letter.
  asker_hash bytea not null,
  -- Keyed hash of the six digits; null where the letter had none, or the same asker asked for others since.
  digits_hash bytea,
  -- Keyed hash of the long code.
  long_hash bytea not null unique,
  -- Tries at the digits from the asker's network, and from all others.
  tries_left smallint not null,
  foreign_tries_left smallint not null,
  -- Who invited, as the asker said.
  referral_code text,
  expires_at bigint not null
);
create index mailed_codes_asker on mailed_codes (asker_hash, id) where digits_hash is not null;
create index mailed_codes_recipient on mailed_codes (recipient_hash, id) where digits_hash is not null;
create index mailed_codes_age on mailed_codes (expires_at);

-- Telegram data that was used to sign in: the same data signs in once.
create table used_proofs (
  proof_hash bytea primary key,
  expires_at bigint not null
);
create index used_proofs_age on used_proofs (expires_at);

-- A customer who is away at an identity provider.
create table oauth_states (
  state_hash bytea primary key,
  provider text not null,
  -- The browser that began holds the other half in a cookie.
  browser_hash bytea not null,
  -- What the provider's answer is checked with.
  checks_sealed bytea not null,
  return_to text,
  referral_code text,
  -- The account to link to, when it is not a sign-in.
  link_user_id bigint references users (id),
  expires_at bigint not null
);
create index oauth_states_age on oauth_states (expires_at);
create index oauth_states_link on oauth_states (link_user_id) where link_user_id is not null;

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  title text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_user on passkeys (user_id);

create table passkey_challenges (
  challenge_hash bytea primary key,
  -- Null for a sign-in: there is no session yet.
  session_id uuid references sessions (id) on delete cascade,
  expires_at bigint not null
);
create index passkey_challenges_age on passkey_challenges (expires_at);
create index passkey_challenges_session on passkey_challenges (session_id) where session_id is not null;

-- What is kept for and about them --------------------------------------------------------------------

-- What happened to an account, for support and for the customer's peace of mind; no personal data in it.
create table account_events (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null,
  details jsonb not null,
  created_at bigint not null
);
create index account_events_user on account_events (user_id, id);
create trigger account_events_append_only before update or delete on account_events
  for each row execute function refuse_change();

-- Kept after delivery without their text, so that what was told once is not told again.
create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- What the service itself says is kept in both languages; what an operator wrote, as it was written.
  content text not null,
  content_en text,
  -- A notification that is due once, whatever tries to leave it.
  cause text,
  visible_at bigint not null default 0,
  is_reminder boolean not null default false,
  delivered_at bigint,
  created_at bigint not null
);
create index notifications_user on notifications (user_id, id);
create unique index notifications_cause on notifications (cause) where cause is not null;
create index notifications_waiting on notifications (user_id, id) where delivered_at is null;
create index notifications_delivered on notifications (delivered_at) where delivered_at is not null;

-- Letters to be sent; a row is deleted once its letter is.
create table mails (
  id bigint generated always as identity primary key,
  -- Keyed hash of what it is about, when a later letter about the same takes its place.
  subject_hash bytea,
  -- Recipient, subject and text, sealed: a letter may hold a code.
  letter_sealed bytea not null,
  attempts integer not null default 0,
  next_try_at bigint not null,
  -- After this it would be of no use.
  expires_at bigint not null,
  created_at bigint not null
);
create index mails_subject on mails (subject_hash) where subject_hash is not null;
create index mails_due on mails (next_try_at);
create index mails_age on mails (expires_at);

create table idempotency_keys (
  actor text not null,
  key text not null,
  operation text not null,
  body_hash bytea not null,
  status integer,
  -- Sealed: an answer may hold a secret that is shown once.
  response_sealed bytea,
  -- A claim whose answer waits for a payment link; the repeat goes on with the same payment.
  payment_id bigint,
  created_at bigint not null,
  primary key (actor, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Limits that hold across instances and restarts: guesses of codes.
create table security_counters (
  key text not null,
  window_start bigint not null,
  count integer not null,
  primary key (key, window_start)
);
create index security_counters_age on security_counters (window_start);

-- What the operator may change while the service runs.
create table settings (
  key text primary key,
  value jsonb not null,
  updated_at bigint not null
);

create table alerts (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  details jsonb not null,
  created_at bigint not null,
  resolved_at bigint,
  resolved_by bigint references operators (id)
);
create unique index alerts_once on alerts (kind, subject);
create index alerts_open on alerts (id) where resolved_at is null;
