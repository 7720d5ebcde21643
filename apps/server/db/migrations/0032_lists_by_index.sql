-- What the log and the list of keys are searched by, newest first.
create index audit_log_subject on audit_log (subject, id);
create index audit_log_operator on audit_log (operator_id, id);
create index audit_log_action on audit_log (action, id);
create index promocodes_product on promocodes (product_type, id);
-- Keys that nobody has used.
create index promocodes_open on promocodes (id) where used_at is null and revoked_at is null;

-- An access that goes takes what was noted of it along.
create index drain_failures_access on drain_failures (access_id);
