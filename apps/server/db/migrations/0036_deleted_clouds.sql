-- A cloud that was deleted stays for the machines it once gave. Its token is forgotten, and its node is free.
alter table clouds add column deleted_at bigint;
alter table clouds drop constraint clouds_check;
alter table clouds drop constraint clouds_check1;
alter table clouds add constraint clouds_token_check
  check (deleted_at is not null or (kind in ('hetzner', 'digitalocean')) = (token_sealed is not null));
alter table clouds add constraint clouds_node_check
  check (deleted_at is not null or (kind = 'local') = (node_id is not null));
