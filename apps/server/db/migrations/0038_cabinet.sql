-- What an operator decides about the cabinet ---------------------------------------------------------------

-- One row, as with delivery: whoever has read what belongs to a version need not read it again.
create table cabinet_settings (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 1,
  -- Null is the usual one.
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  welcome_ru text check (length(welcome_ru) <= 600),
  welcome_en text check (length(welcome_en) <= 600),
  rules_ru text check (length(rules_ru) <= 20000),
  rules_en text check (length(rules_en) <= 20000),
  -- Other addresses of the same service, in the order in which they are tried.
  mirrors text[] not null default '{}' check (cardinality(mirrors) <= 5),
  closes_connections boolean not null default false,
  logo bytea check (octet_length(logo) between 1 and 8192),
  logo_type text check (logo_type in ('image/svg+xml', 'image/png', 'image/webp')),
  check ((logo is null) = (logo_type is null))
);
insert into cabinet_settings default values;
create trigger cabinet_settings_changed before update on cabinet_settings for each row
  when (old is distinct from new) execute function raise_version();

-- The name and the support link are kept with delivery, and shown by the cabinet too.
create function raise_cabinet_version() returns trigger language plpgsql as $body$
begin
  update cabinet_settings set version = version + 1;
  return null;
end $body$;
create trigger delivery_brand_changed after update on delivery_settings for each row
  when ((old.title, old.support_url) is distinct from (new.title, new.support_url))
  execute function raise_cabinet_version();
