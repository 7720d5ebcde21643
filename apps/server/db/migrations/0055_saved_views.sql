-- Filters of lists that operators keep under names.
create table saved_views (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operators (id),
  page text not null,
  title text not null,
  query text not null,
  is_shared boolean not null default false,
  version bigint not null default 1,
  created_at bigint not null,
  unique (operator_id, page, title)
);
create index saved_views_shared on saved_views (id) where is_shared;
create trigger saved_views_versioned before update on saved_views for each row
  when ((old.title, old.query, old.is_shared) is distinct from (new.title, new.query, new.is_shared))
  execute function raise_version();
