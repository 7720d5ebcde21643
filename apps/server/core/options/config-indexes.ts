import { highestIndex } from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Term } from '../terms/terms.ts'

/** Indexes of what customers added to an option, where its servers come and go. */

interface Moved {
  readonly id: number
  readonly from: number
  readonly to: number
}

/** In the order in which they are raised when the transaction ends; nothing else is waited for after this. */
const lockSubscriptions = async (tx: Db, userId: number): Promise<void> => {
  await sql`select from subscriptions where user_id = ${userId}::bigint order by id for no key update`.execute(
    tx,
  )
}

/** What the customer's subscriptions named by the old index goes on meaning the same, by its id where no item may name the new. */
const followInItems = async (tx: Db, term: Term, { id, from, to }: Moved): Promise<void> => {
  const [type, reference, index] =
    to <= highestIndex
      ? (['paid_option_index', term.product_id, to] as const)
      : (['paid_option_config', id, null] as const)
  await sql`
    update subscription_items x set item_type = ${type}, reference_id = ${reference}::bigint, item_index = ${index}::integer
    from subscriptions s
    where s.user_id = ${term.user_id}::bigint and s.kind = 'custom' and x.subscription_id = s.id
      and x.item_type = 'paid_option_index' and x.reference_id = ${term.product_id}::bigint and x.item_index = ${from}
      and not exists (select from subscription_items y where y.subscription_id = s.id and y.item_type = ${type}
        and y.reference_id = ${reference}::bigint and y.item_index is not distinct from ${index}::integer)`.execute(
    tx,
  )
}

/**
 * Those whose index a server of the option has now take the next that is free. The caller locks the term, and has taken
 * whatever else it needs.
 */
export const makeWay = async (tx: Db, term: Term): Promise<void> => {
  const { rows } = await sql<Omit<Moved, 'to'>>`
    select a.id, a.added_index as "from" from accesses a join accesses o on o.term_id = a.term_id and o.position = a.added_index
    where a.term_id = ${term.id}::bigint order by a.added_index`.execute(tx)
  if (rows.length > 0) await lockSubscriptions(tx, term.user_id)
  for (const { id, from } of rows) {
    const { added_index: to } = await tx
      .updateTable('accesses')
      .set({ added_index: sql<number>`next_added_index(term_id)` })
      .where('id', '=', id)
      .returning('added_index')
      .executeTakeFirstOrThrow()
    await followInItems(tx, term, { id, from, to: to as number })
  }
}
