import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import type { Handlers } from '../../../core/call.ts'
import { optionSubscriptionHandlers } from './customer-options.ts'
import { optionCatalogueHandlers } from './paid-options.ts'

export const operatorPaidOptionHandlers: Handlers<typeof operatorPaidOptions> = {
  ...optionCatalogueHandlers,
  ...optionSubscriptionHandlers,
}
