-- What is sold -----------------------------------------------------------------------------------------

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
  ping_ip text,
  -- A country's own domains and networks, which leave from its servers directly.
  home_domains text[] not null default '{}',
  home_networks text[] not null default '{}'
);

create table payment_methods (
  id bigint primary key,
  key text not null unique,
  name_ru text not null,
  name_en text not null,
  currency text not null,
  min_amount bigint not null,
  is_active boolean not null default true,
  -- Who takes the money; null for what is paid inside the service (balance, referral).
  provider text
);

create table rates (
  currency text primary key,
  -- Millionths of a rouble for one whole unit.
  micro_rub bigint not null check (micro_rub > 0),
  source text not null,
  set_at bigint not null,
  -- Null: until it is changed.
  valid_until bigint
);

-- A product is a class and, where a class has several, one of them. Null is the only one of its class.
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

-- A rule for one product of a class names it; a configuration is named by its tariff.
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

-- Terms ------------------------------------------------------------------------------------------------

-- Everything that is sold for a time: what it is of which product, whose, and until when. Renewal, expiry, reminders,
-- refunds of days, transfer and deletion work on this table and know no product.
create table terms (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  product text not null check (product in ('configs', 'cloud_servers', 'paid_options')),
  product_id bigint,
  -- What the product calls it: the number that customers see. Of a configuration that of its access.
  item_id bigint not null,
  state text not null default 'active' check (state in ('active', 'expired', 'deleted')),
  expires_at bigint not null,
  auto_renewal boolean not null default false,
  auto_renewal_days integer,
  -- The last automatic try in this period.
  renewal_tried_at bigint,
  -- Reminders sent in this period: 1 after the one three days before the end, 2 after the one a day before.
  reminders_sent smallint not null default 0,
  created_at bigint not null,
  unique (product, item_id)
);
create index terms_user on terms (user_id, product, item_id) where state <> 'deleted';
create index terms_due on terms (expires_at) where state = 'active';
create index terms_lapsed on terms (product, expires_at) where state = 'expired';
create index terms_to_renew on terms (expires_at) where state = 'active' and auto_renewal;
create index terms_to_remind on terms (expires_at) where state = 'active' and reminders_sent < 2;

-- Nodes and servers ------------------------------------------------------------------------------------

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
  -- Addresses inside WireGuard tunnels are numbered per node and not used twice.
  last_tunnel_host integer not null default 1,
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
  -- Whose machine it is: the customer's who has this term. Null is the operator's, who sells places on it.
  owner_term_id bigint references terms (id),
  capacity integer not null check (capacity >= 0),
  used_slots integer not null default 0 check (used_slots >= 0),
  -- The server's own name and certificate: for TLS protocols and for the site of vless-2410.
  domain text not null,
  certificate text not null,
  certificate_key_sealed bytea not null,
  -- False when no authority signed it: clients are then told to pin it.
  is_certificate_public boolean not null default false,
  created_at bigint not null
);
create index servers_location on servers (location_id);
create index servers_node on servers (node_id);
create index servers_owner on servers (owner_term_id) where owner_term_id is not null;

-- What a server offers: one row a protocol.
create table inbounds (
  server_id bigint not null references servers (id),
  protocol text not null,
  node_id bigint not null references nodes (id),
  engine text not null,
  -- Null for protocols with a port for each customer.
  port integer check (port between 1 and 65535),
  settings jsonb not null,
  -- Borrowed sites and the server's certificate, for agents and personal instances; links need settings alone.
  sites jsonb not null,
  secret_sealed bytea not null,
  primary key (server_id, protocol),
  unique (node_id, port)
);

-- Configurations that an engine is asked about before a customer's change is accepted.
create table trials (
  id bigint generated always as identity primary key,
  node_id bigint not null references nodes (id),
  config_sealed bytea not null,
  is_accepted boolean,
  reason text,
  created_at bigint not null
);
create index trials_open on trials (node_id, id) where is_accepted is null;
create index trials_age on trials (created_at);
