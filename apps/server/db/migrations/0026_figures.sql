-- Figures of the business: what they are counted from, and the sums that are kept of it ---------------------------

-- Given without payment: an order of price 0.
alter table orders add column if not exists is_gift boolean not null default false;

-- Where what was ordered is; null where it is in several places or in none. Noted as it is made, for what is renewed may be
-- moved later. Here, because a version that knows nothing of it may still be selling.
alter table orders add column location_id bigint;
create function place_order() returns trigger language plpgsql as $body$
begin
  if jsonb_typeof(new.purchase -> 'locationId') = 'number' then
    new.location_id := (new.purchase ->> 'locationId')::bigint;
  elsif new.item_id is not null and new.product = 'configs' then
    new.location_id := (select location_id from accesses where id = new.item_id);
  elsif new.item_id is not null and new.product = 'cloud_servers' then
    new.location_id := (select location_id from machines where id = new.item_id);
  end if;
  return new;
end $body$;
create trigger orders_placed before insert on orders for each row
  when (new.location_id is null) execute function place_order();

-- When money that had been put aside went to the customer's balance after all: it counts from then on.
alter table receipts add column credited_at bigint;

-- What a provider's event was about, so that it can be shown with the order.
create table payment_events (
  payment_id bigint not null references payments (id),
  event_id bigint not null references webhook_inbox (id),
  primary key (payment_id, event_id)
);

-- People who have agreed to a withdrawal that needs two.
create table withdrawal_approvals (
  withdrawal_id bigint not null references withdrawals (id),
  operator_id bigint not null references operators (id),
  created_at bigint not null,
  primary key (withdrawal_id, operator_id)
);

-- Customers who had something and have nothing any more. A customer who comes back may end again.
create table ended_customers (
  user_id bigint not null references users (id),
  at bigint not null,
  primary key (user_id, at)
);
create index ended_customers_at on ended_customers (at);
create function note_ended_customer() returns trigger language plpgsql as $body$
begin
  insert into ended_customers (user_id, at)
    select new.user_id, new.expires_at
    where not exists (select from terms t where t.user_id = new.user_id and t.id <> new.id
      and (t.state = 'active' or (t.state = 'expired' and t.expires_at > new.expires_at)))
    on conflict do nothing;
  return null;
end $body$;
create trigger terms_customer_ended after update on terms for each row
  when (old.state = 'active' and new.state = 'expired') execute function note_ended_customer();
-- An account that is closed with something live: its terms go first, and the moment is said by the account.
create function note_deleted_term() returns trigger language plpgsql as $body$
begin
  perform set_config('sallyport.closed',
    coalesce(current_setting('sallyport.closed', true), '') || ' ' || new.user_id || ' ', true);
  return null;
end $body$;
create trigger terms_customer_deleted after update on terms for each row
  when (old.state = 'active' and new.state = 'deleted') execute function note_deleted_term();
create function note_closed_customer() returns trigger language plpgsql as $body$
begin
  if position(' ' || new.id || ' ' in coalesce(current_setting('sallyport.closed', true), '')) > 0 then
    insert into ended_customers (user_id, at) values (new.id, new.deleted_at) on conflict do nothing;
  end if;
  return null;
end $body$;
create trigger users_customer_ended after update on users for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function note_closed_customer();

-- By quarters of an hour, which add up to the hours, days and months of every time zone.
-- What nodes have carried, by the location of the server. It outlives them both.
create table node_traffic (
  at bigint not null,
  node_id bigint not null,
  location_id bigint not null,
  up bigint not null,
  down bigint not null,
  primary key (at, node_id, location_id)
);
-- How many customers had something live at the last look of the quarter.
create table customer_looks (
  at bigint primary key,
  active bigint not null
);
-- How the fleet was at the last look of the quarter; the most customers at once. 0 is all locations together.
create table fleet_looks (
  at bigint not null,
  location_id bigint not null,
  nodes bigint not null,
  nodes_online bigint not null,
  capacity bigint not null,
  used_slots bigint not null,
  customers_online bigint not null,
  primary key (at, location_id)
);

-- Sums by hours, days and months of one time zone. Everything in them can be counted again from the tables above, from orders,
-- receipts and refunds. A dimension is all, product, method or location; a value is one of it.
create table sales_rollup (
  step text not null,
  dimension text not null,
  at bigint not null,
  value text not null,
  orders bigint not null,
  money_in bigint not null,
  from_balance bigint not null,
  refunded bigint not null,
  gifts bigint not null,
  primary key (step, dimension, at, value)
);
create table customer_rollup (
  step text not null,
  dimension text not null,
  at bigint not null,
  value text not null,
  new bigint not null,
  first_paid bigint not null,
  -- Null where nobody looked.
  active bigint,
  ended bigint not null,
  primary key (step, dimension, at, value)
);
create table traffic_rollup (
  step text not null,
  dimension text not null,
  at bigint not null,
  value text not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  primary key (step, dimension, at, value)
);
create table fleet_rollup (
  step text not null,
  dimension text not null,
  at bigint not null,
  value text not null,
  nodes bigint,
  nodes_online bigint,
  capacity bigint,
  used_slots bigint,
  customers_online bigint,
  primary key (step, dimension, at, value)
);

-- One row: whose days they are, and until when everything is in them.
create table figures_state (
  is_only boolean primary key default true check (is_only),
  zone text,
  folded_to bigint,
  checked_at bigint
);
insert into figures_state default values;

-- By time, for whoever counts what is new.
create index orders_fulfilled on orders (fulfilled_at) where fulfilled_at is not null;
create index orders_refunded on orders (refunded_at) where refunded_at is not null;
create index receipts_counted on receipts (coalesce(credited_at, created_at));
create index refunds_done on refunds (done_at) where done_at is not null;
create index if not exists users_created on users (created_at);

-- Lists of operators, newest first. Most orders are fulfilled.
create index orders_product on orders (product, id);
create index orders_state on orders (state, id) where state <> 'fulfilled';
create index ledger_transfers_cause on ledger_transfers (cause text_pattern_ops);
create index ledger_transfers_from_account on ledger_transfers (from_account_id, id);
create index ledger_transfers_to_account on ledger_transfers (to_account_id, id);
drop index ledger_transfers_from;
drop index ledger_transfers_to;
