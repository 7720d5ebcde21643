-- Times are Unix seconds and amounts whole smallest units, both as bigint: that is what the API speaks,
-- and the clock is the service's, never the database's.

-- People ---------------------------------------------------------------------------------------------

create table users (
  id bigint generated always as identity primary key,
  email text check (email = lower(email)),
  uuid uuid not null default gen_random_uuid(),
  -- The key itself is sealed; the hash is how a subscription request finds its account.
  subscription_key_sealed bytea not null,
  subscription_key_hash bytea not null unique,
  sign_in_method text not null,
  referral_code text not null unique,
  referrer_id bigint references users (id) check (referrer_id <> id),
  referrals_count integer not null default 0,
  is_messenger_connected boolean not null default false,
  onboarding_completed boolean not null default false,
  is_blocked boolean not null default false,
  created_at bigint not null
);
create unique index users_email on users (email) where email is not null;

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

create table idempotency_keys (
  actor text not null,
  key text not null,
  operation text not null,
  body_hash bytea not null,
  status integer,
  -- Sealed: an answer may hold a secret that is shown once.
  response_sealed bytea,
  created_at bigint not null,
  primary key (actor, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Money ----------------------------------------------------------------------------------------------

create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('wallet', 'referral', 'referral_hold', 'provider', 'revenue',
    'promocode_expense', 'refunds', 'payouts', 'operator')),
  user_id bigint references users (id),
  provider text,
  currency text not null default 'RUB',
  -- Cached for customers only: on the service's own accounts it would make every purchase queue for one row.
  balance bigint check (balance >= 0),
  check ((user_id is null) = (balance is null))
);
create unique index ledger_accounts_customer on ledger_accounts (user_id, kind) where user_id is not null;
create unique index ledger_accounts_service on ledger_accounts (kind, coalesce(provider, ''), currency)
  where user_id is null;

-- One row moves one amount from one account to another, so the entries of every transfer sum to zero.
create table ledger_transfers (
  id bigint generated always as identity primary key,
  cause text not null unique,
  kind text not null,
  from_account_id bigint not null references ledger_accounts (id),
  to_account_id bigint not null references ledger_accounts (id),
  amount bigint not null check (amount > 0),
  order_id bigint,
  created_at bigint not null,
  check (from_account_id <> to_account_id)
);
create index ledger_transfers_from on ledger_transfers (from_account_id);
create index ledger_transfers_to on ledger_transfers (to_account_id);
create trigger ledger_transfers_append_only before update or delete on ledger_transfers
  for each row execute function refuse_change();

create view ledger_entries as
  select id as transfer_id, from_account_id as account_id, -amount as amount, created_at from ledger_transfers
  union all
  select id, to_account_id, amount, created_at from ledger_transfers;

insert into ledger_accounts (kind) values
  ('revenue'), ('promocode_expense'), ('refunds'), ('payouts'), ('operator');

create table pricing_rules (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  type text not null,
  product_id bigint,
  percent double precision not null,
  comment text,
  created_at bigint not null
);
create index pricing_rules_user on pricing_rules (user_id);

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  content text not null,
  created_at bigint not null
);
create index notifications_user on notifications (user_id, id);

-- Catalogue ------------------------------------------------------------------------------------------

create table locations (
  id bigint primary key,
  code text not null,
  title_ru text not null,
  title_en text not null,
  description_ru text not null,
  description_en text not null,
  caption_ru text not null,
  caption_en text not null,
  is_active boolean not null default true,
  ping_ip text
);

create table payment_methods (
  id bigint primary key,
  key text not null unique,
  name_ru text not null,
  name_en text not null,
  currency text not null,
  min_amount bigint not null,
  is_active boolean not null default true
);

create table tariffs (
  id bigint primary key,
  product text not null check (product in ('configs', 'cloud_servers', 'paid_options')),
  product_id bigint,
  days integer not null check (days > 0)
);

create table tariff_prices (
  tariff_id bigint not null references tariffs (id),
  payment_method_id bigint not null references payment_methods (id),
  price bigint not null check (price > 0),
  old_price bigint check (old_price > price),
  primary key (tariff_id, payment_method_id)
);

