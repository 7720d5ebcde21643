-- Operators as people: they sign in by a link and then by a passkey --------------------------------------------

alter table operators
  add column email text,
  -- Letters about alerts go to those who have an address and want them.
  add column wants_alerts boolean not null default true,
  add column signed_in_at bigint,
  -- How authenticators know the account; it says nothing about whose it is.
  add column handle uuid not null default gen_random_uuid(),
  add column version bigint not null default 1,
  -- People come without a token. Versions before this one write both.
  alter column token_prefix drop not null,
  alter column token_hash drop not null;
create unique index operators_email on operators (email) where email is not null;
create trigger operators_versioned before update on operators for each row
  when ((old.name, old.email, old.role, old.wants_alerts, old.revoked_at)
    is distinct from (new.name, new.email, new.role, new.wants_alerts, new.revoked_at))
  execute function raise_version();

drop trigger operators_token on operators;
create trigger operators_token after insert on operators for each row
  when (new.token_prefix is not null) execute function keep_operator_token();

-- The way in for who has no passkey yet: one at a time, good once.
create table operator_links (
  operator_id bigint primary key references operators (id),
  token_hash bytea not null unique,
  expires_at bigint not null
);

create table operator_sessions (
  id uuid primary key default gen_random_uuid(),
  operator_id bigint not null references operators (id),
  token_hash bytea not null unique,
  created_at bigint not null,
  -- When it was last used.
  seen_at bigint not null,
  -- When a passkey last proved who it is; null since it began with a link.
  proved_at bigint
);
create index operator_sessions_operator on operator_sessions (operator_id);
create index operator_sessions_age on operator_sessions (created_at);

create table operator_passkeys (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operators (id),
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  title text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index operator_passkeys_operator on operator_passkeys (operator_id);

create table operator_challenges (
  challenge_hash bytea primary key,
  -- Null for a sign-in: there is no session yet.
  session_id uuid references operator_sessions (id) on delete cascade,
  expires_at bigint not null
);
create index operator_challenges_age on operator_challenges (expires_at);
create index operator_challenges_session on operator_challenges (session_id) where session_id is not null;

-- Who is switched off, by whatever means, loses every way in that is open now; being switched on again brings none back.
create function end_operator() returns trigger language plpgsql as $body$
begin
  update operator_tokens set revoked_at = new.revoked_at where operator_id = new.id and revoked_at is null;
  delete from operator_sessions where operator_id = new.id;
  delete from operator_links where operator_id = new.id;
  delete from operator_passkeys where operator_id = new.id;
  return null;
end $body$;
create trigger operators_ended after update on operators for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function end_operator();
