-- When the key of a subscription was last fetched by an app, and what came of it. Written once a minute, of many at once.
create table subscription_fetches (
  subscription_id bigint primary key references subscriptions (id) on delete cascade,
  at bigint not null,
  app text not null,
  -- What the app was answered: served, not_modified, or why it was refused.
  outcome text not null,
  -- The highest that an app has got whole; null when none has.
  revision bigint
);

-- How an access was before it was moved by others than its customer: its node goes on carrying it so, until the customer's app
-- has fetched what it is now. On the node it is called by its number below zero, so that an access may be there twice. It outlives
-- its access and its end for as long as its node may tell what it has carried.
create table held_accesses (
  id bigint generated always as identity primary key,
  access_id bigint not null,
  term_id bigint not null references terms (id),
  server_id bigint not null references servers (id),
  node_id bigint not null references nodes (id),
  location_id bigint not null references locations (id),
  protocol text not null,
  options text[] not null,
  credential_nonce bytea not null,
  port integer,
  tunnel_host integer,
  awg jsonb,
  xray_config_sealed bytea,
  tls_domain text,
  -- Proxies are in no subscription: no fetch ends them.
  is_proxy boolean not null,
  -- The revision of each subscription of the customer before the move: whoever was served a later one has it.
  revisions jsonb,
  moved_at bigint not null,
  until bigint not null,
  is_live boolean not null default true
);
create index held_accesses_access on held_accesses (access_id);
create index held_accesses_server on held_accesses (server_id) where is_live;
create index held_accesses_term on held_accesses (term_id) where is_live;
create index held_accesses_until on held_accesses (until) where is_live;
create index held_accesses_over on held_accesses (id) where not is_live;

-- A server that everybody is moved away from. Waiting is what is running and has nobody left.
create table server_drains (
  server_id bigint primary key references servers (id) on delete cascade,
  state text not null check (state in ('running', 'done', 'stopped')),
  -- Empty where any of the location will do.
  to_server_ids bigint[] not null,
  -- How many there were.
  total bigint not null,
  started_at bigint not null,
  ended_at bigint
);
create index server_drains_running on server_drains (server_id) where state = 'running';

create table drain_failures (
  server_id bigint not null references server_drains (server_id) on delete cascade,
  access_id bigint not null references accesses (id) on delete cascade,
  reason text not null,
  at bigint not null,
  primary key (server_id, access_id)
);
