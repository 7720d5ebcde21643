-- Money from outside, activation keys, referrals, auto-renewal, reminders.

-- Ledger ---------------------------------------------------------------------------------------------

-- clearing: received, not yet earned. exchange: two legs of a conversion. suspense: received and disputed.
-- withdrawal_hold: asked for by a customer and not paid out yet.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in ('wallet', 'referral',
  'referral_hold', 'withdrawal_hold', 'provider', 'revenue', 'promocode_expense', 'refunds', 'payouts', 'operator',
  'clearing', 'exchange', 'suspense'));

insert into ledger_accounts (kind, currency)
  select kind, currency
  from unnest(array['revenue', 'refunds', 'clearing', 'exchange', 'suspense']) kind,
    unnest(array['RUB', 'TON', 'USDT', 'XTR', 'USD']) currency
  where not (kind in ('revenue', 'refunds') and currency = 'RUB');
insert into ledger_accounts (kind, provider, currency)
  select 'provider', provider, currency
  from unnest(array['sandbox', 'yookassa', 'crypto_pay', 'stars', 'stripe']) provider,
    unnest(array['RUB', 'TON', 'USDT', 'XTR', 'USD']) currency;
insert into ledger_accounts (kind, user_id, balance) select 'withdrawal_hold', id, 0 from users;
create index ledger_transfers_order on ledger_transfers (order_id) where order_id is not null;

-- A customer of the version before this one, made while both run, gets its account here.
create function open_withdrawal_hold() returns trigger language plpgsql as $$
begin
  insert into ledger_accounts (kind, user_id, balance) values ('withdrawal_hold', new.id, 0) on conflict do nothing;
  return new;
end $$;
create trigger users_withdrawal_hold after insert on users for each row execute function open_withdrawal_hold();

-- What the operator may change while the service runs.
create table settings (
  key text primary key,
  value jsonb not null,
  updated_at bigint not null
);

-- Methods and rates ----------------------------------------------------------------------------------

-- Who takes the money; null for what is paid inside the service (balance, referral).
alter table payment_methods add column provider text;
update payment_methods set provider = 'sandbox' where key not in ('balance', 'referral');

create table rates (
  currency text primary key,
  -- Millionths of a rouble for one whole unit.
  micro_rub bigint not null check (micro_rub > 0),
  source text not null,
  set_at bigint not null,
  -- Null: until it is changed.
  valid_until bigint
);

-- Orders and payments --------------------------------------------------------------------------------

alter table orders
  -- Null for an order paid with a promocode.
  alter column payment_method_id drop not null,
  add column currency text not null default 'RUB',
  -- The price in roubles when the order was made; what is credited if it cannot be fulfilled.
  add column value_rub bigint,
  -- What to grant once it is paid; the product knows the form.
  add column purchase jsonb,
  add column as_key boolean not null default false,
  add column promocode_id bigint,
  -- The end of the period that an automatic renewal prolongs: one renewal for each.
  add column period_end bigint,
  add column expires_at bigint,
  add column paid_at bigint,
  -- Paid and waiting for its grant.
  add column next_try_at bigint,
  add column refunded_at bigint,
  add column refunded_to text check (refunded_to in ('balance', 'source'));
create unique index orders_period on orders (product, config_id, period_end)
  where period_end is not null and state <> 'refunded';
create index orders_to_grant on orders (next_try_at) where state = 'paid';
create index orders_open on orders (expires_at) where state = 'created';
create index orders_unpaid on orders (user_id) where state = 'created';
create index orders_config on orders (config_id, id) where config_id is not null;

create table payments (
  id bigint generated always as identity primary key,
  -- In links and in the provider's metadata; the provider's idempotency key is made from it.
  public_id text not null unique,
  order_id bigint not null references orders (id),
  provider text not null,
  provider_payment_id text,
  method_key text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  -- creating: the provider has not answered yet.
  state text not null check (state in ('creating', 'pending', 'succeeded', 'canceled')),
  link text,
  -- Who asks the provider for the link now, so that it is asked once at a time.
  leased_until bigint,
  created_at bigint not null,
  expires_at bigint not null,
  checks integer not null default 0,
  -- When the reconciler looks next; null when nothing is awaited.
  next_check_at bigint
);
create unique index payments_provider on payments (provider, provider_payment_id) where provider_payment_id is not null;
create index payments_order on payments (order_id);
create index payments_due on payments (next_check_at) where next_check_at is not null;

-- Money a provider confirmed, each piece once.
create table receipts (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  order_id bigint not null references orders (id),
  provider text not null,
  receipt_id text not null,
  -- Whom a refund goes back to, where the provider needs to be told.
  payer text,
  amount bigint not null check (amount > 0),
  currency text not null,
  value_rub bigint not null,
  -- accepted: paid the order. extra: the order was paid before, credited. suspense: wrong amount or currency.
  verdict text not null check (verdict in ('accepted', 'extra', 'suspense')),
  created_at bigint not null,
  unique (provider, receipt_id)
);
create index receipts_order on receipts (order_id);

create table refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  -- Null when the order was paid inside the service. One refund for each receipt.
  receipt_id bigint unique references receipts (id),
  destination text not null check (destination in ('balance', 'source')),
  amount bigint not null check (amount > 0),
  currency text not null,
  recipient text,
  reason text not null,
  -- Null when the provider refunded by itself.
  operator_id bigint references operators (id),
  state text not null check (state in ('requested', 'done', 'failed')),
  failure text,
  next_try_at bigint,
  attempts integer not null default 0,
  created_at bigint not null,
  done_at bigint
);
create index refunds_order on refunds (order_id);
create index refunds_due on refunds (next_try_at) where state = 'requested';

