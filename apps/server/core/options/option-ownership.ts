import { ApiError } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { livingUser } from '../accounts/users.ts'
import { lockTerm, type Term } from '../terms/terms.ts'
import type { ProductOwner } from '../vpn/access/reads.ts'

/** What the house calls a customer's subscription; customers name it by its option. */
export const nextItem = sql<number>`nextval('paid_option_items')`

/** Whose configurations are meant here: those of one option of this customer. */
export const ownerOf = (userId: number, optionId: number): ProductOwner => ({
  userId,
  product: 'paid_options',
  productId: optionId,
})

/** The customer's subscription to an option, for a statement that calls the terms `t`; ended ones too. */
export const isOption = (userId: number, optionId: number) =>
  sql<boolean>`t.user_id = ${userId}::bigint and t.product = 'paid_options' and t.product_id = ${optionId}::bigint
    and t.state <> 'deleted'`

/** The customer is locked before it, for what will write an order. */
export const lockOptionToBuy = (tx: Db, userId: number, optionId: number): Promise<Term | undefined> =>
  lockTerm(tx, sql`t.user_id = ${livingUser(userId)} and ${isOption(userId, optionId)}`)

/** Held until the transaction ends. */
export const lockOption = (tx: Db, userId: number, optionId: number): Promise<Term | undefined> =>
  lockTerm(tx, isOption(userId, optionId))

export const requireOption = async (tx: Db, userId: number, optionId: number): Promise<Term> => {
  const term = await lockOption(tx, userId, optionId)
  if (!term) throw new ApiError('NOT_FOUND')
  return term
}

/** The state it is in, without locking it; ended ones too. */
export const findOwn = async (db: Db, userId: number, optionId: number) => {
  const term = await db
    .selectFrom('terms as t')
    .select(['t.id', 't.item_id', 't.state', 't.paused', 't.expires_at'])
    .where(isOption(userId, optionId))
    .executeTakeFirst()
  if (!term) throw new ApiError('NOT_FOUND')
  return term
}

/** How many the customer has added. */
export const countAdded = async (tx: Db, termId: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('accesses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('term_id', '=', termId)
    .where('beside_id', 'is', null)
    .where('position', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** One of the option's configurations; undefined when it is not this customer's. */
export const findConfig = (db: Db, userId: number, optionId: number, id: number) =>
  db
    .selectFrom('accesses as c')
    .innerJoin('terms as t', 't.id', 'c.term_id')
    .select(['c.position', 'c.location_id'])
    .where('c.id', '=', id)
    .where('c.beside_id', 'is', null)
    .where(isOption(userId, optionId))
    .executeTakeFirst()
