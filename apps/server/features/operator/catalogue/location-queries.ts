import { type Insertable, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { FleetTables } from '../../../db/tables/fleet-types.ts'

export interface LocationRow {
  readonly id: number
  readonly code: string
  readonly title_ru: string
  readonly title_en: string
  readonly description_ru: string
  readonly description_en: string
  readonly caption_ru: string
  readonly caption_en: string
  readonly ping_ip: string | null
  readonly is_active: boolean
  readonly home_domains: string[]
  readonly home_networks: string[]
  readonly version: number
  /** The operator's own. */
  readonly servers: number
  /** Those that take new customers. */
  readonly selling: number
  readonly capacity: number
  readonly used_slots: number
  /** Whether a machine of some configuration can be had there. */
  readonly has_offers: boolean
}

/** All that are there, or one of them. */
export const readLocations = async (db: Db, id: number | null): Promise<LocationRow[]> => {
  const { rows } = await sql<LocationRow>`
    select l.id, l.code, l.title_ru, l.title_en, l.description_ru, l.description_en, l.caption_ru, l.caption_en,
      l.ping_ip, l.is_active, l.home_domains, l.home_networks, l.version,
      own.servers, own.selling, own.capacity, own.used_slots,
      exists (select from cloud_offers o join clouds p on p.id = o.cloud_id and p.is_active
        join cloud_configurations c on c.id = o.configuration_id and c.is_active where o.location_id = l.id) as has_offers
    from locations l cross join lateral (
      select count(*)::int as servers, (count(*) filter (where s.state = 'selling'))::int as selling,
        coalesce(sum(s.capacity), 0)::bigint as capacity,
        coalesce(sum(s.used_slots), 0)::bigint as used_slots
      from servers s where s.location_id = l.id and s.owner_term_id is null and s.state <> 'retired') own
    where l.deleted_at is null and (${id}::bigint is null or l.id = ${id}::bigint) order by l.id`.execute(db)
  return rows
}

/** Nothing comes there until the transaction ends. False when there is none. */
export const lockLocation = async (tx: Db, id: number): Promise<boolean> => {
  const row = await tx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

type Fields = Insertable<FleetTables['locations']>

/** Numbered on from the last, also from one that is gone, unless a number is given. Undefined when that one is taken. */
export const insertLocation = async (
  tx: Db,
  { id, ...fields }: Omit<Fields, 'id'> & { readonly id?: number | undefined },
): Promise<number | undefined> => {
  // Whoever takes the next number waits for whoever is taking it too.
  if (id === undefined) await sql`lock table locations in share row exclusive mode`.execute(tx)
  const made = await tx
    .insertInto('locations')
    .values((eb) => ({
      ...fields,
      id: id ?? eb.selectFrom('locations').select(sql<number>`coalesce(max(id), 0) + 1`.as('id')),
    }))
    .onConflict((oc) => oc.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export const updateLocation = async (tx: Db, id: number, fields: Partial<Fields>): Promise<void> => {
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('locations').set(fields).where('id', '=', id).execute()
}

export interface LocationContents {
  readonly customers: number
  readonly servers: number
  readonly configurations: number
  readonly machines: number
  readonly offers: number
}

/** What is there, of the operator's and of customers'. */
export const countContents = async (tx: Db, id: number): Promise<LocationContents> => {
  const { rows } = await sql<LocationContents>`
    select own.servers, own.configurations,
      (select count(*)::int from machines where location_id = ${id}::bigint and gone_at is null) as machines,
      (select count(*)::int from cloud_offers where location_id = ${id}::bigint) as offers,
      (select count(distinct t.user_id)::int from (
          select a.term_id from servers s join accesses a on a.server_id = s.id where s.location_id = ${id}::bigint
          union all select h.term_id from servers s join held_accesses h on h.server_id = s.id and h.is_live
            where s.location_id = ${id}::bigint
          union all select term_id from machines where location_id = ${id}::bigint and gone_at is null
        ) had join terms t on t.id = had.term_id) as customers
    from (select count(*)::int as servers, coalesce(sum(used_slots), 0)::bigint as configurations
      from servers where location_id = ${id}::bigint and state <> 'retired') own`.execute(tx)
  return rows[0] as LocationContents
}
