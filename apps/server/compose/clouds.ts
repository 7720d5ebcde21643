import { LocalMachines, ManualMachines } from '../adapters/clouds/own-machines.ts'
import type { CloudsConfig } from '../config-clouds.ts'
import type { OpenCloud } from '../ports/clouds.ts'

/** Whoever has machines for hire, by the account that the operator has there. */
export const opensClouds =
  (_config: CloudsConfig): OpenCloud =>
  (account) => {
    switch (account.kind) {
      case 'local':
        return new LocalMachines(account.address)
      case 'manual':
        return new ManualMachines()
      default:
        throw new Error('not yet')
    }
  }
