import { ofEachProduct } from '@sallyport/contract/product-types'
import type { ProductClass } from '@sallyport/contract/products'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { moveTermSubscriptions } from '../accounts/subscription-keys.ts'
import { endCopiesOf } from '../fleet/placements.ts'
import { type CustomerAccount, lockBalance, transfer } from '../ledger/ledger.ts'
import { reassignOrders } from '../sales/orders.ts'
import type { GrantContext, Products } from '../sales/products.ts'
import { deleteTerms } from '../terms/expiry.ts'
import { moveReminders } from '../terms/reminders.ts'
import { reassignDays } from '../terms/term-days.ts'
import { termProductOf } from '../terms/term-product.ts'
import { lockTermsOf, type Term } from '../terms/terms.ts'

/**
 * Everything of one account becomes another's. Nodes do not notice, since nothing that is placed knows its customer; but for copies
 * of how something was, which end: the apps that they are for have no key any more.
 */

export interface AccountMove {
  readonly fromId: number
  readonly toId: number
  /** Names this one transfer. */
  readonly cause: string
  readonly now: number
}

type Mover = GrantContext & { readonly products: Products }

/** How many of each product, and what else. */
export interface Moved extends Readonly<Record<ProductClass, number>> {
  readonly promocodes: number
  readonly balance: number
  readonly referral_balance: number
}

/** What an account got by a key that it used before; undefined when it did not. */
export const findMoved = async (db: Db, toId: number, keyHash: string): Promise<Moved | undefined> => {
  const { rows } = await sql<{ details: Moved }>`
    select details from account_events
    where user_id = ${toId}::bigint and kind = 'transferred_in' and details->>'key_hash' = ${keyHash}`.execute(
    db,
  )
  // Older transfers speak of fewer products.
  return rows[0] && { ...ofEachProduct(() => 0), ...rows[0].details }
}

/** What both accounts have, and one account can have once only, becomes one. Returns what is left to be moved. */
const mergeTerms = async (
  tx: Db,
  at: Mover,
  terms: readonly Term[],
  own: readonly Term[],
): Promise<Term[]> => {
  const moving: Term[] = []
  for (const term of terms) {
    const product = termProductOf(at.products, term.product)
    const twin = own.find((each) => each.product === term.product && each.product_id === term.product_id)
    if (!product.merge || !twin) moving.push(term)
    else {
      await product.merge(tx, at, twin, term)
      await reassignOrders(tx, {
        product: term.product,
        from: term.item_id,
        to: twin.item_id,
        now: at.now,
      })
      await reassignDays(tx, { from: term.id, to: twin.id, now: at.now })
      await deleteTerms(tx, at, product, [term])
    }
  }
  return moving
}

const listAccessIds = async (tx: Db, termIds: readonly number[]): Promise<number[]> => {
  const rows = await tx.selectFrom('accesses').select('id').where('term_id', 'in', termIds).execute()
  return rows.map((row) => row.id)
}

/** With their accesses, bridges and the reminders that wait; orders stay with whoever paid. How many of each product. */
const moveTerms = async (
  tx: Db,
  at: Mover,
  { fromId, toId }: AccountMove,
): Promise<ReadonlyMap<ProductClass, number>> => {
  const both = await lockTermsOf(tx, [fromId, toId])
  const terms = both.filter((term) => term.user_id === fromId)
  if (terms.length === 0) return new Map()
  const own = both.filter((term) => term.user_id === toId)
  const moving = await mergeTerms(tx, at, terms, own)
  const ids = moving.map((term) => term.id)
  if (ids.length > 0) await tx.updateTable('terms').set({ user_id: toId }).where('id', 'in', ids).execute()
  if (ids.length > 0) await moveTermSubscriptions(tx, ids, toId)
  if (ids.length > 0) await endCopiesOf(tx, at.bus, await listAccessIds(tx, ids))
  // Handed on by whoever owns it no more.
  await tx.deleteFrom('one_time_links').where('user_id', '=', fromId).execute()
  await tx.updateTable('bridges').set({ user_id: toId }).where('user_id', '=', fromId).execute()
  await moveReminders(tx, fromId, toId)
  return new Map([...Map.groupBy(terms, (term) => term.product)].map(([name, some]) => [name, some.length]))
}

const movePromocodes = async (tx: Db, { fromId, toId }: AccountMove): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('promocodes')
    .set({ buyer_id: toId })
    .where('buyer_id', '=', fromId)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Released and taken back from whoever has the money now. */
const moveCommissions = async (tx: Db, { fromId, toId }: AccountMove): Promise<void> => {
  await tx.updateTable('commissions').set({ referrer_id: toId }).where('referrer_id', '=', fromId).execute()
}

const moveMoney = async (tx: Db, move: AccountMove, kind: CustomerAccount): Promise<number> => {
  const { fromId, toId, cause, now } = move
  const amount = await lockBalance(tx, fromId, kind)
  if (amount === 0) return 0
  const isNew = await transfer(tx, {
    cause: `${cause}:${kind}`,
    kind: 'account_transfer',
    from: { userId: fromId, kind },
    to: { userId: toId, kind },
    amount,
    now,
  })
  if (!isNew) throw new Error(`${cause} happened before`)
  return amount
}

/**
 * The caller locks both accounts. The rest is taken in the order of refunds and releases: items, the balance,
 * commissions, what is held of them, what is not. Withdrawals under way stay, with the money they hold.
 */
export const moveEverything = async (
  tx: Db,
  at: Mover,
  move: AccountMove,
): Promise<Moved & { readonly referral_hold: number }> => {
  const terms = await moveTerms(tx, at, move)
  const promocodes = await movePromocodes(tx, move)
  const balance = await moveMoney(tx, move, 'wallet')
  await moveCommissions(tx, move)
  const held = await moveMoney(tx, move, 'referral_hold')
  const referralBalance = await moveMoney(tx, move, 'referral')
  return {
    ...ofEachProduct((product) => terms.get(product) ?? 0),
    promocodes,
    balance,
    referral_balance: referralBalance,
    referral_hold: held,
  }
}
