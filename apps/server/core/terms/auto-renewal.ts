import { badRequest } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { listTariffDays } from '../sales/prices.ts'
import type { Sold } from '../sales/products.ts'
import { type Term, termColumns } from './terms.ts'

/** Terms that renew themselves from the balance. */

export const renewBeforeSeconds = 86_400
export const tryEverySeconds = 6 * 3600

export interface DueRenewal extends Term {
  readonly auto_renewal_days: number
}

/**
 * One that is due, locked with its customer until the transaction ends; rivals skip it. The last day is tried every six
 * hours. One that ended before anybody looked gets its single try, as long as it is not switched off. Nobody pays for what
 * the operator has switched off, nor for days that do not run, nor while the account is closed.
 */
export const lockDueRenewal = async (
  tx: Db,
  products: readonly string[],
  now: number,
  except: readonly number[] = [],
): Promise<DueRenewal | undefined> => {
  const { rows } = await sql<DueRenewal>`
    select ${termColumns} from terms t join users u on u.id = t.user_id
    where t.state = 'active' and t.auto_renewal and t.auto_renewal_days is not null
      and t.paused is distinct from 'operator' and t.stopped_at is null and not u.is_blocked
      and t.product = any(${products}) and t.expires_at <= ${now + renewBeforeSeconds}
      and t.id <> all(${except}::bigint[])
      and (t.renewal_tried_at is null or (t.renewal_tried_at <= ${now - tryEverySeconds} and t.expires_at > ${now}))
    order by t.expires_at limit 1
    for update of t skip locked for share of u skip locked`.execute(tx)
  return rows[0]
}

/** Those that ended and still wait for their single try, because they or their customers were locked by somebody. */
export const findUntriedRenewals = async (db: Db, now: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('terms as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select('t.id')
    .where('t.state', '=', 'active')
    .where('t.auto_renewal', '=', true)
    .where('t.auto_renewal_days', 'is not', null)
    .where('t.paused', 'is distinct from', 'operator')
    .where('t.stopped_at', 'is', null)
    .where('t.expires_at', '<=', now)
    .where('t.renewal_tried_at', 'is', null)
    .where('u.is_blocked', '=', false)
    .execute()
  return rows.map((row) => row.id)
}

/** For how many days it renews itself: as many as one of its tariffs, or one that it was bought with. */
export const requireTariffDays = async (
  db: Db,
  sold: Sold & { readonly itemId: number },
  days: number | undefined,
): Promise<number> => {
  if (days === undefined) throw badRequest('days', 'is required to switch auto-renewal on')
  const offered = await listTariffDays(db, sold)
  if (!offered.includes(days)) {
    throw badRequest('days', `is not the length of a tariff; choose one of ${offered.join(', ')}`)
  }
  return days
}
