import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** What the front page counts. */

export interface Waiting {
  readonly terms_ending: number
  readonly terms_ending_unrenewed: number
  readonly alerts: number
  readonly withdrawals: number
  readonly payments: number
  readonly grants: number
}

/** Each by an index that holds little else than what is counted. */
export const countWaiting = async (tx: Db, at: { readonly now: number; readonly until: number }) => {
  const ending = sql`from terms where state = 'active' and expires_at > ${at.now}::bigint and expires_at <= ${at.until}::bigint`
  const { rows } = await sql<Waiting>`
    select (select count(*) ${ending}) as terms_ending,
      (select count(*) ${ending} and not auto_renewal) as terms_ending_unrenewed,
      (select count(*) from alerts where resolved_at is null) as alerts,
      (select count(*) from withdrawals where status = 'pending') as withdrawals,
      (select count(*) from orders where state = 'created') as payments,
      (select count(*) from orders where state = 'paid') as grants`.execute(tx)
  return rows[0] as Waiting
}

export interface LocationSlots {
  readonly location_id: number
  readonly code: string
  readonly capacity: number
  readonly used_slots: number
  readonly free: number
}

/** Of the operator's servers; free is what can be sold now. */
export const listSlots = async (tx: Db, seenSince: number): Promise<LocationSlots[]> => {
  const { rows } = await sql<LocationSlots>`
    select l.id as location_id, l.code, sum(s.capacity)::bigint as capacity, sum(s.used_slots)::bigint as used_slots,
      coalesce(sum(greatest(0, s.capacity - s.used_slots)) filter (where s.state = 'selling'
        and st.last_seen_at >= ${seenSince}::bigint), 0)::bigint as free
    from servers s join locations l on l.id = s.location_id left join node_status st on st.node_id = s.node_id
    where s.owner_term_id is null and s.state <> 'retired' group by l.id, l.code order by l.id`.execute(tx)
  return rows
}
