import type { operatorCatalogue } from '@sallyport/contract/operator/catalogue/catalogue'
import type { Handlers } from '../../../core/call.ts'
import { configTariffHandlers } from './config-tariffs.ts'
import { locationHandlers } from './locations.ts'
import { paymentMethodHandlers } from './payment-methods.ts'
import { priceHandlers } from './prices.ts'
import { setupHandlers } from './setup.ts'

export const operatorCatalogueHandlers: Handlers<typeof operatorCatalogue> = {
  ...locationHandlers,
  ...paymentMethodHandlers,
  ...configTariffHandlers,
  ...priceHandlers,
  ...setupHandlers,
}
