-- Indexes of configurations that customers add to their options -------------------------------------------

-- The index of a configuration that came with the option is its `position`. One that was added has an index of its own, which
-- stays when others go.
alter table accesses add column added_index integer;
create unique index accesses_added_index on accesses (term_id, added_index) where added_index is not null;

-- The lowest that is free behind the option's own.
create function next_added_index(of_term bigint) returns integer language sql as $body$
  select min(n)::integer from (
    select coalesce(max(position), -1) + 1 as first, count(added_index) as added from accesses where term_id = of_term) own
  cross join generate_series(own.first, own.first + own.added) n
  where not exists (select from accesses a where a.term_id = of_term and a.added_index = n)
$body$;

-- Given here, because a version that knows nothing of it may still be adding some. Whoever adds one holds the term.
create function give_added_index() returns trigger language plpgsql as $body$
begin
  if exists (select from terms where id = new.term_id and product = 'paid_options') then
    new.added_index := next_added_index(new.term_id);
  end if;
  return new;
end $body$;
create trigger accesses_added_index before insert on accesses for each row
  when (new.beside_id is null and new.position is null) execute function give_added_index();

-- What a merged subscription had used ---------------------------------------------------------------------

-- What is more than the limit of a period is held against the next one, as far as it came with another subscription.
alter table option_terms add column owed bigint not null default 0;

-- Limits --------------------------------------------------------------------------------------------------

-- What was sold with a limit cannot be made unlimited for nothing, unless the operator says so again.
update paid_options set most_devices = device_limit where most_devices = 0 and device_limit > 0;
update paid_options set most_traffic = traffic_limit where most_traffic = 0 and traffic_limit > 0;
-- As everywhere.
update paid_options set device_limit = least(device_limit, 100), most_devices = least(most_devices, 100)
  where device_limit > 100 or most_devices > 100;
update subscriptions set term_device_limit = 100 where term_device_limit > 100;

-- Those that are there keep the index they were shown with. Last, because it leaves work for the end of the transaction.
update accesses a set added_index = numbered.index from (
  select c.id, (row_number() over (partition by c.term_id order by c.id) +
    (select coalesce(max(o.position), -1) from accesses o where o.term_id = c.term_id))::integer as index
  from accesses c join terms t on t.id = c.term_id and t.product = 'paid_options'
  where c.beside_id is null and c.position is null) numbered
where a.id = numbered.id;
