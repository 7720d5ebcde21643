-- What hangs on a session. Not together with users: some transactions lock users first, others sessions, and one that
-- holds both tables would meet either of them in a deadlock.

-- Every refresh token of a session that was ever given, so that a second use of one is noticed.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  created_at bigint not null,
  -- When its successor was given.
  replaced_at bigint
);
create index refresh_tokens_session on refresh_tokens (session_id);
create index refresh_tokens_replaced on refresh_tokens (replaced_at) where replaced_at is not null;

create table passkey_challenges (
  challenge_hash bytea primary key,
  -- Null for a sign-in: there is no session yet.
  session_id uuid references sessions (id) on delete cascade,
  expires_at bigint not null
);
create index passkey_challenges_age on passkey_challenges (expires_at);
create index passkey_challenges_session on passkey_challenges (session_id) where session_id is not null;

create index sessions_ended on sessions (expires_at);
