import type { operatorDelivery } from '@sallyport/contract/operator/delivery'
import type { Handlers } from '../../../core/call.ts'
import { appHandlers } from './apps.ts'
import { deliverySettingHandlers } from './settings.ts'
import { deliveryTemplateHandlers } from './templates.ts'

export const operatorDeliveryHandlers: Handlers<typeof operatorDelivery> = {
  ...deliverySettingHandlers,
  ...deliveryTemplateHandlers,
  ...appHandlers,
}
