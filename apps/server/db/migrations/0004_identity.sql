-- Who a customer is: ways to sign in, passkeys, devices, and what happened to the account.

-- A name that a customer gave goes with what it named.
update configs set title = null where state = 'deleted' and title is not null;

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

-- Telegram data that was used to sign in: the same data signs in once.
create table used_proofs (
  proof_hash bytea primary key,
  expires_at bigint not null
);
create index used_proofs_age on used_proofs (expires_at);

-- From here to the end nobody else reads users: nothing below waits for another table.
alter table users
  -- Personal data is erased then; the row stays, because the ledger refers to it.
  add column deleted_at bigint,
  add column block_unknown_devices boolean not null default false,
  add column device_limit integer not null default 0 check (device_limit between 0 and 100);

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

-- Codes ----------------------------------------------------------------------------------------------

-- One code of a kind for a subject at a time: asking again replaces it.
create table sign_in_codes (
  kind text not null check (kind in ('email', 'sign_in', 'otp', 'transfer', 'exchange')),
  -- Keyed hash of the address, the account or the public part of the code.
  subject_hash bytea not null,
  -- Keyed hash of the code.
  code_hash bytea not null,
  tries_left smallint not null,
  -- Whose it is; null when the account may yet have to be made.
  user_id bigint references users (id),
  -- How the session will have begun, where the code only stands for it.
  method text,
  -- Who invited, and keyed hash of the network that said so: a stranger who asks for a code in somebody's name does not
  -- say it for them.
  referral_code text,
  asked_from bytea,
  expires_at bigint not null,
  primary key (kind, subject_hash)
);
create index sign_in_codes_age on sign_in_codes (expires_at);
create index sign_in_codes_user on sign_in_codes (user_id) where user_id is not null;

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

-- Passkeys -------------------------------------------------------------------------------------------

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

-- Devices --------------------------------------------------------------------------------------------

create table devices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- Keyed hash of what the app calls the device.
  hwid_hash bytea not null,
  device_name text not null,
  device_type text not null check (device_type in ('ios', 'android', 'windows', 'macos', 'linux')),
  device_model text not null,
  os_version text not null,
  -- The app told model and system beside the identifier.
  is_fingerprinted boolean not null,
  is_blocked boolean not null default false,
  created_at bigint not null,
  last_seen_at bigint not null,
  unique (user_id, hwid_hash)
);
create index devices_seen on devices (user_id, last_seen_at desc, id desc);

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
