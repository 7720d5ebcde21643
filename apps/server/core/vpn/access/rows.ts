import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Accesses as they are kept. Whoever writes them locks their term; a title alone is one statement. */

/** For a term that has to know its access before it is there. */
export const nextAccessId: RawBuilder<number> = sql<number>`nextval('accesses_id_seq')`

export interface NewAccess {
  /** Taken from the sequence where none is given. */
  readonly id?: number
  readonly termId: number
  readonly besideId?: number
  readonly serverId: number
  readonly locationId: number
  readonly protocol: string
  readonly options?: readonly string[]
  readonly title?: string | null
  /** Its index among those that came with the term. */
  readonly position?: number
  readonly credentialNonce: Uint8Array
  readonly tlsDomain?: string | null
  /** Called a proxy, where it stands by itself. */
  readonly isProxy?: boolean
  readonly now: number
}

/** With its meter, which tells of what it counts when the term is metered. */
export const insertAccess = async (tx: Db, access: NewAccess): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into accesses (id, term_id, beside_id, server_id, location_id, protocol, options, title, position,
        credential_nonce, tls_domain, is_proxy, created_at)
      values (${access.id ?? nextAccessId}, ${access.termId}, ${access.besideId ?? null}, ${access.serverId},
        ${access.locationId}, ${access.protocol}, ${access.options ?? []}::text[], ${access.title ?? null},
        ${access.position ?? null}, ${access.credentialNonce}, ${access.tlsDomain ?? null},
        ${access.isProxy ?? false}, ${access.now})
      returning id, term_id
    )
    insert into meters (access_id, term_id, is_metered)
    select made.id, t.id, t.is_metered from made join terms t on t.id = made.term_id
    returning access_id as id`.execute(tx)
  return (rows[0] as { id: number }).id
}

export interface AccessChange {
  readonly server_id?: number
  readonly location_id?: number
  readonly protocol?: string
  readonly options?: string[]
  readonly credential_nonce?: Uint8Array
  readonly xray_config_sealed?: Uint8Array | null
  readonly port?: number | null
  readonly tunnel_host?: number | null
  readonly awg?: string | null
}

export const updateAccess = async (tx: Db, id: number, change: AccessChange): Promise<void> => {
  await tx.updateTable('accesses').set(change).where('id', '=', id).execute()
}

/** The accesses of these terms, proxies among them. */
export const listAccessesOf = (db: Db, termIds: readonly number[]) =>
  db
    .selectFrom('accesses as a')
    .innerJoin('servers as s', 's.id', 'a.server_id')
    .select(['a.id', 'a.term_id', 'a.beside_id', 'a.server_id', 'a.location_id', 'a.protocol', 'a.position'])
    .select('s.node_id')
    .where('a.term_id', 'in', termIds)
    // A fixed order of servers and nodes keeps rival transactions from waiting for each other in a ring.
    .orderBy('s.node_id')
    .orderBy('a.server_id')
    .orderBy('a.id')
    .execute()

/** These, and the proxies beside them. */
export const listWithProxies = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('accesses')
    .select(['id', 'beside_id', 'server_id'])
    .where((eb) => eb.or([eb('id', 'in', ids), eb('beside_id', 'in', ids)]))
    .orderBy('id')
    .execute()

/** With all that is their own; they are placed nowhere any more. What they carried stays counted with their term. */
export const eraseAccesses = async (tx: Db, ids: readonly number[]): Promise<void> => {
  await tx.deleteFrom('accesses').where('id', 'in', ids).execute()
}

/** For good, with their ports, proxies, bridges, WARP accounts and meters. */
export const eraseAccessesOf = async (tx: Db, termIds: readonly number[]): Promise<void> => {
  await tx.deleteFrom('accesses').where('term_id', 'in', termIds).execute()
  await tx.deleteFrom('meters').where('term_id', 'in', termIds).execute()
}
