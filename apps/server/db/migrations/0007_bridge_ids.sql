-- What customers name a bridge by when they take it away. A new exit makes a new bridge, and so a new id.
alter table bridges add column id bigint generated always as identity unique;
create index bridges_user on bridges (user_id);
