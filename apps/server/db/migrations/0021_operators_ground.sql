-- Operators: a fourth role, and changes that are not lost to each other ------------------------------------------

-- Looks after machines; sees no sum and no customer's page.
alter table operators drop constraint operators_role_check;
alter table operators add constraint operators_role_check
  check (role in ('owner', 'support', 'finance', 'technician'));

-- How often a row was changed by people. Raised here, so that a change by hand or by an older version counts too.
-- Each table says which of its columns people change.
create function raise_version() returns trigger language plpgsql as $body$
begin
  new.version := old.version + 1;
  return new;
end $body$;

alter table payment_methods add column version bigint not null default 1;
create trigger payment_methods_versioned before update on payment_methods for each row
  when (old is distinct from new) execute function raise_version();

alter table clouds add column version bigint not null default 1;
create trigger clouds_versioned before update on clouds for each row
  when (old is distinct from new) execute function raise_version();

alter table rates add column version bigint not null default 1;
create trigger rates_versioned before update on rates for each row
  when ((old.micro_rub, old.source, old.valid_until) is distinct from (new.micro_rub, new.source, new.valid_until))
  execute function raise_version();

-- With their servers, offers and tariffs, which are in tables of their own: whoever changes one of them raises it.
alter table paid_options add column version bigint not null default 1;
alter table cloud_configurations add column version bigint not null default 1;

-- Settings are rows, and seen as one thing.
create table settings_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into settings_version (version) values (1);
create function raise_settings_version() returns trigger language plpgsql as $body$
begin
  update settings_version set version = version + 1;
  return null;
end $body$;
create trigger settings_told after insert on settings for each row execute function raise_settings_version();
create trigger settings_versioned after update on settings for each row
  when (old.value is distinct from new.value) execute function raise_settings_version();
