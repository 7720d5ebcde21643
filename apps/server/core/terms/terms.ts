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

/** What leads to an access `a`, found one by one: few have any, whatever is guessed of how many there are. */
const joinEntries = sql`cross join lateral (select entry_id from bridges where exit_id = a.id offset 0) b
  join accesses entry on entry.id = b.entry_id`

/**
 * Those of the table `t` that are meant, and with them the terms of whatever leads to them over a bridge, which has to be told when its exit
 * changes. All in one statement and by id, as everything that locks several terms: so no two can wait for each other. Returns those that are meant,
 * or what is asked of them.
 */
export const lockTerms = async (tx: Db, which: RawBuilder<unknown>, asked = which): Promise<Term[]> => {
  const { rows } = await sql<Term & { is_asked: boolean }>`
    select ${termColumns}, ${asked} as is_asked from terms t
    where t.id = any(array(
      with meant as materialized (select t.id from terms t where ${which})
      select id from meant
      union
      select entry.term_id from meant join accesses a on a.term_id = meant.id ${joinEntries}))
    order by t.id for update`.execute(tx)
  return rows.filter((row) => row.is_asked).map(({ is_asked: _asked, ...term }) => term)
}

/** What is deleted is nobody's any more. */
export const lockTerm = async (tx: Db, which: RawBuilder<unknown>): Promise<Term | undefined> =>
  (await lockTerms(tx, sql`${which} and t.state <> 'deleted'`))[0]

/**
 * The same for those that a round took past what others have, without waiting: whatever has an entry that somebody has is left
 * for the next round.
 */
export const withEntries = async <T extends Term>(tx: Db, terms: readonly T[]): Promise<T[]> => {
  if (terms.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with bridged as materialized (
      select a.term_id as exit_id, entry.term_id as entry_id from accesses a ${joinEntries}
      where a.term_id = any(${terms.map((term) => term.id)}::bigint[])),
    held as materialized (
      select id from terms where id = any(array(select entry_id from bridged)) for update skip locked)
    select exit_id as id from bridged where entry_id <> all(array(select id from held))`.execute(tx)
  const left = new Set(rows.map((row) => row.id))
  return terms.filter((term) => !left.has(term.id))
}

/** As it is by now; the caller has it locked. */
export const readTerm = async (tx: Db, id: number): Promise<Term> => {
  const { rows } = await sql<Term>`select ${termColumns} from terms t where t.id = ${id}::bigint`.execute(tx)
  return rows[0] as Term
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

/** Everything of these customers, or of one product, locked until the transaction ends. */
export const lockTermsOf = (tx: Db, userIds: readonly number[], product?: ProductClass): Promise<Term[]> =>
  lockTerms(
    tx,
    sql`t.user_id = any(${[...userIds]}::bigint[]) and t.state <> 'deleted'
      ${product === undefined ? sql`` : sql`and t.product = ${product}`}`,
  )

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
