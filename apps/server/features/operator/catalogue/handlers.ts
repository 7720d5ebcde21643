import type { operatorCatalogue } from '@sallyport/contract/operator/catalogue/catalogue'
import type { Handlers } from '../../../core/call.ts'
import { paymentMethodHandlers } from './payment-methods.ts'

export const operatorCatalogueHandlers: Handlers<typeof operatorCatalogue> = {
  ...paymentMethodHandlers,
}
