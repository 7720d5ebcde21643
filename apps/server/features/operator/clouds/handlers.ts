import type { operatorClouds } from '@sallyport/contract/operator/clouds'
import type { Handlers } from '../../../core/call.ts'
import { cloudAccountHandlers } from './accounts.ts'
import { cloudConfigurationHandlers } from './configurations.ts'
import { machineHandlers } from './machines.ts'

export const operatorCloudHandlers: Handlers<typeof operatorClouds> = {
  ...cloudAccountHandlers,
  ...cloudConfigurationHandlers,
  ...machineHandlers,
}
