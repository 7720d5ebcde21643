import type pg from 'pg'

/** A hundred nodes that carry all accesses; some of these with proxies, bridges and WARP accounts. */

const statements = [
  `insert into nodes (name, address, listen_address, public_key, created_at)
   select 'bench' || n, '192.0.2.' || n, '0.0.0.0', 'key' || n, 1700000000 from generate_series(1, 99) n`,
  `insert into node_status (node_id, last_seen_at)
   select id, extract(epoch from now())::bigint + 7 * 86400 from nodes where name like 'bench%'`,
  `insert into servers (node_id, location_id, capacity, domain, certificate, certificate_key_sealed, created_at)
   select n.id, l.id, 100000000, 'bench.example', '', '\\x00', 1700000000
   from nodes n join (select id, row_number() over (order by id) as at, count(*) over () as locations from locations) l
     on l.at % (l.locations / 2) = n.id % (l.locations / 2)
   where n.name like 'bench%'`,
  `insert into inbounds (server_id, protocol, node_id, engine, port, settings, sites, secret_sealed)
   select s.id, i.protocol, s.node_id, i.engine,
     case when i.port is not null then 20000 + row_number() over (partition by s.node_id order by s.id, i.port) end,
     i.settings, i.sites, i.secret_sealed
   from servers s join nodes n on n.id = s.node_id, inbounds i
   where n.name like 'bench%' and i.server_id = (select min(server_id) from inbounds)`,
  `update accesses a set server_id = s.id, location_id = s.location_id
   from (select id, location_id, row_number() over (order by id) - 1 as at, count(*) over () as servers from servers) s
   where s.at = a.id * 7919 % s.servers`,
  `with made as (
     insert into accesses (term_id, beside_id, server_id, location_id, protocol, credential_nonce, port, created_at)
     select a.term_id, a.id, a.server_id, a.location_id, 'socks5', uuid_send(gen_random_uuid()),
       10000 + row_number() over (partition by s.node_id), a.created_at
     from accesses a join servers s on s.id = a.server_id where a.id % 20 = 0 returning id, term_id
   )
   insert into meters (access_id, term_id) select id, term_id from made`,
  `update servers set used_slots = a.used
   from (select server_id, count(*) as used from accesses where beside_id is null group by server_id) a
   where a.server_id = servers.id`,
  `insert into node_ports (node_id, port, access_id)
   select s.node_id, a.port, a.id from accesses a join servers s on s.id = a.server_id where a.port is not null`,
  `insert into bridges (user_id, entry_id, exit_id, created_at)
   select t.user_id, a.id, b.id, a.created_at from accesses a join terms t on t.id = a.term_id
   cross join lateral (
     select b.id from accesses b join terms o on o.id = b.term_id
     where o.user_id = t.user_id and o.state <> 'deleted' and b.id > a.id and b.beside_id is null order by b.id limit 1) b
   where a.id % 50 = 0 and a.beside_id is null`,
  `insert into warp_accounts (access_id, private_key_sealed, public_key, addresses, peer_public_key, endpoint, registered_at,
     next_try_at, created_at)
   select id, '\\x00', '', '{}', '', '', case when id % 10000 <> 3 then created_at end, created_at, created_at
   from accesses where id % 10 = 3`,
  `insert into placements (node_id, access_id, server_id, revision, is_present)
   select s.node_id, a.id, a.server_id, row_number() over (partition by s.node_id order by a.id), t.state = 'active'
   from accesses a join terms t on t.id = a.term_id join servers s on s.id = a.server_id`,
  // Tombstones: their agents have done away with most of them.
  `insert into placements (node_id, access_id, server_id, revision, is_present)
   select s.node_id, 100000000 + n, s.id, 100000000 + n, false
   from generate_series(1, 10000) n
   join (select id, node_id, row_number() over (order by id) - 1 as at, count(*) over () as servers from servers) s
     on s.at = n % s.servers`,
  `update nodes n set desired_revision = (select max(revision) from placements p where p.node_id = n.id),
     desired_hash = (select bit_xor(fingerprint(access_id, revision)) from placements p where p.node_id = n.id and is_present)`,
  `update node_status st set applied_revision = n.desired_revision - 5000 from nodes n where n.id = st.node_id`,
  `insert into traffic_counters (node_id, access_id, boot_id, up, down, seen_at)
   select p.node_id, p.access_id, 'boot', 1000, 1000, 1700000000 + p.access_id from placements p where p.is_present`,
  `insert into servers (node_id, location_id, capacity, domain, certificate, certificate_key_sealed, state, created_at)
   select n.id, l.id, 0, 'bench.example', '', '\\x00', (array['retired', 'closed', 'selling'])[1 + g % 3], 1700000000
   from generate_series(1, 5000) g
   join (select id, row_number() over (order by id) - 1 as at, count(*) over () as nodes from nodes) n on n.at = g % n.nodes
   join (select id, row_number() over (order by id) - 1 as at, count(*) over () as locations from locations) l
     on l.at = g % l.locations`,
  `insert into node_hours (node_id, at, samples, cpu_sum, ram_sum, up_sum, down_sum, online_sum, online_most)
   select id, (extract(epoch from now())::bigint / 900 - q) * 900, 60, 600, 600, 600, 600, 600, 10
   from nodes, generate_series(0, 3000) q`,
]

export const seedFleet = async (client: pg.Client): Promise<void> => {
  for (const sql of statements) await client.query(sql)
}
