-- Somebody waits on the page that a provider sent them back to: the provider is asked sooner than by the usual round.
alter table payments add column is_awaited boolean not null default false;
-- When the provider was last asked, and how often because somebody waited.
alter table payments add column asked_at bigint;
alter table payments add column asks integer not null default 0;
create index payments_awaited on payments (provider) where is_awaited;
