import { table } from '../../operation.ts'
import { drainRows } from './drain.ts'
import { loadRows } from './load.ts'
import { nodeRows } from './nodes.ts'
import { serverRows } from './servers.ts'
import { upgradeRows } from './upgrades.ts'

/** Machines, and the servers that are sold on them. */
export const operatorFleet = table({ ...nodeRows, ...serverRows, ...loadRows, ...drainRows, ...upgradeRows })
