import type { OrderedProduct, ProductClass } from '@sallyport/contract/products'
import type { Protocol } from '@sallyport/contract/shapes'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Db } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Vault } from '../kernel/vault.ts'

/** What can be ordered. Each product registers here, so that payments know how to grant it and take it back. */

/** One product: its class, and which of the class where there are several. */
export interface Sold {
  readonly product: ProductClass
  readonly productId: number | null
}

export interface GrantContext {
  readonly vault: Vault
  readonly bus: Bus
  readonly now: number
  /** The customer paid and went away: near enough to what was chosen is better than nothing. */
  readonly isLate?: boolean
}

/** An order whose money is here. */
export interface PaidOrder {
  readonly id: number
  readonly userId: number
  readonly product: OrderedProduct
  readonly productId: number | null
  readonly days: number
  /** What the product wrote down when it was ordered, and reads again with a schema. */
  readonly purchase: unknown
  /** Null when it makes a new one. */
  readonly itemId: number | null
  readonly isRenewal: boolean
  readonly asKey: boolean
  readonly price: number
  readonly currency: string
  readonly valueRub: number
  readonly paidAt: number
}

export interface Words {
  readonly ru: string
  readonly en: string
}

/** What an operator wants to give to a customer. */
export interface GiftWish {
  readonly userId: number
  readonly product_id?: number | undefined
  readonly location_id?: number | undefined
  readonly protocol?: Protocol | undefined
}

/** How that is ordered. */
export interface GiftOrder {
  readonly productId: number | null
  readonly itemId: number | null
  readonly isRenewal: boolean
  readonly purchase: object
}

export interface Product {
  readonly name: OrderedProduct
  /** For payment pages and notifications. */
  describe(order: { readonly days: number; readonly isRenewal: boolean; readonly valueRub: number }): Words
  /**
   * Gives what was paid for and returns the item. NO_SERVER_AVAILABLE is tried again, any other ApiError means
   * that it can never be given.
   */
  grant(tx: Db, at: GrantContext & { readonly products: Products }, order: PaidOrder): Promise<number | null>
  /** Refuses what cannot be given so. Not said of what is never given away. */
  gift?(tx: Db, wish: GiftWish): Promise<GiftOrder>
  /** Takes back what this order gave, and nothing that other orders gave. */
  revoke(tx: Db, at: GrantContext, order: PaidOrder): Promise<void>
}

export type Products = ReadonlyMap<OrderedProduct, Product>

export const productOf = (products: Products, name: OrderedProduct): Product => {
  const product = products.get(name)
  if (!product) throw new Error(`No product is called ${name}`)
  return product
}

/** Reads what was stored with an order; anything else than the schema says is a mistake of ours. */
export const purchaseReader = <T>(schema: TSchema): ((order: Pick<PaidOrder, 'id' | 'purchase'>) => T) => {
  const compiled = Compile(schema)
  return ({ id, purchase }) => {
    if (compiled.Check(purchase)) return purchase as T
    throw new Error(`Order ${id} holds a purchase that its product cannot read`)
  }
}
