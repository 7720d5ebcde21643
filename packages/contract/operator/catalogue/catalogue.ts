import { table } from '../../operation.ts'
import { configTariffRows } from './config-tariffs.ts'
import { locationRows } from './locations.ts'
import { paymentMethodRows } from './payment-methods.ts'
import { priceRows } from './prices.ts'
import { setupRows } from './setup.ts'

/** What is sold, where, and how it is paid. */
export const operatorCatalogue = table({
  ...locationRows,
  ...paymentMethodRows,
  ...configTariffRows,
  ...priceRows,
  ...setupRows,
})
