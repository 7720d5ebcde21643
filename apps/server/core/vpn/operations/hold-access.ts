import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { copyPort, place } from '../../fleet/placements.ts'
import type { Bus } from '../../kernel/bus.ts'
import type { Term } from '../../terms/terms.ts'

/** An access that is moved by others than its customer is carried as it was, too, until the customer's app has fetched. */

/** Apps that have not fetched by then do not work any more. */
export const heldSeconds = 7 * 86_400

export interface Copy {
  readonly id: number
  readonly access_id: number
  readonly node_id: number
  readonly server_id: number
}

/**
 * How it is, and the proxy beside it, where its node carries them now; the copies have the ports from now on. The caller locks the term
 * and the nodes, and moves it then.
 */
export const holdAccess = async (
  tx: Db,
  accessId: number,
  at: { readonly until: number; readonly now: number },
): Promise<Copy[]> => {
  const { rows } = await sql<Copy & { port: number | null }>`
    insert into held_accesses (access_id, term_id, server_id, node_id, location_id, protocol, options, credential_nonce,
      port, tunnel_host, awg, xray_config_sealed, tls_domain, is_proxy, moved_at, until)
    select a.id, a.term_id, a.server_id, s.node_id, a.location_id, a.protocol, a.options, a.credential_nonce, a.port,
      a.tunnel_host, a.awg, a.xray_config_sealed, a.tls_domain, a.beside_id is not null, ${at.now}::bigint, ${at.until}::bigint
    from accesses a join servers s on s.id = a.server_id
    join placements p on p.access_id = a.id and p.node_id = s.node_id and p.is_present
    where a.id = ${accessId}::bigint or a.beside_id = ${accessId}::bigint order by a.id
    returning id, access_id, node_id, server_id, port`.execute(tx)
  for (const { id, access_id: owner, node_id: nodeId, port } of rows) {
    if (port === null) continue
    await tx
      .updateTable('node_ports')
      .set({ inbound: copyPort(id), access_id: null })
      .where('node_id', '=', nodeId)
      .where('access_id', '=', owner)
      .execute()
  }
  return rows
}

/** The nodes learn of the copies once the accesses have left their place. */
export const carryCopies = async (tx: Db, bus: Bus, copies: readonly Copy[]): Promise<void> => {
  for (const { id, node_id: nodeId, server_id: serverId } of copies) {
    await place(tx, bus, { nodeId, serverId, accessId: -id, isPresent: true })
  }
}

/**
 * What apps of the customer have got before this move: a later revision has the new place. The subscriptions are held as those who
 * raise them hold them, so this comes last: nothing is waited for after it. Without it no fetch ends the copies.
 */
export const noteRevisions = async (tx: Db, term: Pick<Term, 'id' | 'user_id'>): Promise<void> => {
  await sql`
    with present as (
      select s.id, s.revision from subscriptions s where s.user_id = ${term.user_id}::bigint
      order by s.id for no key update)
    update held_accesses set revisions = (select coalesce(jsonb_object_agg(id::text, revision), '{}') from present)
    where term_id = ${term.id}::bigint and is_live and revisions is null`.execute(tx)
}
