import type { Protocol } from '@sallyport/contract/shapes'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { givenUpSeconds } from './record-failures.ts'

/** What is not carried, as the round that looks after it reads and changes it. The caller locks the term. */

export interface Uncarried {
  readonly access_id: number
  readonly node_id: number
  readonly server_id: number
  readonly since: number
  readonly told_at: number | null
  /** Of the configuration that a proxy goes with. */
  readonly beside_id: number | null
  readonly protocol: Protocol | 'http' | 'socks5' | 'mtproto'
  readonly title: string | null
  readonly place_ru: string
  readonly place_en: string
  /** Where it is now. */
  readonly present_node_id: number
  /** Of a customer's machine; null of the operator's servers. */
  readonly owner_term_id: number | null
}

/** Those of these that are still not carried. */
export const findUncarried = async (tx: Db, ids: readonly number[]): Promise<Uncarried[]> => {
  const { rows } = await sql<Uncarried>`
    select u.access_id, u.node_id, u.server_id, u.since, u.told_at, a.beside_id, a.protocol, a.title,
      l.title_ru as place_ru, l.title_en as place_en, s.node_id as present_node_id, s.owner_term_id
    from uncarried u join accesses a on a.id = u.access_id join servers s on s.id = a.server_id
    join locations l on l.id = a.location_id
    where u.access_id = any(${ids}::bigint[]) and u.carried_at is null and not u.is_unfit
    order by u.access_id`.execute(tx)
  return rows
}

/** It is somebody else's to carry now. */
export const leaveBehind = async (tx: Db, accessId: number, now: number): Promise<void> => {
  await tx
    .updateTable('uncarried')
    .set({ carried_at: now, next_step_at: null })
    .where('access_id', '=', accessId)
    .execute()
}

export const noteTold = async (tx: Db, accessId: number, now: number): Promise<void> => {
  await tx.updateTable('uncarried').set({ told_at: now }).where('access_id', '=', accessId).execute()
}

/** Servers that have failed it lately. */
export const listGivenUp = async (tx: Db, accessId: number, now: number): Promise<number[]> => {
  const rows = await tx
    .selectFrom('given_up_servers')
    .select('server_id')
    .where('access_id', '=', accessId)
    .where('given_up_at', '>', now - givenUpSeconds)
    .execute()
  return rows.map((row) => row.server_id)
}

export const giveUp = async (tx: Db, accessId: number, serverId: number, now: number): Promise<void> => {
  await tx
    .insertInto('given_up_servers')
    .values({ access_id: accessId, server_id: serverId, given_up_at: now })
    .onConflict((oc) => oc.columns(['access_id', 'server_id']).doUpdateSet({ given_up_at: now }))
    .execute()
}

/** Servers that have other configurations of the same term: one more there would be no other way out. */
export const listSiblingServers = async (tx: Db, termId: number, accessId: number): Promise<number[]> => {
  const rows = await tx
    .selectFrom('accesses')
    .select('server_id')
    .distinct()
    .where('term_id', '=', termId)
    .where('id', '<>', accessId)
    .where('beside_id', 'is', null)
    .execute()
  return rows.map((row) => row.server_id)
}

export interface Standstill {
  /** Nothing of the term is carried, and its customer knows. */
  readonly is_whole: boolean
  /** When the last of it was carried. */
  readonly began: number | null
  /** When the first of it was carried again, as far as that is known. */
  readonly ended: number | null
}

/** What the customer brought about alone stops no days, but does not keep them running either. */
const isWhole = sql`coalesce(bool_and(u.carried_at is null and (u.is_unfit or u.told_at is not null))
  and count(u.access_id) = count(*) and bool_or(u.told_at is not null and not u.is_unfit), false)`

/** The configurations of a term, with what is said of each where it is, or was said where it has been. */
const ofTerm = (termId: RawBuilder<unknown>) => sql`
  from accesses a join servers s on s.id = a.server_id
  left join uncarried u on u.access_id = a.id and (u.node_id = s.node_id or u.carried_at is not null)
  where a.term_id = ${termId} and a.beside_id is null`

export const readStandstill = async (tx: Db, termId: number): Promise<Standstill> => {
  const { rows } = await sql<Standstill>`
    select ${isWhole} as is_whole, max(u.since) as began, min(u.carried_at) as ended
    ${ofTerm(sql`${termId}::bigint`)}`.execute(tx)
  return rows[0] as Standstill
}

/** Terms whose days may run again. */
export const findStopped = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select t.id from terms t where t.stopped_at is not null
      and (t.state <> 'active' or t.paused is not null or not (select ${isWhole} ${ofTerm(sql`t.id`)}))
    order by t.id`.execute(db)
  return rows.map((row) => row.id)
}

export interface Failing {
  readonly server_id: number
  readonly node_id: number
  readonly accesses: number
  readonly since: number
  readonly reason: string
}

/** Servers whose customers were told. */
export const listFailing = async (db: Db): Promise<Failing[]> => {
  const { rows } = await sql<Failing>`
    select u.server_id, u.node_id, count(*) as accesses, min(u.since) as since, min(u.reason) as reason
    from uncarried u join accesses a on a.id = u.access_id join servers s on s.id = a.server_id and s.node_id = u.node_id
    where u.carried_at is null and u.told_at is not null
    group by u.server_id, u.node_id order by u.server_id`.execute(db)
  return rows
}
