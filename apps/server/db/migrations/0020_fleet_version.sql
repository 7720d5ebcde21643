-- What links say of servers is remembered by every instance, for as long as this is the same -------------------

create table fleet_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into fleet_version (version) values (1);

-- As it was, for others to call.
create function raise_noted_owners() returns void language plpgsql as $body$
declare
  noted text := trim(coalesce(current_setting('sallyport.owners', true), ''));
begin
  if noted = '' then
    return;
  end if;
  perform set_config('sallyport.owners', '', true);
  update subscriptions set revision = revision + 1 where id in (
    select id from subscriptions where user_id = any(regexp_split_to_array(noted, ' +')::bigint[])
    order by id for no key update);
end $body$;

create or replace function raise_revisions() returns trigger language plpgsql as $body$
begin
  perform raise_noted_owners();
  return null;
end $body$;

-- At the end of the transaction, and after all subscriptions, so that no two can wait for each other.
create function raise_fleet_version() returns trigger language plpgsql as $body$
begin
  perform raise_noted_owners();
  update fleet_version set version = version + 1;
  return null;
end $body$;
create constraint trigger inbounds_versioned after update on inbounds deferrable initially deferred for each row
  when (old is distinct from new) execute function raise_fleet_version();
create constraint trigger inbounds_gone after delete on inbounds deferrable initially deferred for each row
  execute function raise_fleet_version();
create constraint trigger nodes_versioned after update on nodes deferrable initially deferred for each row
  when ((old.address, old.listen_address) is distinct from (new.address, new.listen_address))
  execute function raise_fleet_version();
create constraint trigger locations_versioned after update on locations deferrable initially deferred for each row
  when ((old.code, old.title_ru, old.title_en, old.home_domains, old.home_networks) is distinct from
    (new.code, new.title_ru, new.title_en, new.home_domains, new.home_networks))
  execute function raise_fleet_version();
