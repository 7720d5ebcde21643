-- The catalogue as operators change it ---------------------------------------------------------------------------

-- What is gone is kept: orders, statistics and retired servers go on naming it.
alter table locations add column deleted_at bigint;
alter table locations add column version bigint not null default 1;
create trigger locations_edited before update on locations for each row
  when ((old.code, old.title_ru, old.title_en, old.description_ru, old.description_en, old.caption_ru, old.caption_en,
      old.is_active, old.ping_ip, old.home_domains, old.home_networks) is distinct from
    (new.code, new.title_ru, new.title_en, new.description_ru, new.description_en, new.caption_ru, new.caption_en,
      new.is_active, new.ping_ip, new.home_domains, new.home_networks))
  execute function raise_version();

-- False of a length that is no longer offered: its prices stay for what was bought with it.
alter table tariffs add column is_sold boolean not null default true;

-- Tariffs of configurations are rows, and changed as one thing.
create table config_tariffs_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into config_tariffs_version (version) values (1);

-- A place has as many owners as it likes ---------------------------------------------------------------------------

-- Places are noted by their names, and who has something there is asked once, when the transaction ends. Serves triggers on
-- locations, nodes and servers.
create or replace function note_place() returns trigger language plpgsql as $body$
declare
  noted text := coalesce(current_setting('sallyport.places', true), '');
  place text := ' ' || tg_table_name || ':' || new.id || ' ';
begin
  if position(place in noted) = 0 then
    perform set_config('sallyport.places', noted || place, true);
  end if;
  return null;
end $body$;

create function owners_at(places text[]) returns bigint[] language sql stable as $body$
  select coalesce(array_agg(distinct t.user_id), '{}') from accesses a join terms t on t.id = a.term_id
  where a.server_id = any(array(
    select s.id from servers s
    where 'locations:' || s.location_id = any(places) or 'nodes:' || s.node_id = any(places)
      or 'servers:' || s.id = any(places)))
$body$;

-- Many at once in one go; those that are noted one by one are few.
create or replace function note_owners(owners bigint[]) returns void language plpgsql as $body$
declare
  noted text := coalesce(current_setting('sallyport.owners', true), '');
begin
  perform set_config('sallyport.owners', noted || coalesce((
    select string_agg(distinct ' ' || owner || ' ', '') from unnest(owners) as owner
    where noted = '' or position(' ' || owner || ' ' in noted) = 0), ''), true);
end $body$;

create or replace function raise_noted_owners() returns void language plpgsql as $body$
declare
  noted text := trim(coalesce(current_setting('sallyport.owners', true), ''));
  places text := trim(coalesce(current_setting('sallyport.places', true), ''));
  owners bigint[] := '{}';
begin
  if noted = '' and places = '' then
    return;
  end if;
  if noted <> '' then
    perform set_config('sallyport.owners', '', true);
    owners := regexp_split_to_array(noted, ' +')::bigint[];
  end if;
  if places <> '' then
    perform set_config('sallyport.places', '', true);
    owners := owners || owners_at(regexp_split_to_array(places, ' +'));
  end if;
  update subscriptions set revision = revision + 1 where id in (
    select id from subscriptions where user_id = any(owners) order by id for no key update);
end $body$;

-- What customers have in a location, for who wants to delete it.
create index machines_location on machines (location_id) where gone_at is null;
