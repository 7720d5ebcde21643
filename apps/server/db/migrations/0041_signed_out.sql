-- When every session of an account was last ended at once: what Telegram signed until then opens none.
alter table users add column signed_out_at bigint;
