import type { api } from '../../api.ts'

/** Prices of one customer, by what is sold. */

export type PriceRow = Awaited<ReturnType<typeof api.listUserPrices>>[number]

export interface SoldProduct {
  readonly key: string
  readonly type: PriceRow['product_type']
  readonly id: number | null
  readonly title: string
  readonly prices: readonly PriceRow[]
}

const keyOf = ({ product_type: type, product_id: id }: PriceRow): string => `${type}/${id ?? ''}`

export const productsOf = (rows: readonly PriceRow[]): readonly SoldProduct[] =>
  [...new Set(rows.map(keyOf))].flatMap((key) => {
    const prices = rows.filter((row) => keyOf(row) === key)
    const [first] = prices
    return first ? [{ key, type: first.product_type, id: first.product_id, title: first.title, prices }] : []
  })

export const lengthsOf = (prices: readonly PriceRow[]): readonly number[] =>
  [...new Set(prices.map(({ days }) => days))].sort((a, b) => a - b)
