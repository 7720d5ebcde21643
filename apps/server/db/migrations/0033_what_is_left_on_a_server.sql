-- What stands on a server, in the order in which it is emptied. By itself, so that nobody waits for accesses longer than this takes.
create index accesses_left on accesses (server_id, id) where beside_id is null;
