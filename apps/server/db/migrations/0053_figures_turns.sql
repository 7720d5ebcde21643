-- When somebody looks at the fleet next: one instance does, whichever comes first.
alter table figures_state add column looks_due_at bigint;
