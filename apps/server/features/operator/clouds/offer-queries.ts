import { type Insertable, sql } from 'kysely'
import type { CloudKind } from '../../../core/clouds/accounts.ts'
import type { CloudConfiguration, Offer } from '../../../core/clouds/cloud-catalogue.ts'
import type { Db } from '../../../db/client.ts'
import type { CloudTables } from '../../../db/tables/cloud-types.ts'
import { type TariffRow, tariffsOf } from '../common/tariff-queries.ts'

/** Configurations with what they are sold for and where they are had. */

type OfferRow = Omit<Offer, 'configuration_id' | 'position'>

export interface ConfigurationRow extends Omit<CloudConfiguration, 'created_at'> {
  readonly tariffs: TariffRow[]
  readonly offers: OfferRow[]
}

/** All, or one of them. */
export const readConfigurations = async (db: Db, id: number | null): Promise<ConfigurationRow[]> => {
  const { rows } = await sql<ConfigurationRow>`
    select p.id, p.title_ru, p.title_en, p.description_ru, p.description_en, p.is_active, p.version,
      ${tariffsOf('cloud_servers', sql.ref('p.id'))} as tariffs,
      coalesce((select json_agg(json_build_object('id', o.id, 'location_id', o.location_id, 'cloud_id', o.cloud_id,
          'region', o.region, 'machine_type', o.machine_type, 'image', o.image,
          'reality_server_name', o.reality_server_name, 'is_in_stock', o.is_in_stock, 'monthly_cost', o.monthly_cost,
          'cost_currency', o.cost_currency, 'looked_at', o.looked_at) order by o.location_id, o.position)
        from cloud_offers o where o.configuration_id = p.id), '[]') as offers
    from cloud_configurations p where ${id}::bigint is null or p.id = ${id}::bigint order by p.id`.execute(db)
  return rows
}

export const lockConfiguration = async (tx: Db, id: number): Promise<boolean> => {
  const row = await tx
    .selectFrom('cloud_configurations')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

type Fields = Insertable<CloudTables['cloud_configurations']>

export const insertConfiguration = async (tx: Db, fields: Fields): Promise<number> => {
  const insert = tx.insertInto('cloud_configurations').values(fields).returning('id')
  return (await insert.executeTakeFirstOrThrow()).id
}

export const updateConfiguration = async (tx: Db, id: number, fields: Partial<Fields>): Promise<void> => {
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('cloud_configurations').set(fields).where('id', '=', id).execute()
}

/** Something of it is another, be it only its offers or tariffs. */
export const raiseConfiguration = async (tx: Db, id: number): Promise<void> => {
  await tx
    .updateTable('cloud_configurations')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export interface Places {
  readonly clouds: ReadonlyMap<number, CloudKind>
  readonly locations: ReadonlySet<number>
}

/** Where machines can come from and where they can be wanted; no such place goes until the transaction ends. */
export const readPlaces = async (tx: Db): Promise<Places> => {
  const clouds = await tx
    .selectFrom('clouds')
    .select(['id', 'kind'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const locations = await tx
    .selectFrom('locations')
    .select('id')
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .execute()
  return {
    clouds: new Map(clouds.map((cloud) => [cloud.id, cloud.kind])),
    locations: new Set(locations.map((location) => location.id)),
  }
}

export type OfferFields = Pick<
  Offer,
  'location_id' | 'cloud_id' | 'region' | 'machine_type' | 'image' | 'reality_server_name'
>

/** Two with the same are the same offer. */
export const sameness = ({
  location_id,
  cloud_id,
  region,
  machine_type,
  image,
}: Omit<OfferFields, 'reality_server_name'>) =>
  JSON.stringify([location_id, cloud_id, region, machine_type, image])

/** More than there can be at one place. */
const outOfTheWay = 10_000

const moveOffers = async (
  tx: Db,
  configurationId: number,
  staying: readonly { readonly id: number; readonly position: number; readonly site: string }[],
): Promise<void> => {
  // No two have one place at any moment, so all of them step aside before they change places.
  await sql`update cloud_offers set position = position + ${outOfTheWay}
    where configuration_id = ${configurationId}::bigint`.execute(tx)
  await sql`update cloud_offers o set position = s.position, reality_server_name = s.site
    from jsonb_to_recordset(${JSON.stringify(staying)}::jsonb) as s (id bigint, position integer, site text)
    where o.id = s.id`.execute(tx)
}

/** In the order given, at each location by itself. Those that stay keep their number and what is known of their stock. */
export const storeOffers = async (
  tx: Db,
  configurationId: number,
  offers: readonly OfferFields[],
): Promise<void> => {
  const before = await tx
    .selectFrom('cloud_offers')
    .select(['id', 'location_id', 'cloud_id', 'region', 'machine_type', 'image'])
    .where('configuration_id', '=', configurationId)
    .execute()
  const known = new Map(before.map((row) => [sameness(row), row.id]))
  const counted = new Map<number, number>()
  const placed = offers.map((offer) => {
    const position = counted.get(offer.location_id) ?? 0
    counted.set(offer.location_id, position + 1)
    return { id: known.get(sameness(offer)), offer, position }
  })
  const staying = placed.flatMap(({ id, offer, position }) =>
    id === undefined ? [] : [{ id, position, site: offer.reality_server_name }],
  )
  const kept = staying.map(({ id }) => id)
  await sql`delete from cloud_offers
    where configuration_id = ${configurationId}::bigint and id <> all(${kept}::bigint[])`.execute(tx)
  await moveOffers(tx, configurationId, staying)
  const joining = placed.filter(({ id }) => id === undefined)
  if (joining.length === 0) return
  const fresh = {
    configuration_id: configurationId,
    monthly_cost: null,
    cost_currency: null,
    looked_at: null,
  }
  await tx
    .insertInto('cloud_offers')
    .values(joining.map(({ offer, position }) => ({ ...offer, ...fresh, position })))
    .execute()
}
