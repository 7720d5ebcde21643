-- Customers as operators find, help and address them.

alter table users
  add column note text,
  -- They hold for everything that the customer has.
  add column flags text[] not null default '{}',
  add column version bigint not null default 1;
create trigger users_versioned before update on users for each row
  when ((old.email, old.note, old.flags, old.is_blocked) is distinct from (new.email, new.note, new.flags, new.is_blocked))
  execute function raise_version();

create index users_email_beginning on users (email text_pattern_ops) where email is not null;
create index users_created on users (created_at, id);
create index users_blocked on users (id) where is_blocked;

-- Whoever has something that has not ended, in order; and whoever ever had anything.
create index terms_live on terms (user_id, expires_at, auto_renewal) where state = 'active';
create index terms_ever on terms (user_id);

create index ledger_accounts_wallets on ledger_accounts (balance, user_id) where kind = 'wallet';

-- What a device is found by, whatever subscription it came for. Of devices from before it is known when they come again.
alter table devices add column found_by bytea;
create index devices_found_by on devices (found_by) where found_by is not null;

create table broadcasts (
  id bigint generated always as identity primary key,
  -- Whom it is for: one of the two.
  view text,
  search_sealed bytea,
  content_ru text not null,
  content_en text not null,
  send_at bigint not null,
  state text not null default 'scheduled' check (state in ('scheduled', 'sending', 'done', 'stopped')),
  -- How many it was for when it was made, or when it was done.
  total bigint not null,
  sent bigint not null default 0,
  failed bigint not null default 0,
  -- Everybody up to the one has been looked at, and nobody after the other will be.
  looked_to bigint not null default 0,
  looks_until bigint,
  operator_id bigint not null references operators (id),
  created_at bigint not null,
  ended_at bigint,
  check ((view is null) <> (search_sealed is null))
);
create index broadcasts_due on broadcasts (send_at) where state in ('scheduled', 'sending');
