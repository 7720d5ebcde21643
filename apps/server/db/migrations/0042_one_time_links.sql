-- Links that show one connection once, to whoever presses the button first. The key is not kept.
create table one_time_links (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  access_id bigint not null references accesses (id) on delete cascade,
  -- As it was then: with new credentials the link is of no use.
  credential_nonce bytea not null check (length(credential_nonce) = 16),
  key_hash bytea not null unique,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  -- Of what the first who opened it called the attempt: the same one may ask again when its answer was lost.
  attempt_hash bytea
);
create index one_time_links_user on one_time_links (user_id, id);
create index one_time_links_access on one_time_links (access_id);
create index one_time_links_expiry on one_time_links (expires_at);
