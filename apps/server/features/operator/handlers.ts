import type { operatorClouds } from '@sallyport/contract/operator/clouds'
import type { operatorDelivery } from '@sallyport/contract/operator/delivery'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import type { Handlers } from '../../core/call.ts'
import { cloudAccountHandlers } from './clouds/accounts.ts'
import { cloudConfigurationHandlers } from './clouds/configurations.ts'
import { machineHandlers } from './clouds/machines.ts'
import { appHandlers } from './delivery/apps.ts'
import { deliverySettingHandlers } from './delivery/settings.ts'
import { deliveryTemplateHandlers } from './delivery/templates.ts'
import { paymentHandlers } from './orders/payments.ts'
import { optionSubscriptionHandlers } from './paid-options/customer-options.ts'
import { optionCatalogueHandlers } from './paid-options/paid-options.ts'
import { rateHandlers } from './payments/rates.ts'
import { refundHandlers } from './payments/refunds.ts'
import { promocodeHandlers } from './promocodes/promocodes.ts'
import { withdrawalHandlers } from './withdrawals/withdrawals.ts'

export const operatorMoneyHandlers: Handlers<typeof operatorMoney> = {
  ...paymentHandlers,
  ...refundHandlers,
  ...withdrawalHandlers,
  ...promocodeHandlers,
  ...rateHandlers,
}

export const operatorPaidOptionHandlers: Handlers<typeof operatorPaidOptions> = {
  ...optionCatalogueHandlers,
  ...optionSubscriptionHandlers,
}

export const operatorCloudHandlers: Handlers<typeof operatorClouds> = {
  ...cloudAccountHandlers,
  ...cloudConfigurationHandlers,
  ...machineHandlers,
}

export const operatorDeliveryHandlers: Handlers<typeof operatorDelivery> = {
  ...deliverySettingHandlers,
  ...deliveryTemplateHandlers,
  ...appHandlers,
}
