-- Terms whose meters a report has moved, all of a report in one row: a row for each was much of the work. The release before goes on
-- writing to moved_meters; rounds look at both.
create table moved_terms (
  term_ids bigint[] not null
);
-- Written once and read once: packing it would cost more than it saves.
alter table moved_terms alter column term_ids set storage external;

-- A row begins wider than it stays: the first report that moves it lets the room go. PostgreSQL tidies a page up when it is fuller
-- than its fill factor says; a page filled to just that is tidied up at every visit, an emptier one once for several of them. And a
-- report that moves every row of a page finds place for all of them there.
alter table meters add column room uuid default '00000000-0000-0000-0000-000000000000';
alter table traffic_counters add column room uuid default '00000000-0000-0000-0000-000000000000';
alter table meters set (fillfactor = 60);
alter table traffic_counters set (fillfactor = 60);