-- What providers said, kept before it is believed.
create table webhook_inbox (
  id bigint generated always as identity primary key,
  provider text not null,
  event_id text not null,
  payload_sealed bytea not null,
  received_at bigint not null,
  attempts integer not null default 0,
  next_try_at bigint,
  processed_at bigint,
  failure text,
  -- When the payload was emptied.
  forgotten_at bigint,
  unique (provider, event_id)
);
create index webhook_inbox_to_forget on webhook_inbox (processed_at) where forgotten_at is null;
create index webhook_inbox_due on webhook_inbox (next_try_at) where next_try_at is not null;

-- The built-in provider's own books, as if it were somebody else's.
create table sandbox_payments (
  payment_id text primary key,
  amount bigint not null,
  currency text not null,
  title_ru text not null,
  title_en text not null,
  return_url text not null,
  state text not null check (state in ('pending', 'later', 'succeeded', 'declined', 'refunded')),
  -- When a payment put off is made.
  pay_at bigint,
  expires_at bigint not null,
  -- The event that tells of the last change, until it was delivered.
  event_id text,
  event_due_at bigint,
  created_at bigint not null
);
create index sandbox_payments_due on sandbox_payments (event_due_at) where event_due_at is not null;

-- A claim whose answer waits for a payment link; the repeat goes on with the same payment.
alter table idempotency_keys add column payment_id bigint;

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

-- Activation keys ------------------------------------------------------------------------------------

create table promocodes (
  id bigint generated always as identity primary key,
  -- Keyed hash: how a code is found. The code itself is sealed.
  code_hash bytea not null unique,
  code_sealed bytea not null,
  product_type text not null check (product_type in ('configs', 'paid_options', 'cloud_servers')),
  days integer not null check (days > 0),
  -- The customer who bought it, or the operator who issued it.
  buyer_id bigint references users (id),
  order_id bigint unique references orders (id),
  operator_id bigint references operators (id),
  expires_at bigint,
  revoked_at bigint,
  used_by bigint references users (id),
  used_order_id bigint unique references orders (id),
  used_at bigint,
  created_at bigint not null,
  check ((buyer_id is null) <> (operator_id is null))
);
create index promocodes_buyer on promocodes (buyer_id, id) where buyer_id is not null;

-- Limits that hold across instances and restarts: guesses of codes.
create table security_counters (
  key text not null,
  window_start bigint not null,
  count integer not null,
  primary key (key, window_start)
);
create index security_counters_age on security_counters (window_start);

-- Referrals ------------------------------------------------------------------------------------------

create table commissions (
  id bigint generated always as identity primary key,
  referrer_id bigint not null references users (id),
  referred_id bigint not null references users (id),
  receipt_id bigint not null unique references receipts (id),
  amount bigint not null check (amount > 0),
  state text not null check (state in ('held', 'released', 'reversed')),
  release_at bigint not null,
  created_at bigint not null,
  released_at bigint,
  reversed_at bigint
);
create index commissions_referrer on commissions (referrer_id, created_at);
create index commissions_due on commissions (release_at) where state = 'held';
create index users_referrer on users (referrer_id) where referrer_id is not null;

create table withdrawals (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  method text not null check (method in ('sbp', 'card')),
  amount bigint not null check (amount > 0),
  bank_id text,
  -- Card number or phone, bound to the row; erased 30 days after the decision.
  account_sealed bytea,
  account_masked text not null,
  status text not null check (status in ('pending', 'paid', 'rejected')),
  reason text,
  decided_by bigint references operators (id),
  decided_at bigint,
  created_at bigint not null
);
create index withdrawals_user on withdrawals (user_id, created_at);
create index withdrawals_pending on withdrawals (id) where status = 'pending';
create index withdrawals_to_erase on withdrawals (decided_at) where account_sealed is not null;

-- Renewals and notifications -------------------------------------------------------------------------

alter table configs
  -- The last automatic try in this period.
  add column renewal_tried_at bigint,
  -- Reminders left in this period: 1 after the one three days before the end, 2 after the one a day before.
  add column reminders_left smallint not null default 0;
create index configs_lapsed on configs (expires_at) where state = 'expired';
create index configs_to_renew on configs (expires_at) where state = 'active' and auto_renewal;
create index configs_to_remind on configs (expires_at) where state = 'active' and reminders_left < 2;

alter table users
  add column renewal_reminders boolean not null default true,
  add column notification_start_hour smallint not null default 9 check (notification_start_hour between 0 and 23),
  add column notification_end_hour smallint not null default 21 check (notification_end_hour between 0 and 23),
  -- Minutes east of Greenwich.
  add column timezone_offset integer not null default 180 check (timezone_offset between -720 and 840);

-- Kept after delivery without their text, so that what was told once is not told again.
alter table notifications
  add column visible_at bigint not null default 0,
  add column is_reminder boolean not null default false,
  add column delivered_at bigint;
create index notifications_waiting on notifications (user_id, id) where delivered_at is null;
create index notifications_delivered on notifications (delivered_at) where delivered_at is not null;
