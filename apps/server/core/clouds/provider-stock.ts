import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { MachineOffer } from '../../ports/clouds.ts'
import type { Job } from '../kernel/jobs.ts'
import { type Cloud, forEachAsked } from './accounts.ts'
import type { MachineContext } from './machine-step-context.ts'

/** What providers have and what it costs, as they say it, beside the operator's offers. */

const storeStock = async (
  db: Db,
  cloud: Cloud,
  offers: readonly MachineOffer[],
  now: number,
): Promise<void> => {
  const found = offers.map(({ region, type, isInStock, monthlyCost, currency }) => ({
    region,
    type,
    isInStock,
    monthlyCost,
    currency,
  }))
  // One that the provider does not list any more is not to be had.
  await sql`
    update cloud_offers o set looked_at = ${now}, is_in_stock = coalesce(f."isInStock", false),
      monthly_cost = coalesce(f."monthlyCost", o.monthly_cost), cost_currency = coalesce(f.currency, o.cost_currency)
    from cloud_offers e left join jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      as f (region text, type text, "isInStock" boolean, "monthlyCost" bigint, currency text)
      on f.region = e.region and f.type = e.machine_type
    where e.id = o.id and o.cloud_id = ${cloud.id}::bigint`.execute(db)
}

export const readStock = (at: MachineContext, now: number): Promise<void> =>
  forEachAsked(
    at,
    async (cloud) => storeStock(at.db, cloud, await cloud.provider.offers(), now),
    (err, cloudId) => at.log.warn({ err, cloudId }, 'a provider could not be asked for its stock'),
  )

export const readStockJob: Job<MachineContext> = {
  name: 'read stock of clouds',
  everySeconds: 600,
  run: readStock,
}
