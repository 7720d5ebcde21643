-- Tokens of operators, each of which can be taken back ------------------------------------------------------

create table operator_tokens (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operators (id),
  title text not null,
  -- Public part, the look-up key.
  prefix text not null unique,
  secret_hash bytea not null,
  -- The only ones that it may call; null is all that its operator may.
  operations text[],
  created_at bigint not null,
  -- Null: until it is revoked.
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);
create index operator_tokens_operator on operator_tokens (operator_id, id) where revoked_at is null;

insert into operator_tokens (operator_id, title, prefix, secret_hash, created_at, revoked_at)
select id, name, token_prefix, token_hash, created_at, revoked_at from operators order by id;

-- The first token of an operator, whichever version makes one. Only versions before this one read these two columns.
create function keep_operator_token() returns trigger language plpgsql as $body$
begin
  insert into operator_tokens (operator_id, title, prefix, secret_hash, created_at)
  values (new.id, new.name, new.token_prefix, new.token_hash, new.created_at);
  return null;
end $body$;
create trigger operators_token after insert on operators for each row execute function keep_operator_token();

-- Every instance hears that a credential is worth nothing any more, whoever has changed it, and by what means.
create function tell_operator() returns trigger language plpgsql as $body$
begin
  perform pg_notify('sallyport', 'auth:o:' || old.id);
  return null;
end $body$;
create trigger operators_told after update on operators for each row
  when ((old.role, old.revoked_at) is distinct from (new.role, new.revoked_at)) execute function tell_operator();

create function tell_operator_token() returns trigger language plpgsql as $body$
begin
  perform pg_notify('sallyport', 'auth:o:' || old.operator_id);
  return null;
end $body$;
create trigger operator_tokens_told after update on operator_tokens for each row
  when ((old.secret_hash, old.operations, old.expires_at, old.revoked_at)
    is distinct from (new.secret_hash, new.operations, new.expires_at, new.revoked_at))
  execute function tell_operator_token();
create trigger operator_tokens_gone after delete on operator_tokens for each row
  execute function tell_operator_token();

create function tell_node() returns trigger language plpgsql as $body$
begin
  perform pg_notify('sallyport', 'auth:n:' || old.id);
  return null;
end $body$;
create trigger nodes_told after update on nodes for each row
  when (old.public_key is distinct from new.public_key) execute function tell_node();
create trigger nodes_gone after delete on nodes for each row execute function tell_node();
