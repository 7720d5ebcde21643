import type { serverStates } from '@sallyport/contract/operator/fleet/servers'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

export interface ServerRow {
  readonly id: number
  readonly node_id: number
  readonly location_id: number
  readonly state: (typeof serverStates)[number]
  readonly last_seen_at: number | null
  readonly capacity: number
  readonly used_slots: number
  /** What it offers; null where every customer has a port. */
  readonly offered: Readonly<Record<string, number | null>>
  readonly domain: string
  readonly certificate: string
  readonly reality_target: string | null
  readonly reality_server_name: string | null
  readonly other_reality_target: string | null
  readonly other_reality_server_name: string | null
  readonly created_at: number
  readonly retired_at: number | null
  readonly version: number
}

export interface ServerSearch {
  readonly id?: number | undefined
  readonly location_id?: number | undefined
  readonly node_id?: number | undefined
  readonly state?: ServerRow['state'] | undefined
  readonly before?: number | undefined
}

/** Newest first. Customers' machines are not among them. */
export const listServers = (db: Db, search: ServerSearch, limit: number): Promise<ServerRow[]> => {
  const { id, location_id: locationId, node_id: nodeId, state, before } = search
  return (
    db
      .selectFrom('servers as s')
      .innerJoin('node_status as st', 'st.node_id', 's.node_id')
      .select([
        's.id',
        's.node_id',
        's.location_id',
        's.state',
        'st.last_seen_at',
        's.capacity',
        's.used_slots',
      ])
      .select(['s.domain', 's.certificate', 's.reality_target', 's.reality_server_name'])
      .select([
        's.other_reality_target',
        's.other_reality_server_name',
        's.created_at',
        's.retired_at',
        's.version',
      ])
      .select(
        sql<ServerRow['offered']>`coalesce((select jsonb_object_agg(i.protocol, i.port) from inbounds i
        where i.server_id = s.id), '{}')`.as('offered'),
      )
      .where('s.owner_term_id', 'is', null)
      .$if(id !== undefined, (query) => query.where('s.id', '=', id as number))
      .$if(locationId !== undefined, (query) => query.where('s.location_id', '=', locationId as number))
      .$if(nodeId !== undefined, (query) => query.where('s.node_id', '=', nodeId as number))
      .$if(state !== undefined, (query) => query.where('s.state', '=', state as ServerRow['state']))
      // In so many words, for the index of all that are not retired.
      .$if(id === undefined && state !== 'retired', (query) =>
        query.where(sql<boolean>`s.state <> 'retired'`),
      )
      .$if(before !== undefined, (query) => query.where('s.id', '<', before as number))
      .orderBy('s.id', 'desc')
      .limit(limit)
      .execute()
  )
}

export const findServer = async (db: Db, id: number): Promise<ServerRow | undefined> =>
  (await listServers(db, { id }, 1))[0]

interface OnServer {
  readonly accesses: number
  readonly customers: number
  readonly options: number
}

/** Those who have something on it, also of terms that have ended and can be renewed, and options that name it. */
export const countOnServer = async (tx: Db, id: number): Promise<OnServer> => {
  const { rows } = await sql<OnServer>`
    select used.accesses, used.customers,
      (select count(*)::int from paid_option_servers where server_id = ${id}::bigint) as options
    from (select count(*)::int as accesses, count(distinct t.user_id)::int as customers from (
        select term_id from accesses where server_id = ${id}::bigint
        union all select term_id from held_accesses where server_id = ${id}::bigint and is_live
      ) a join terms t on t.id = a.term_id) used`.execute(tx)
  return rows[0] as OnServer
}
