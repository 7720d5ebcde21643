-- concurrently, for when a provider was last heard of
create index concurrently if not exists webhook_inbox_received on webhook_inbox (provider, received_at);
