-- Who deals with it.
alter table alerts add column taken_by bigint references operators (id);

-- What the browser of an operator calls itself, in a few words.
alter table operator_sessions add column client text;
