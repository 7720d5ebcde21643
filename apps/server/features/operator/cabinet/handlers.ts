import type { operatorCabinet } from '@sallyport/contract/operator/cabinet'
import type { Handlers } from '../../../core/call.ts'
import { cabinetLogoHandlers } from './logo.ts'
import { cabinetSettingHandlers } from './settings.ts'

export const operatorCabinetHandlers: Handlers<typeof operatorCabinet> = {
  ...cabinetSettingHandlers,
  ...cabinetLogoHandlers,
}
