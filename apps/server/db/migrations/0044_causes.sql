-- The request, or the run of a job, by which something was changed for a node: it is told to the agent, which names it in its log.
alter table placements add column caused_by text;
-- The last one, also of changes that are no placement.
alter table nodes add column caused_by text;

-- What the last check of the whole ledger found, whichever instance made it.
alter table figures_state add column ledger_checked_at bigint;
alter table figures_state add column ledger_imbalance bigint;
