import { DigitalOcean } from '../adapters/clouds/digitalocean/digitalocean.ts'
import { Hetzner } from '../adapters/clouds/hetzner/hetzner.ts'
import { LocalMachines, ManualMachines } from '../adapters/clouds/own-machines.ts'
import type { CloudsConfig } from '../config-clouds.ts'
import type { OpenCloud } from '../ports/clouds.ts'

const at = (url: string | undefined) => (url === undefined ? {} : { url })

/** Whoever has machines for hire, by the account that the operator has there. */
export const opensClouds =
  (config: CloudsConfig): OpenCloud =>
  (account) => {
    switch (account.kind) {
      case 'hetzner':
        return new Hetzner({ token: account.token, ...at(config.hetznerUrl) })
      case 'digitalocean':
        return new DigitalOcean({ token: account.token, ...at(config.digitalOceanUrl) })
      case 'local':
        return new LocalMachines(account.address)
      case 'manual':
        return new ManualMachines()
    }
  }
