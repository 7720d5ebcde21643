import type { ProductClass } from '@sallyport/contract/products'
import { sql } from 'kysely'
import type { ServerScope } from '../../fleet/servers.ts'

/** Whose an access is: a customer's, by the product that it came with. */
export interface AccessOwner {
  readonly userId: number
  /** Any of the customer's where none is named. */
  readonly product?: ProductClass
  /** The one machine that it belongs to; not said of what is sold alone. */
  readonly itemId?: number
  /** Which product of the class, where a customer has one of each. */
  readonly productId?: number
  /** Where it may be; the operator's servers where nothing is said. */
  readonly scope?: ServerScope
}

/** For a statement that calls the terms `t`; missing and foreign are the same. */
export const isOwned = ({ userId, product, itemId, productId }: AccessOwner) => sql<boolean>`
  t.user_id = ${userId}::bigint and t.state <> 'deleted'
  ${product === undefined ? sql`` : sql`and t.product = ${product}`}
  ${itemId === undefined ? sql`` : sql`and t.item_id = ${itemId}::bigint`}
  ${productId === undefined ? sql`` : sql`and t.product_id = ${productId}::bigint`}`
