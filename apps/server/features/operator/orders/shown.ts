import { shown } from '@sallyport/domain/money/money'
import type { OrderRow } from './queries.ts'

export const inShownUnits = <T extends { amount: number; currency: string }>(row: T): T => ({
  ...row,
  amount: shown(row.amount, row.currency),
})

export const shownOrder = ({ price, ...order }: OrderRow) => inShownUnits({ ...order, amount: price })
