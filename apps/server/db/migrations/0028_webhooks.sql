-- What programs of operators are told ------------------------------------------------------------------------------

create table webhooks (
  id bigint generated always as identity primary key,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  is_active boolean not null default true,
  secret_sealed bytea not null,
  version bigint not null default 1,
  -- How many tries have failed since one that did not, and since when.
  failures integer not null default 0,
  failing_since bigint,
  -- When something was last given up after all its tries.
  gave_up_at bigint,
  created_at bigint not null
);
create trigger webhooks_versioned before update on webhooks for each row
  when ((old.url, old.events, old.is_active) is distinct from (new.url, new.events, new.is_active))
  execute function raise_version();

-- What happened, written with the change itself.
create table outbox (
  id bigint generated always as identity primary key,
  event_id text not null default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  type text not null,
  subject text not null,
  data jsonb not null,
  created_at bigint not null
);
create index outbox_old on outbox (created_at);

-- One for each endpoint that wants it. It does not refer to webhooks: a purchase locks no endpoint, and none fails because
-- an endpoint is deleted at that moment.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null,
  outbox_id bigint not null references outbox (id) on delete cascade,
  subject text not null,
  attempts integer not null default 0,
  -- Null when it is over.
  next_try_at bigint,
  delivered_at bigint,
  last_try_at bigint,
  last_status integer,
  last_error text,
  created_at bigint not null
);
create index webhook_deliveries_listed on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at) where next_try_at is not null;
-- The line of each subject: who stands before whom.
create index webhook_deliveries_line on webhook_deliveries (webhook_id, subject, id) where next_try_at is not null;
create index webhook_deliveries_outbox on webhook_deliveries (outbox_id);

-- A function, so that a statement which changes something tells of it too, without another way to the database.
create function announce(event text, about text, details jsonb, at bigint) returns boolean language plpgsql as $body$
declare made bigint;
begin
  if not exists (select from webhooks w where w.is_active and event = any(w.events)) then return false; end if;
  insert into outbox (type, subject, data, created_at) values (event, about, details, at) returning id into made;
  insert into webhook_deliveries (webhook_id, outbox_id, subject, next_try_at, created_at)
  select w.id, made, about, at, at from webhooks w where w.is_active and event = any(w.events) order by w.id;
  return true;
end $body$;

-- Alerts that reach people -----------------------------------------------------------------------------------------

-- When a letter spoke of it, and of its end.
alter table alerts add column mailed_at bigint;
alter table alerts add column end_mailed_at bigint;
create index alerts_unmailed on alerts (id) where mailed_at is null and resolved_at is null;
create index alerts_ended on alerts (id) where mailed_at is not null and resolved_at is not null and end_mailed_at is null;

-- One row: when operators were last written to, so that all instances together keep the rhythm.
create table alert_letters (
  is_only boolean primary key default true check (is_only),
  posted_at bigint not null
);
insert into alert_letters (posted_at) values (0);

-- Nodes that were there and are not heard of.
create table silent_nodes (
  node_id bigint primary key references nodes (id) on delete cascade,
  since bigint not null
);

-- When each job last came to its end, on each instance that lives.
create table job_runs (
  name text not null,
  instance text not null,
  finished_at bigint not null,
  problem text,
  noted_at bigint not null,
  primary key (name, instance)
);
