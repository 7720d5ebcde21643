-- What an operator decides about delivery ------------------------------------------------------------------

-- One row. Every fetch of a subscription is told its version with the rest, and who has read what belongs to that version
-- need not read it again.
create table delivery_settings (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 1,
  -- What the account's subscription is called; null is the usual name.
  title text,
  support_url text,
  announce_ru text,
  announce_en text,
  update_interval_hours integer not null default 12 check (update_interval_hours > 0),
  happ_routing jsonb,
  happ_routing_enabled boolean,
  -- How the catalogue of apps is arranged; null is as it comes.
  apps jsonb
);
insert into delivery_settings default values;

-- In place of the usual ones, for all customers. As they were written.
create table delivery_templates (
  kind text primary key,
  template text not null check (octet_length(template) <= 524288),
  changed_at bigint not null
);

create function raise_delivery_version() returns trigger language plpgsql as $body$
begin
  new.version := old.version + 1;
  return new;
end $body$;
create trigger delivery_settings_changed before update on delivery_settings
  for each row execute function raise_delivery_version();

create function raise_delivery_templates() returns trigger language plpgsql as $body$
begin
  update delivery_settings set version = version;
  return null;
end $body$;
create trigger delivery_templates_changed after insert or update or delete on delivery_templates
  for each statement execute function raise_delivery_templates();
