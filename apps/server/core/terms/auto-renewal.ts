import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Configurations that renew themselves from the balance. */

export const renewBeforeSeconds = 86_400
export const tryEverySeconds = 6 * 3600

export interface DueRenewal {
  readonly id: number
  readonly user_id: number
  readonly days: number
  readonly expires_at: number
  readonly title: string | null
  readonly location_ru: string
  readonly location_en: string
}

/**
 * One that is due, held with its customer until the transaction ends; rivals skip it. The last day is tried every six
 * hours. One that ended before anybody looked gets its single try, as long as it is not switched off.
 */
export const holdDueRenewal = async (
  tx: Db,
  now: number,
  except: readonly number[] = [],
): Promise<DueRenewal | undefined> => {
  const { rows } = await sql<DueRenewal>`
    select c.id, c.user_id, c.auto_renewal_days as days, c.expires_at, c.title,
      l.title_ru as location_ru, l.title_en as location_en
    from configs c join users u on u.id = c.user_id join locations l on l.id = c.location_id
    where c.state = 'active' and c.auto_renewal and c.auto_renewal_days is not null
      and c.expires_at <= ${now + renewBeforeSeconds} and c.id <> all(${except}::bigint[])
      and (c.renewal_tried_at is null or (c.renewal_tried_at <= ${now - tryEverySeconds} and c.expires_at > ${now}))
    order by c.expires_at limit 1
    for update of c skip locked for share of u skip locked`.execute(tx)
  return rows[0]
}

/** Those that ended and still wait for their single try, because they or their customers were held by somebody. */
export const findUntriedRenewals = async (db: Db, now: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('configs')
    .select('id')
    .where('state', '=', 'active')
    .where('auto_renewal', '=', true)
    .where('auto_renewal_days', 'is not', null)
    .where('expires_at', '<=', now)
    .where('renewal_tried_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

export const noteRenewalTry = async (tx: Db, id: number, now: number): Promise<void> => {
  await tx.updateTable('configs').set({ renewal_tried_at: now }).where('id', '=', id).execute()
}
