import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { shownSum } from '../fleet/traffic-plausibility.ts'
import type { Term } from '../terms/terms.ts'

/** The traffic of two subscriptions to one option that become one: nobody has more of it afterwards. */

export interface Taken {
  readonly lifetime: number
  /** Of its period, which began then. */
  readonly used: number
  readonly period_began_at: number
  readonly owed: number
}

/**
 * The meters go too, and not what they say alone: nodes may still tell of accesses that end with this. The caller locks both
 * terms.
 */
export const takeMeters = async (tx: Db, into: Term, from: Term): Promise<Taken> => {
  const { rows } = await sql<Taken>`
    with taken as (
      update meters set term_id = ${into.id}::bigint where term_id = ${from.id}::bigint returning up, down
    ), sums as (select ${sql.raw(shownSum('up + down'))} as lifetime from taken)
    select s.lifetime, greatest(s.lifetime - o.period_base, 0) as used, o.period_began_at, o.owed
    from option_terms o cross join sums s where o.term_id = ${from.id}::bigint`.execute(tx)
  return rows[0] as Taken
}

/** Both were running: what both used counts in the period of the one that goes on, and what it cannot hold in the next. */
export const addUsed = async (tx: Db, termId: number, { lifetime, used }: Taken): Promise<void> => {
  await tx
    .updateTable('option_terms')
    .set((eb) => ({
      period_base: eb('period_base', '+', lifetime - used),
      owed: eb('owed', '+', used),
    }))
    .where('term_id', '=', termId)
    .execute()
}

/** The one that goes had ended: a period that is over is held against nobody. */
export const addLifetime = async (tx: Db, termId: number, { lifetime }: Taken): Promise<void> => {
  await tx
    .updateTable('option_terms')
    .set((eb) => ({ period_base: eb('period_base', '+', lifetime) }))
    .where('term_id', '=', termId)
    .execute()
}

/** The one that goes on had ended and begins afresh, in the period of the other. */
export const goOnWith = async (tx: Db, termId: number, taken: Taken): Promise<void> => {
  await tx
    .updateTable('option_terms')
    .set((eb) => ({
      period_began_at: taken.period_began_at,
      period_base: eb('period_base', '-', taken.used),
      owed: taken.owed,
    }))
    .where('term_id', '=', termId)
    .execute()
}
