-- Which key outside the database everything in it is sealed with: what only that key makes of a fixed text. Written by the first
-- start, and compared by every other.
create table secret_key_check (
  is_only boolean primary key default true check (is_only),
  value bytea not null
);
