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
create trigger settings_versioned after insert or update or delete on settings for each statement
  execute function raise_settings_version();
