-- Terms that somebody has to judge; each stays until it was.
create table terms_to_judge (
  term_id bigint primary key
);

-- No access has carried 4.5 petabytes: what says so was told by a node that lies. What is left is what other counters say, the
-- base of a period follows, and whoever was switched off for it is judged anew.
create temporary table poisoned on commit drop as
  select access_id, term_id from meters where up >= 4503599627370496 or down >= 4503599627370496;
delete from traffic_counters where up >= 4503599627370496 or down >= 4503599627370496;
update meters m set
  up = case when c.up < 4503599627370496 then c.up else 0 end,
  down = case when c.down < 4503599627370496 then c.down else 0 end
from (
  select p.access_id, coalesce(sum(t.up), 0) as up, coalesce(sum(t.down), 0) as down
  from poisoned p left join traffic_counters t on t.access_id = p.access_id group by p.access_id) c
where m.access_id = c.access_id;
update option_terms o set period_base = least(o.period_base, (
  select coalesce(sum(m.up) + sum(m.down), 0) from meters m where m.term_id = o.term_id))
where o.term_id in (select term_id from poisoned);
insert into terms_to_judge (term_id)
  select distinct o.term_id from option_terms o join poisoned p on p.term_id = o.term_id;

-- What a node may still tell of: the time since it was last heard of, at the rate of its line. Last, for reports wait for it.
alter table node_status
  add column traffic_allowance bigint not null default 45000000000000,
  add column metered_at bigint;
update node_status set metered_at = last_seen_at;
