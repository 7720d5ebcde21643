import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/driver.ts'
import type { Page } from '../common/pages.ts'

export interface LockedNode {
  readonly id: number
  readonly name: string
  readonly address: string
}

/** Reports of it and purchases on it wait until the transaction ends. In the order in which reports take the rows. */
export const lockNode = async (tx: Db, id: number): Promise<LockedNode | undefined> => {
  await tx.selectFrom('node_status').select('node_id').where('node_id', '=', id).forUpdate().execute()
  await tx.selectFrom('servers').select('id').where('node_id', '=', id).orderBy('id').forUpdate().execute()
  return tx
    .selectFrom('nodes')
    .select(['id', 'name', 'address'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Whoever changes it waits for others who do. Purchases and reports go on. */
export const lockNodeRow = async (tx: Db, id: number): Promise<void> => {
  await tx.selectFrom('nodes').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** False when another has that name; the transaction is of no use then. */
export const updateNode = async (
  tx: Db,
  id: number,
  fields: { readonly name?: string; readonly address?: string; readonly listen_address?: string },
): Promise<boolean> => {
  if (Object.keys(fields).length === 0) return true
  try {
    await tx.updateTable('nodes').set(fields).where('id', '=', id).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Its machine proves who it is by a new key, or not at all. The agent that the demo itself runs goes on until then. */
export const endKey = async (tx: Db, id: number): Promise<void> => {
  await tx
    .updateTable('nodes')
    .set({ public_key: null })
    .where('id', '=', id)
    .where('sells_without_engine', '=', false)
    .execute()
}

export interface Dependants {
  /** Configurations and proxies, also of terms that have ended and can be renewed. */
  readonly accesses: number
  readonly customers: number
  readonly options: number
  readonly clouds: number
  readonly machines: number
}

/** What would be lost with the node. */
export const countDependants = async (tx: Db, id: number): Promise<Dependants> => {
  const { rows } = await sql<Dependants>`
    select used.accesses, used.machines, used.customers,
      (select count(distinct p.option_id)::int from paid_option_servers p join servers s on s.id = p.server_id
        where s.node_id = ${id}::bigint) as options,
      (select count(*)::int from clouds where node_id = ${id}::bigint) as clouds
    from (select count(had.access_id)::int as accesses, count(had.machine_id)::int as machines,
        count(distinct t.user_id)::int as customers
      from (
        select a.term_id, a.id as access_id, null::bigint as machine_id
        from servers s join accesses a on a.server_id = s.id where s.node_id = ${id}::bigint
        union all select h.term_id, h.id, null
        from servers s join held_accesses h on h.server_id = s.id and h.is_live where s.node_id = ${id}::bigint
        union all select term_id, null, id from machines where node_id = ${id}::bigint and gone_at is null
      ) had join terms t on t.id = had.term_id) used`.execute(tx)
  return rows[0] as Dependants
}

/** A customer's machine that is being made comes with a token of its own. */
export const isBeingMade = async (tx: Db, id: number): Promise<boolean> => {
  const machine = await tx
    .selectFrom('machines as m')
    .leftJoin('clouds as c', 'c.node_id', 'm.node_id')
    .select('m.id')
    .where('m.node_id', '=', id)
    .where('c.id', 'is', null)
    .where('m.status', '<>', 'active')
    .executeTakeFirst()
  return machine !== undefined
}

export interface NodeRow {
  readonly id: number
  readonly name: string
  readonly address: string
  readonly listen_address: string
  readonly desired_revision: number
  readonly last_seen_at: number | null
  readonly applied_revision: number
  readonly apply_error: string | null
  readonly refused_counters: number
  readonly release: string | null
  readonly can_upgrade: boolean
  readonly engines: { name: string; state: string; version: string | null; detail: string | null }[]
  readonly servers: {
    id: number
    location_id: number
    capacity: number
    used_slots: number
    protocols: string[]
  }[]
  readonly version: number
}

const readNodes = async (db: Db, which: ReturnType<typeof sql>): Promise<NodeRow[]> => {
  const { rows } = await sql<NodeRow>`
    select n.id, n.name, n.address, n.listen_address, n.version, n.desired_revision, st.last_seen_at, st.applied_revision, st.apply_error, st.engines,
      st.refused_counters, st.agent_release as release, st.can_upgrade,
      coalesce((select json_agg(json_build_object('id', s.id, 'location_id', s.location_id, 'capacity', s.capacity,
          'used_slots', s.used_slots,
          'protocols', (select coalesce(json_agg(i.protocol order by i.protocol), '[]') from inbounds i where i.server_id = s.id))
          order by s.id)
        from servers s where s.node_id = n.id and s.state <> 'retired'), '[]') as servers
    from nodes n join node_status st on st.node_id = n.id
    ${which}`.execute(db)
  return rows
}

/** All of them by their numbers, or a page, newest first. */
export const listNodes = (db: Db, page?: Page): Promise<NodeRow[]> => {
  if (!page) return readNodes(db, sql`order by n.id`)
  const { limit, before } = page
  const isBefore = before === undefined ? sql`` : sql`where n.id < ${before}::bigint`
  return readNodes(db, sql`${isBefore} order by n.id desc limit ${limit}`)
}

export const findNode = async (db: Db, id: number): Promise<NodeRow | undefined> =>
  (await readNodes(db, sql`where n.id = ${id}::bigint`))[0]
