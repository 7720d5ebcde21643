import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { insertTariffs, locations } from './demo-catalogue.ts'

/** Cloud servers of the demo: the machine that the service runs on takes them all. */

const configurations = [
  {
    id: 1,
    title: { ru: 'Старт', en: 'Start' },
    description: { ru: '1 ядро, 2 ГБ памяти, 20 ГБ диска', en: '1 core, 2 GB of memory, 20 GB of disk' },
    price: 500,
  },
  {
    id: 2,
    title: { ru: 'Профи', en: 'Pro' },
    description: { ru: '2 ядра, 4 ГБ памяти, 40 ГБ диска', en: '2 cores, 4 GB of memory, 40 GB of disk' },
    price: 900,
  },
] as const

/** 31 to 34 and 41 to 44, in the order of the configurations' tariffs. */
const firstTariff = (configurationId: number): number => 20 + configurationId * 10

const borrowedSite = 'www.microsoft.com'

export const insertClouds = async (tx: Db, nodeId: number, now: number): Promise<void> => {
  const { id: cloudId } = await tx
    .insertInto('clouds')
    .values({ kind: 'local', title: 'local', token_sealed: null, node_id: nodeId, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { id, title, description, price } of configurations) {
    await tx
      .insertInto('cloud_configurations')
      .values({
        id,
        title_ru: title.ru,
        title_en: title.en,
        description_ru: description.ru,
        description_en: description.en,
        created_at: now,
      })
      .execute()
    await tx
      .insertInto('cloud_offers')
      .values(
        locations.map(([locationId]) => ({
          configuration_id: id,
          location_id: locationId,
          position: 0,
          cloud_id: cloudId,
          reality_server_name: borrowedSite,
          monthly_cost: null,
          cost_currency: null,
          looked_at: null,
        })),
      )
      .execute()
    await insertTariffs(tx, { product: 'cloud_servers', productId: id, first: firstTariff(id), price })
  }
  // Those that an operator makes are numbered on from these.
  await sql`select setval(pg_get_serial_sequence('cloud_configurations', 'id'),
    ${configurations.length}::bigint)`.execute(tx)
}
