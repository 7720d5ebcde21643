import { table } from '../../operation.ts'
import { ledgerRows } from './ledger.ts'
import { orderRows } from './orders.ts'
import { overviewRows } from './overview.ts'
import { statisticsRows } from './statistics.ts'

/** What was sold, what came of it, and what the books say. */
export const operatorFigures = table({ ...orderRows, ...ledgerRows, ...overviewRows, ...statisticsRows })
