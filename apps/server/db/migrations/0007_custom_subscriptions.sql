-- Subscriptions that customers put together --------------------------------------------------------------

alter table subscriptions add column title text;
alter table subscriptions add constraint subscriptions_title check ((kind = 'custom') = (title is not null));

-- What one is made of, in the customer's order. Items name what is meant by the number that customers know, and stay when it
-- ends, is deleted or goes to another account: what an item gives is asked for each time.
create table subscription_items (
  id bigint generated always as identity primary key,
  subscription_id bigint not null references subscriptions (id) on delete cascade,
  position integer not null check (position between 0 and 49),
  item_type text not null check (item_type in
    ('user_config', 'cloud_server_config', 'paid_option', 'paid_option_index', 'paid_option_config')),
  -- An access, or an option.
  reference_id bigint not null,
  item_index integer check (item_index between 0 and 20),
  unique (subscription_id, position),
  check ((item_type = 'paid_option_index') = (item_index is not null))
);
create unique index subscription_items_once
  on subscription_items (subscription_id, item_type, reference_id, coalesce(item_index, -1));

-- What apps that read whole Xray configs get besides connections. Without a text it is the usual one.
create table subscription_templates (
  subscription_id bigint primary key references subscriptions (id) on delete cascade,
  is_enabled boolean not null default false,
  template text check (octet_length(template) <= 524288)
);

-- Only this subscription delivers something else now. Whoever changes it holds it, so raising it at once makes nobody wait.
create function raise_changed() returns trigger language plpgsql as $body$
begin
  update subscriptions set revision = revision + 1 where id in (select subscription_id from changed);
  return null;
end $body$;
create trigger subscription_items_added after insert on subscription_items
  referencing new table as changed for each statement execute function raise_changed();
create trigger subscription_items_changed after update on subscription_items
  referencing new table as changed for each statement execute function raise_changed();
create trigger subscription_items_removed after delete on subscription_items
  referencing old table as changed for each statement execute function raise_changed();
create trigger subscription_templates_added after insert on subscription_templates
  referencing new table as changed for each statement execute function raise_changed();
create trigger subscription_templates_changed after update on subscription_templates
  referencing new table as changed for each statement execute function raise_changed();
create trigger subscription_templates_removed after delete on subscription_templates
  referencing old table as changed for each statement execute function raise_changed();

create function raise_titled() returns trigger language plpgsql as $body$
begin
  new.revision := old.revision + 1;
  return new;
end $body$;
create trigger subscriptions_titled before update on subscriptions for each row
  when (old.title is distinct from new.title) execute function raise_titled();
