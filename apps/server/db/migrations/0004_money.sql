-- Ledger -----------------------------------------------------------------------------------------------

-- clearing: received, not yet earned. exchange: two legs of a conversion. suspense: received and disputed.
-- withdrawal_hold: asked for by a customer and not paid out yet.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('wallet', 'referral', 'referral_hold', 'withdrawal_hold', 'provider',
    'revenue', 'promocode_expense', 'refunds', 'payouts', 'operator', 'clearing', 'exchange', 'suspense')),
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
create index ledger_transfers_order on ledger_transfers (order_id) where order_id is not null;
create trigger ledger_transfers_append_only before update or delete on ledger_transfers
  for each row execute function refuse_change();

create view ledger_entries as
  select id as transfer_id, from_account_id as account_id, -amount as amount, created_at from ledger_transfers
  union all
  select id, to_account_id, amount, created_at from ledger_transfers;

insert into ledger_accounts (kind) values
  ('revenue'), ('promocode_expense'), ('refunds'), ('payouts'), ('operator');

insert into ledger_accounts (kind, currency)
  select kind, currency
  from unnest(array['revenue', 'refunds', 'clearing', 'exchange', 'suspense']) kind,
    unnest(array['RUB', 'TON', 'USDT', 'XTR', 'USD']) currency
  where not (kind in ('revenue', 'refunds') and currency = 'RUB');
insert into ledger_accounts (kind, provider, currency)
  select 'provider', provider, currency
  from unnest(array['sandbox', 'yookassa', 'crypto_pay', 'stars', 'stripe']) provider,
    unnest(array['RUB', 'TON', 'USDT', 'XTR', 'USD']) currency;

-- Orders and payments ----------------------------------------------------------------------------------

create table orders (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  product text not null check (product in ('configs', 'cloud_servers', 'paid_options', 'balance')),
  product_id bigint,
  -- What it gave or prolonged, by the product's own number; null while there is nothing.
  item_id bigint,
  state text not null check (state in ('created', 'paid', 'fulfilled', 'cancelled', 'expired', 'refunded')),
  -- Null for an order paid with a promocode.
  payment_method_id bigint references payment_methods (id),
  promocode_id bigint,
  tariff_id bigint references tariffs (id),
  days integer not null,
  price bigint not null,
  currency text not null default 'RUB',
  -- The price in roubles when the order was made; what is credited if it cannot be fulfilled.
  value_rub bigint not null,
  -- Every step from list price to charge, so that a price can be explained years later.
  price_steps jsonb not null,
  -- What to grant once it is paid; the product knows the form.
  purchase jsonb not null,
  as_key boolean not null default false,
  is_renewal boolean not null default false,
  -- The end of the period that an automatic renewal prolongs: one renewal for each.
  period_end bigint,
  created_at bigint not null,
  expires_at bigint,
  paid_at bigint,
  -- Paid and waiting for its grant.
  next_try_at bigint,
  fulfilled_at bigint,
  refunded_at bigint,
  refunded_to text check (refunded_to in ('balance', 'source'))
);
create index orders_user on orders (user_id, id);
create index orders_item on orders (product, item_id, id) where item_id is not null;
create unique index orders_period on orders (product, item_id, period_end)
  where period_end is not null and state <> 'refunded';
create index orders_to_grant on orders (next_try_at) where state = 'paid';
create index orders_open on orders (expires_at) where state = 'created';
create index orders_unpaid on orders (user_id) where state = 'created';

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

-- Activation keys and referrals ------------------------------------------------------------------------

create table promocodes (
  id bigint generated always as identity primary key,
  -- Keyed hash: how a code is found. The code itself is sealed.
  code_hash bytea not null unique,
  code_sealed bytea not null,
  product_type text not null check (product_type in ('configs', 'paid_options', 'cloud_servers')),
  -- One product of a class with several; null works for any of the class.
  product_id bigint,
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
