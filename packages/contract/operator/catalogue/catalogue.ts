import { table } from '../../operation.ts'
import { paymentMethodRows } from './payment-methods.ts'

/** What is sold, where, and how it is paid. */
export const operatorCatalogue = table({ ...paymentMethodRows })
