import type { operatorFigures } from '@sallyport/contract/operator/figures/figures'
import type { Handlers } from '../../../core/call.ts'
import { orderHandlers } from '../orders/orders.ts'
import { ledgerHandlers } from './ledger.ts'
import { overviewHandlers } from './overview.ts'
import { statisticsHandlers } from './statistics.ts'

export const operatorFiguresHandlers: Handlers<typeof operatorFigures> = {
  ...orderHandlers,
  ...ledgerHandlers,
  ...overviewHandlers,
  ...statisticsHandlers,
}
