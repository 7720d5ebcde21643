import type { ProductClass } from '@sallyport/contract/products'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { livingUser, refuseDeleted } from '../accounts/users.ts'
import { announcing } from '../kernel/outbox.ts'

/** What is sold for a time, as it is kept. Whoever changes what a term gives locks the term first. */

export interface Term {
  readonly id: number
  readonly user_id: number
  readonly product: ProductClass
  readonly product_id: number | null
  /** What the product calls it. */
  readonly item_id: number
  readonly state: 'active' | 'expired'
  readonly expires_at: number
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
  /** Switched off though it has not ended: its traffic is used up, or the operator wants it so. */
  readonly paused: Pause | null
}

export type Pause = 'quota' | 'operator'

/** The columns of a term, for a statement that calls the table `t`. */
export const termColumns = sql`t.id, t.user_id, t.product, t.product_id, t.item_id, t.state, t.expires_at,
  t.auto_renewal, t.auto_renewal_days, t.paused`

/** Of the table `t`; what is deleted is nobody's any more. */
export const lockTerm = async (tx: Db, which: RawBuilder<unknown>): Promise<Term | undefined> => {
  const { rows } = await sql<Term>`
    select ${termColumns} from terms t where ${which} and t.state <> 'deleted' for update`.execute(tx)
  return rows[0]
}

export const lockTermById = (tx: Db, id: number): Promise<Term | undefined> =>
  lockTerm(tx, sql`t.id = ${id}::bigint`)

export interface TermRef {
  readonly product: ProductClass
  readonly itemId: number
}

const isItem = ({ product, itemId }: TermRef) => sql`t.product = ${product} and t.item_id = ${itemId}::bigint`

/** The customer is locked before it, for what will write an order. */
export const lockOwnTerm = (tx: Db, userId: number, ref: TermRef): Promise<Term | undefined> =>
  lockTerm(tx, sql`t.user_id = ${livingUser(userId)} and ${isItem(ref)}`)

/** Whoever has it now: an order stays with the customer who paid, and what it gave may have gone to another account. */
export const lockTermOfItem = (tx: Db, ref: TermRef): Promise<Term | undefined> => lockTerm(tx, isItem(ref))

/**
 * Everything of a customer, or of one product, locked until the transaction ends. By id, while others lock the exit of a bridge before its entry:
 * the rare two that meet are parted by PostgreSQL, and the transaction is tried again.
 */
export const lockTermsOf = async (tx: Db, userId: number, product?: ProductClass): Promise<Term[]> => {
  const { rows } = await sql<Term>`
    select ${termColumns} from terms t where t.user_id = ${userId}::bigint and t.state <> 'deleted'
      ${product === undefined ? sql`` : sql`and t.product = ${product}`}
    order by t.id for update`.execute(tx)
  return rows
}

type TermEvent = 'term.started' | 'term.ending' | 'term.ended' | 'term.limited'

/** Told of with the statement that changes the terms. */
export const tellingOf = (type: TermEvent, now: number): RawBuilder<boolean> =>
  announcing({
    type,
    subject: sql<string>`'term:' || terms.id`,
    data: sql`jsonb_build_object('term_id', terms.id, 'user_id', terms.user_id, 'product', terms.product,
      'product_id', terms.product_id, 'item_id', terms.item_id, 'expires_at', terms.expires_at,
      'auto_renewal', terms.auto_renewal)`,
    now,
  })

export interface NewTerm {
  readonly userId: number
  readonly product: ProductClass
  readonly productId: number | null
  /** Or what gives the number. */
  readonly itemId: number | RawBuilder<number>
  readonly autoRenewalDays: number | null
  /** Somebody wants to know what its accesses carry. */
  readonly isMetered?: boolean
  readonly expiresAt: number
  readonly now: number
}

/**
 * Throws when the account was deleted meanwhile. Undefined where a customer can have one only, and has one by now: whoever
 * made it is waited for.
 */
export const insertOnlyTerm = async (
  tx: Db,
  term: NewTerm,
): Promise<{ id: number; itemId: number } | undefined> => {
  const row = await tx
    .insertInto('terms')
    .values({
      user_id: livingUser(term.userId),
      product: term.product,
      product_id: term.productId,
      item_id: term.itemId,
      auto_renewal: term.autoRenewalDays !== null,
      auto_renewal_days: term.autoRenewalDays,
      is_metered: term.isMetered ?? false,
      expires_at: term.expiresAt,
      created_at: term.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'item_id', tellingOf('term.started', term.now).as('is_announced')])
    .executeTakeFirst()
    .catch(refuseDeleted)
  return row && { id: row.id, itemId: row.item_id }
}

/** Throws when the account was deleted meanwhile. */
export const insertTerm = async (tx: Db, term: NewTerm): Promise<{ id: number; itemId: number }> => {
  const made = await insertOnlyTerm(tx, term)
  if (!made) throw new Error(`There is an item of ${term.product} with this number already`)
  return made
}

export interface TermChange {
  readonly state?: 'active' | 'expired'
  readonly expires_at?: number
  readonly renewal_tried_at?: number | null
  readonly paused?: Pause | null
  readonly stopped_at?: number | null
  readonly auto_renewal?: boolean
  readonly auto_renewal_days?: number | null
}

export const updateTerm = async (tx: Db, id: number, change: TermChange): Promise<void> => {
  await tx.updateTable('terms').set(change).where('id', '=', id).execute()
}

/** As the change is, and told of in the same statement. */
export const updateAndTell = async (
  tx: Db,
  id: number,
  change: TermChange,
  type: TermEvent,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('terms')
    .set(change)
    .where('id', '=', id)
    .returning(tellingOf(type, now).as('is_announced'))
    .execute()
}

/** False when the customer has no such item, or none of such a product where there is one of each. */
export const setAutoRenewal = async (
  db: Db,
  userId: number,
  which: TermRef | { readonly product: ProductClass; readonly productId: number },
  days: number | null,
): Promise<boolean> => {
  const changed = await db
    .updateTable('terms')
    .set({ auto_renewal: days !== null, auto_renewal_days: days })
    .where('user_id', '=', userId)
    .where('product', '=', which.product)
    .$if('itemId' in which, (query) => query.where('item_id', '=', (which as TermRef).itemId))
    .$if('productId' in which, (query) =>
      query.where('product_id', '=', (which as { readonly productId: number }).productId),
    )
    .where('state', '<>', 'deleted')
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

export const findExpiry = async (tx: Db, id: number): Promise<number> => {
  const row = await tx.selectFrom('terms').select('expires_at').where('id', '=', id).executeTakeFirstOrThrow()
  return row.expires_at
}
