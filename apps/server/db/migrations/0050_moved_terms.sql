-- Terms whose meters a report has moved, all of a report in one row: a row for each was as much work as the meters themselves. The
-- release before goes on writing to moved_meters; rounds look at both.
create table moved_terms (
  term_ids bigint[] not null
);
-- Written once and read once: packing it would cost more than it saves.
alter table moved_terms alter column term_ids set storage external;
