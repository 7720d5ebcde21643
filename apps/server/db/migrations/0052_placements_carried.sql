-- concurrently: every report asks what its node carries, and finds the server with it without going to the table.
create unique index concurrently if not exists placements_carried on placements (node_id, access_id) include (server_id);
