-- A session may be shown by a cookie too, of which the hash is kept; and it says how it began, for the list that customers see.
alter table sessions
  add column cookie_hash bytea,
  add column client text,
  add column sign_in_method text;
create unique index sessions_cookie on sessions (cookie_hash) where cookie_hash is not null;
