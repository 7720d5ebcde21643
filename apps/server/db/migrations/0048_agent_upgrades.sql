-- Which release of the agent runs, as its reports say; null of agents that say nothing of it.
alter table node_status add column agent_release text;
-- Whether the machine can run the installer by itself, the last wish that its agent followed, and why that did not work.
alter table node_status add column can_upgrade boolean not null default false;
alter table node_status add column upgrade_wish text;
alter table node_status add column upgrade_failure text;

-- Agents that are brought to another release, in waves.
create table agent_upgrades (
  id bigint generated always as identity primary key,
  -- What the service handed out when it began; null of one that puts nodes back, each on what it had.
  release text,
  back_of bigint references agent_upgrades,
  state text not null check (state in ('running', 'waiting', 'stopped', 'done')),
  -- Why it stopped by itself.
  stop_reason text,
  waves integer not null,
  wave integer not null default 1,
  -- Since when every node of the wave is done, ill or skipped.
  wave_over_at bigint,
  -- Ill nodes of the wave with which a person went on.
  accepted_ill integer not null default 0,
  pause_seconds integer not null,
  most_ill integer not null,
  is_automatic boolean not null,
  operator_id bigint not null,
  created_at bigint not null,
  ended_at bigint
);
-- One at a time.
create unique index agent_upgrades_under_way on agent_upgrades ((true)) where state in ('running', 'waiting');

create table agent_upgrade_nodes (
  upgrade_id bigint not null references agent_upgrades,
  node_id bigint not null references nodes on delete cascade,
  wave integer not null,
  release text not null,
  wish text not null default gen_random_uuid()::text,
  state text not null default 'waiting' check (state in ('waiting', 'told', 'upgrading', 'done', 'ill', 'skipped')),
  reason text,
  -- How it was before it was told.
  release_before text,
  engines_before text[] not null default '{}',
  had_apply_error boolean not null default false,
  told_at bigint,
  -- What it has to have applied: its revision when it was first heard of with the new release.
  due_revision bigint,
  ended_at bigint,
  primary key (upgrade_id, node_id)
);
create index agent_upgrade_nodes_node on agent_upgrade_nodes (node_id);
-- Nobody is told two things at once.
create unique index agent_upgrade_nodes_told on agent_upgrade_nodes (node_id) where state in ('told', 'upgrading');
