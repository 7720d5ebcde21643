-- Somebody waits on the page that a provider sent them back to: the provider is asked sooner than by the usual round.
alter table payments add column is_awaited boolean not null default false;
-- When the provider was last asked, and how often because somebody waited.
alter table payments add column asked_at bigint;
alter table payments add column asks integer not null default 0;
create index payments_awaited on payments (provider) where is_awaited;

-- The session that made the code: it opens nothing once that has ended.
alter table sign_in_codes add column session_id uuid;

-- A note about a customer is part of what they get when they ask for their data, unless an operator has a reason to withhold it.
alter table users add column is_note_internal boolean not null default false;
-- What was written before was written for colleagues.
update users set is_note_internal = true where note is not null;
create or replace trigger users_versioned before update on users for each row
  when ((old.email, old.note, old.is_note_internal, old.flags, old.is_blocked)
    is distinct from (new.email, new.note, new.is_note_internal, new.flags, new.is_blocked))
  execute function raise_version();
