-- Customers' machines in each state that operators ask for, newest first; those that are in trouble have an index already.
create index machines_status on machines (status, id) where gone_at is null;
create index machines_leaving on machines (id) where wanted = 'gone' and gone_at is null;
create index machines_gone on machines (id) where gone_at is not null;

-- Customers' options carry a version too: operators switch them off and on and let their traffic begin anew.
alter table option_terms add column version bigint not null default 1;
create trigger option_terms_versioned before update of traffic_limit, period_began_at, period_base on option_terms
  for each row
  when ((old.traffic_limit, old.period_began_at, old.period_base)
    is distinct from (new.traffic_limit, new.period_began_at, new.period_base))
  execute function raise_version();
create function raise_option_term_version() returns trigger language plpgsql as $body$
begin
  update option_terms set version = version + 1 where term_id = new.id;
  return null;
end $body$;
-- Not by traffic that is used up: that is nobody's change.
create trigger terms_switched after update of paused on terms for each row
  when (old.paused is distinct from new.paused and 'operator' in (old.paused, new.paused))
  execute function raise_option_term_version();