-- Nodes and servers ----------------------------------------------------------------------------------

create table nodes (
  id bigint generated always as identity primary key,
  name text not null unique,
  address text not null,
  listen_address text not null,
  -- A demo node sells what its engines cannot serve yet, so that the API can be tried anywhere.
  sells_without_engine boolean not null default false,
  public_key text,
  enrolment_token_hash bytea unique,
  enrolment_expires_at bigint,
  -- The key that spent the token: the same agent may ask again when the answer was lost.
  enrolment_spent_by text,
  desired_revision bigint not null default 0,
  created_at bigint not null
);

-- Apart from nodes, so that heartbeats never wait for purchases.
create table node_status (
  node_id bigint primary key references nodes (id),
  last_seen_at bigint,
  applied_revision bigint not null default 0,
  applied_hash text not null default '',
  apply_error text,
  agent_version text,
  engines jsonb not null default '[]',
  ready_engines text[] not null default '{}',
  uptime_seconds bigint not null default 0,
  cpu_model text not null default ''
);

create table node_days (
  node_id bigint not null references nodes (id),
  day text not null,
  samples bigint not null,
  cpu_sum double precision not null,
  ram_sum double precision not null,
  up_sum double precision not null,
  down_sum double precision not null,
  primary key (node_id, day)
);

create table servers (
  id bigint generated always as identity primary key,
  node_id bigint not null references nodes (id),
  location_id bigint not null references locations (id),
  capacity integer not null check (capacity >= 0),
  used_slots integer not null default 0 check (used_slots >= 0),
  created_at bigint not null
);
create index servers_location on servers (location_id);
create index servers_node on servers (node_id);

-- What a server offers: one row a protocol.
create table inbounds (
  server_id bigint not null references servers (id),
  protocol text not null,
  node_id bigint not null references nodes (id),
  engine text not null,
  port integer not null check (port between 1 and 65535),
  settings jsonb not null,
  secret_sealed bytea not null,
  primary key (server_id, protocol),
  unique (node_id, port)
);

-- Products -------------------------------------------------------------------------------------------

create table orders (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  product text not null check (product in ('configs', 'cloud_servers', 'paid_options', 'balance')),
  state text not null check (state in ('created', 'paid', 'fulfilled', 'cancelled', 'expired', 'refunded')),
  payment_method_id bigint not null references payment_methods (id),
  tariff_id bigint references tariffs (id),
  days integer not null,
  price bigint not null,
  -- Every step from list price to charge, so that a price can be explained years later.
  price_steps jsonb not null,
  config_id bigint,
  created_at bigint not null,
  fulfilled_at bigint
);
create index orders_user on orders (user_id, id);

create table configs (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  server_id bigint not null references servers (id),
  location_id bigint not null references locations (id),
  protocol text not null,
  options text[] not null default '{}',
  title text,
  -- Credentials are derived from this and a key outside the database; alone it opens nothing. Null once deleted.
  credential_nonce bytea check (length(credential_nonce) = 16),
  flags text[] not null default '{}',
  state text not null default 'active' check (state in ('active', 'expired', 'deleted')),
  auto_renewal boolean not null default false,
  auto_renewal_days integer,
  expires_at bigint not null,
  created_at bigint not null,
  traffic_up bigint not null default 0,
  traffic_down bigint not null default 0
);
create index configs_user on configs (user_id, id) where state <> 'deleted';
create index configs_due on configs (expires_at) where state = 'active';

-- What should be on which node. A row that is not present any more stays as a tombstone for deltas.
create table placements (
  node_id bigint not null references nodes (id),
  item text not null,
  config_id bigint not null references configs (id),
  server_id bigint not null references servers (id),
  revision bigint not null,
  is_present boolean not null,
  primary key (node_id, item)
);
create unique index placements_revision on placements (node_id, revision);

create table traffic_counters (
  node_id bigint not null references nodes (id),
  item text not null,
  boot_id text not null,
  up bigint not null,
  down bigint not null,
  seen_at bigint not null,
  primary key (node_id, item, boot_id)
);
create index traffic_counters_age on traffic_counters (seen_at);
