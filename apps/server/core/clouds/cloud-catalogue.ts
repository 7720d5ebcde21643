import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { CloudTables } from '../../db/tables/cloud-types.ts'
import type { Machine } from './machines.ts'

/** What is on sale: configurations of machines, and where each can be had. */

export type CloudConfiguration = Selectable<CloudTables['cloud_configurations']>
export type Offer = Selectable<CloudTables['cloud_offers']>

export const findConfiguration = (db: Db, id: number): Promise<CloudConfiguration | undefined> =>
  db.selectFrom('cloud_configurations').selectAll().where('id', '=', id).executeTakeFirst()

export const listConfigurations = (db: Db): Promise<CloudConfiguration[]> =>
  db.selectFrom('cloud_configurations').selectAll().orderBy('id').execute()

/** Those that can be ordered for the location now, in the order of their numbers. */
export const listOrderable = async (db: Db, locationId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select distinct c.id from cloud_configurations c
    join cloud_offers o on o.configuration_id = c.id and o.location_id = ${locationId}::bigint and o.is_in_stock
    join clouds p on p.id = o.cloud_id and p.is_active
    join locations l on l.id = o.location_id and l.is_active
    where c.is_active order by c.id`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * The next offer that may give this machine; those that are said to have none come last. What a customer has on a machine
 * stays on its node, so one that was used before goes to no node that others share.
 */
export const findNextOffer = async (
  db: Db,
  wanted: Pick<Machine, 'configuration_id' | 'location_id' | 'activated_at'>,
  except: readonly number[],
): Promise<Offer | undefined> => {
  const { rows } = await sql<Offer>`
    select o.* from cloud_offers o join clouds p on p.id = o.cloud_id and p.is_active
    where o.configuration_id = ${wanted.configuration_id}::bigint
      and o.location_id = ${wanted.location_id}::bigint and o.id <> all(${except}::bigint[])
      and (p.kind <> 'local' or ${wanted.activated_at}::bigint is null)
    order by o.is_in_stock desc, o.position limit 1`.execute(db)
  return rows[0]
}

const findOffer = (db: Db, id: number): Promise<Offer | undefined> =>
  db.selectFrom('cloud_offers').selectAll().where('id', '=', id).executeTakeFirst()

/** What REALITY borrows where the operator names nothing. */
export const usualSite = 'www.microsoft.com'

/** The site of an offer, which may have been taken off the list meanwhile. */
export const findSite = async (db: Db, offerId: number | null): Promise<string> => {
  const offer = offerId === null ? undefined : await findOffer(db, offerId)
  return offer?.reality_server_name ?? usualSite
}

export const noteOutOfStock = async (db: Db, offerId: number, now: number): Promise<void> => {
  await db
    .updateTable('cloud_offers')
    .set({ is_in_stock: false, looked_at: now })
    .where('id', '=', offerId)
    .execute()
}

export interface CloudPlace {
  readonly id: number
  readonly code: string
  readonly title_ru: string
  readonly title_en: string
  readonly description_ru: string
  readonly description_en: string
  readonly caption_ru: string
  readonly caption_en: string
  readonly is_active: boolean
  readonly ping_ip: string | null
  readonly server_type: string
  readonly configuration_ids: number[]
}

/** Locations that have any offer, with what can be ordered there now. */
export const listCloudPlaces = async (db: Db): Promise<CloudPlace[]> => {
  const { rows } = await sql<CloudPlace>`
    select l.id, l.code, l.title_ru, l.title_en, l.description_ru, l.description_en, l.caption_ru, l.caption_en,
      l.is_active, l.ping_ip, l.cloud_server_type as server_type,
      array(select distinct o.configuration_id from cloud_offers o
        join cloud_configurations c on c.id = o.configuration_id and c.is_active
        join clouds p on p.id = o.cloud_id and p.is_active
        where o.location_id = l.id and o.is_in_stock and l.is_active order by 1) as configuration_ids
    from locations l where l.deleted_at is null and exists (
      select from cloud_offers o join cloud_configurations c on c.id = o.configuration_id and c.is_active
      join clouds p on p.id = o.cloud_id and p.is_active where o.location_id = l.id)
    order by l.id`.execute(db)
  return rows
}
