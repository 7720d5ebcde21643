import type { operatorFleet } from '@sallyport/contract/operator/fleet/fleet'
import type { Handlers } from '../../../core/call.ts'
import { drainHandlers } from './drain.ts'
import { loadHandlers } from './load.ts'
import { nodeHandlers } from './nodes.ts'
import { serverHandlers } from './servers.ts'
import { upgradeHandlers } from './upgrades.ts'

export const operatorFleetHandlers: Handlers<typeof operatorFleet> = {
  ...nodeHandlers,
  ...serverHandlers,
  ...drainHandlers,
  ...loadHandlers,
  ...upgradeHandlers,
}
