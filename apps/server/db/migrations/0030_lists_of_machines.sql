-- Customers' machines in each state that operators ask for, newest first; those that are in trouble have an index already.
create index machines_status on machines (status, id) where gone_at is null;
create index machines_leaving on machines (id) where wanted = 'gone' and gone_at is null;
create index machines_gone on machines (id) where gone_at is not null;
