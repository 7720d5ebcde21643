import type { Db } from '../../db/client.ts'

/** Exchange rates as they are kept. A rate past its time is as good as none. */

export interface KeptRate {
  readonly currency: string
  readonly micro_rub: number
  readonly source: string
  readonly set_at: number
  readonly valid_until: number | null
  readonly version: number
}

export const listRates = (db: Db): Promise<KeptRate[]> =>
  db
    .selectFrom('rates')
    .select(['currency', 'micro_rub', 'source', 'set_at', 'valid_until', 'version'])
    .orderBy('currency')
    .execute()

/** Held until the transaction ends, so that two changes come one after another. */
export const lockRate = (tx: Db, currency: string): Promise<KeptRate | undefined> =>
  tx
    .selectFrom('rates')
    .select(['currency', 'micro_rub', 'source', 'set_at', 'valid_until', 'version'])
    .where('currency', '=', currency)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const isFresh = (rate: Pick<KeptRate, 'valid_until'>, now: number): boolean =>
  rate.valid_until === null || rate.valid_until > now

/** Millionths of a rouble for one unit of each currency that can be priced now; roubles always can. */
export const freshRates = async (db: Db, now: number): Promise<ReadonlyMap<string, number>> => {
  const fresh = (await listRates(db)).filter((rate) => isFresh(rate, now))
  return new Map([['RUB', 1_000_000], ...fresh.map((rate) => [rate.currency, rate.micro_rub] as const)])
}

export const storeRate = async (
  tx: Db,
  rate: { currency: string; microRub: number; source: string; now: number; validUntil: number | null },
): Promise<void> => {
  const kept = {
    micro_rub: rate.microRub,
    source: rate.source,
    set_at: rate.now,
    valid_until: rate.validUntil,
  }
  await tx
    .insertInto('rates')
    .values({ currency: rate.currency, ...kept })
    .onConflict((oc) => oc.column('currency').doUpdateSet(kept))
    .execute()
}
