import type { configs } from '@sallyport/contract/customer/configs'
import type { Handlers } from '../../core/call.ts'
import { changeAwgConfig } from './awg-config.ts'
import { bridgeHandlers } from './bridge.ts'
import { renewConfig } from './renewal.ts'
import { settingsHandlers } from './settings.ts'
import { shopHandlers } from './shop.ts'
import { subconfigHandlers } from './subconfig.ts'
import { xrayConfigHandlers } from './xray-config.ts'

/** The specification's part "VPN configurations"; each file holds a few operations that belong together. */
export const configHandlers: Handlers<typeof configs> = {
  ...shopHandlers,
  renewConfig,
  ...settingsHandlers,
  ...bridgeHandlers,
  ...xrayConfigHandlers,
  changeAwgConfig,
  ...subconfigHandlers,
}
