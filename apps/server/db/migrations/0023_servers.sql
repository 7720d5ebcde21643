-- Servers that are sold, closed, emptied and gone; what links say of them; and the load of nodes -----------------

-- Only those that sell take new customers; what is on the others goes on. Retired ones are kept for the record.
alter table servers add column state text not null default 'selling'
  check (state in ('selling', 'closed', 'draining', 'retired'));
alter table servers add column retired_at bigint;

-- The sites that REALITY borrows, for protocols that are added later. Null for a server that never needed any.
alter table servers add column reality_target text;
alter table servers add column reality_server_name text;
alter table servers add column other_reality_target text;
alter table servers add column other_reality_server_name text;
update servers s set reality_target = i.sites ->> 'target', reality_server_name = i.sites ->> 'server_name',
  other_reality_target = i.sites ->> 'other_target', other_reality_server_name = i.sites ->> 'other_server_name'
from (
  select distinct on (server_id) server_id, sites from inbounds where protocol in ('vless', 'trojan-2901')
  order by server_id, protocol desc
) i where i.server_id = s.id;

alter table servers add column version bigint not null default 1;
create trigger servers_versioned before update on servers for each row
  when ((old.state, old.capacity, old.domain, old.certificate, old.certificate_key_sealed, old.reality_target,
      old.reality_server_name, old.other_reality_target, old.other_reality_server_name)
    is distinct from (new.state, new.capacity, new.domain, new.certificate, new.certificate_key_sealed,
      new.reality_target, new.reality_server_name, new.other_reality_target, new.other_reality_server_name))
  execute function raise_version();

alter table nodes add column version bigint not null default 1;
create trigger nodes_changed before update on nodes for each row
  when ((old.name, old.address, old.listen_address) is distinct from (new.name, new.address, new.listen_address))
  execute function raise_version();

-- The operator's own, newest first, and the few that do not sell. A location and a node have few enough to be sorted.
create index servers_listed on servers (id) where owner_term_id is null and state <> 'retired';
create index servers_of_state on servers (state, id) where owner_term_id is null and state <> 'selling';

-- Who is on a server.
create index accesses_server on accesses (server_id, protocol);

-- Nothing comes to a server under a protocol that is just being taken from it: whoever comes later looks for another one.
-- Proxies need no inbound.
create function require_inbound() returns trigger language plpgsql as $body$
begin
  perform from inbounds where server_id = new.server_id and protocol = new.protocol for key share;
  if not found then
    raise exception 'server % offers no % any more', new.server_id, new.protocol using errcode = 'serialization_failure';
  end if;
  return new;
end $body$;
create trigger accesses_offered before insert or update of server_id, protocol on accesses for each row
  when (new.protocol not in ('http', 'socks5', 'mtproto')) execute function require_inbound();

-- What links say of an inbound: whoever has something on it is delivered it anew. Once a statement, however many it changes.
create function note_inbounds() returns trigger language plpgsql as $body$
begin
  perform note_owners(array(
    select distinct t.user_id
    from after n join before o on o.server_id = n.server_id and o.protocol = n.protocol
    join accesses a on a.server_id = n.server_id and a.protocol = n.protocol
    join terms t on t.id = a.term_id
    where (o.port, o.settings, o.sites) is distinct from (n.port, n.settings, n.sites)));
  return null;
end $body$;
create trigger inbounds_noted after update on inbounds referencing old table as before new table as after
  for each statement execute function note_inbounds();

-- The load of a node by quarters of an hour, which add up to the hours and days of any time zone.
create table node_hours (
  node_id bigint not null references nodes (id),
  -- When the quarter began.
  at bigint not null,
  samples bigint not null,
  cpu_sum double precision not null,
  ram_sum double precision not null,
  up_sum double precision not null,
  down_sum double precision not null,
  -- Customers whose traffic moved between two reports: of all reports together, and the most that one report told of.
  online_sum bigint not null,
  online_most bigint not null,
  primary key (node_id, at)
);
