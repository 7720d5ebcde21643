-- Days and products that are given, and accounts that are closed -----------------------------------------------

-- Given without payment: an order of price 0.
alter table orders add column if not exists is_gift boolean not null default false;

-- Days that operators gave to a term, or took. Its end is worked out again from its orders and from these.
create table term_days (
  id bigint generated always as identity primary key,
  term_id bigint not null references terms (id),
  operator_id bigint not null references operators (id),
  -- Of the operator at that time.
  role text not null,
  days integer not null check (days <> 0),
  -- When its term went into another one.
  merged_at bigint,
  created_at bigint not null
);
create index term_days_term on term_days (term_id, created_at);
create index term_days_operator on term_days (operator_id);

-- What closed accounts still have on nodes is taken from them. Each placement takes a revision of its own.
with gone as (
  select p.node_id, p.access_id, row_number() over (partition by p.node_id order by p.access_id) as step
  from users u join terms t on t.user_id = u.id join accesses a on a.term_id = t.id
    join placements p on p.access_id = a.id and p.is_present
  where u.is_blocked
), counted as (
  select node_id, count(*) as steps from gone group by node_id
), raised as (
  update nodes n set desired_revision = n.desired_revision + c.steps from counted c where n.id = c.node_id
  returning n.id, n.desired_revision - c.steps as before
)
update placements p set is_present = false, revision = r.before + g.step
from gone g join raised r on r.id = g.node_id
where p.node_id = g.node_id and p.access_id = g.access_id;
