-- concurrently: what is carried again is forgotten some hours later, and after a great outage that is most of the table.
create index concurrently if not exists uncarried_carried on uncarried (carried_at) where carried_at is not null;
