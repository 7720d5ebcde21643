-- Every protocol and option: what servers offer, what is personal to a configuration, proxies, bridges.

-- The server's own name and certificate: for TLS protocols and for the site of vless-2410.
alter table servers
  add column domain text,
  add column certificate text,
  add column certificate_key_sealed bytea,
  -- False when no authority signed it: clients are then told to pin it.
  add column is_certificate_public boolean not null default false;

-- Protocols with a port for each customer have none of their own.
alter table inbounds
  alter column port drop not null,
  -- Borrowed sites and the server's certificate, for agents and personal instances; links need settings alone.
  add column sites jsonb not null default '{}';
-- The version before this one still reads the target from settings while both run, so it stays there too.
update inbounds set sites = jsonb_build_object('target', settings->'target', 'server_name', settings->'server_name');

-- One port of a node has one owner: an inbound (vless-3), a configuration (c12) or its proxy (s12).
create table node_ports (
  node_id bigint not null references nodes (id),
  port integer not null check (port between 1 and 65535),
  owner text not null,
  primary key (node_id, port)
);
create unique index node_ports_owner on node_ports (node_id, owner);
insert into node_ports (node_id, port, owner)
  select node_id, port, protocol || '-' || server_id from inbounds;

-- Addresses inside WireGuard tunnels are numbered per node and not used twice.
alter table nodes add column last_tunnel_host integer not null default 1;

alter table configs
  -- Of a personal instance or interface.
  add column port integer,
  add column tunnel_host integer,
  add column awg jsonb,
  -- The customer's own version of the instance's JSON; sealed, because it holds the instance's keys.
  add column xray_config_sealed bytea;

create table subconfigs (
  id bigint generated always as identity primary key,
  config_id bigint not null unique references configs (id),
  protocol text not null check (protocol in ('http', 'socks5', 'mtproto')),
  tls_domain text,
  credential_nonce bytea not null check (length(credential_nonce) = 16),
  port integer not null,
  created_at bigint not null
);

-- The entry's traffic goes on through the exit. Both are items of one customer.
create table bridges (
  user_id bigint not null references users (id),
  entry_type text not null check (entry_type in ('config', 'paid_option', 'cloud')),
  entry_id bigint not null,
  exit_type text not null check (exit_type in ('config', 'paid_option', 'cloud')),
  exit_id bigint not null,
  created_at bigint not null,
  primary key (entry_type, entry_id),
  check (entry_type <> exit_type or entry_id <> exit_id)
);
create index bridges_exit on bridges (exit_type, exit_id);

-- A WARP account of each configuration that wants one; unregistered until the registrar has answered. Two that
-- shared one would push each other out of it.
create table warp_accounts (
  config_id bigint primary key references configs (id),
  private_key_sealed bytea not null,
  public_key text not null,
  addresses text[] not null,
  peer_public_key text not null,
  endpoint text not null,
  reserved integer[] not null default '{}',
  registered_at bigint,
  next_try_at bigint not null,
  created_at bigint not null
);
create index warp_accounts_due on warp_accounts (next_try_at) where registered_at is null;

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

-- A country's own domains and networks, which leave from its servers directly.
alter table locations
  add column home_domains text[] not null default '{}',
  add column home_networks text[] not null default '{}';

-- A notification that is due once, whatever tries to leave it.
alter table notifications
  add column cause text,
  -- What the service itself says is kept in both languages; what an operator wrote, as it was written.
  add column content_en text;
create unique index notifications_cause on notifications (cause) where cause is not null;
create index placements_config on placements (config_id);
alter table orders add column is_renewal boolean not null default false;
