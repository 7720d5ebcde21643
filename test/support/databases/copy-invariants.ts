/** What must hold of accesses that are carried as they were, too, and of servers that are emptied. */
export const copies: Readonly<Record<string, string>> = {
  'a copy is placed where it was held, and nowhere once it is over': `
    select h.id from held_accesses h where (
      select coalesce(array_agg(row(p.node_id, p.server_id)::text), '{}') from placements p
      where p.access_id = -h.id and p.is_present
    ) <> case when h.is_live then array[row(h.node_id, h.server_id)::text] else '{}' end`,
  'nothing is held for a term that is off, or of an access that is gone': `
    select h.id from held_accesses h join terms t on t.id = h.term_id where h.is_live and (
      t.state <> 'active' or t.paused is not null
      or exists (select from users u where u.id = t.user_id and u.is_blocked)
      or not exists (select from accesses a where a.id = h.access_id and a.term_id = h.term_id))`,
  'what is held is not what is': `
    select h.id from held_accesses h join accesses a on a.id = h.access_id where h.is_live and (
      a.credential_nonce = h.credential_nonce or a.server_id = h.server_id and a.port = h.port)`,
  'a port of a copy is its own while it is live': `
    select h.id from held_accesses h where (h.is_live and h.port is not null) <> exists (
      select from node_ports p where p.node_id = h.node_id and p.port = h.port and p.inbound = 'held-' || h.id)`,
  'no port is kept for a copy that is gone': `
    select p.inbound from node_ports p where p.inbound like 'held-%'
      and not exists (select from held_accesses h where p.inbound = 'held-' || h.id and h.is_live)`,
  'a server is draining while it is emptied, and done when nobody is there': `
    select d.server_id from server_drains d join servers s on s.id = d.server_id
    where (d.state = 'running') <> (s.state = 'draining')
      or d.state = 'done' and s.state = 'draining'`,
}
