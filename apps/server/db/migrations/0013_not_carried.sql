-- What a node says that it cannot carry ----------------------------------------------------------------------

-- One row an access, kept for a while after it is carried again, so that a node that changes its mind begins no new story.
create table uncarried (
  access_id bigint primary key references accesses (id) on delete cascade,
  -- Who said so. Whatever has left that node is none of its business any more.
  node_id bigint not null,
  server_id bigint not null,
  reason text not null,
  -- Refused for what the customer wrote: another place would not take it either.
  is_unfit boolean not null,
  since bigint not null,
  -- Null while it is not.
  carried_at bigint,
  -- No other place was found, and the customer was told.
  told_at bigint,
  -- When to look for another place; null of what is unfit.
  next_step_at bigint
);
create index uncarried_node on uncarried (node_id) where carried_at is null;
create index uncarried_due on uncarried (next_step_at) where carried_at is null;

-- Servers that an access was taken from because they did not carry it. They are not tried again for some hours.
create table given_up_servers (
  access_id bigint not null references accesses (id) on delete cascade,
  server_id bigint not null,
  given_up_at bigint not null,
  primary key (access_id, server_id)
);

-- Inbounds that are not open, by their tags; and what the last report said of all this, so that the same again costs nothing.
alter table node_status add column closed_inbounds text[] not null default '{}';
alter table node_status add column uncarried_key text not null default '';

-- Its days do not run since then. The end moves on with it every minute, and once more when they run again.
alter table terms add column stopped_at bigint;
-- How much longer it lasts for that.
alter table terms add column stopped_seconds bigint not null default 0;
create index terms_stopped on terms (id) where stopped_at is not null;

-- Apps are shown what is not carried, once nobody else could take it.
create function note_uncarried() returns trigger language plpgsql as $body$
begin
  perform note_owners(array(
    select t.user_id from accesses a join terms t on t.id = a.term_id where a.id = new.access_id));
  return null;
end $body$;
create trigger uncarried_noted after update on uncarried for each row
  when ((old.told_at is not null and old.carried_at is null) is distinct from
    (new.told_at is not null and new.carried_at is null))
  execute function note_uncarried();
create constraint trigger uncarried_raise after update on uncarried deferrable initially deferred for each row
  when ((old.told_at is not null and old.carried_at is null) is distinct from
    (new.told_at is not null and new.carried_at is null))
  execute function raise_revisions();
