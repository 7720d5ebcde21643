-- When the key of a subscription was last fetched by an app, and what came of it. Written once a minute, of many at once.
create table subscription_fetches (
  subscription_id bigint primary key references subscriptions (id) on delete cascade,
  at bigint not null,
  app text not null,
  -- What the app was answered: served, not_modified, or why it was refused.
  outcome text not null,
  -- The highest that an app has got whole; null when none has.
  revision bigint
);
