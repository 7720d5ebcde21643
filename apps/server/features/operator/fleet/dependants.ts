import { many } from '../../../core/fleet/change-server.ts'
import type { Dependants } from './queries.ts'

/** What keeps a node from being removed, in words. */

export const dependence = ({
  accesses,
  customers,
  options,
  clouds,
  machines,
}: Dependants): string | undefined => {
  if (machines > 0)
    return `${many(machines, 'cloud server')} of customers run here; it goes when they have gone`
  if (accesses > 0) {
    const whose = `${many(accesses, 'configuration')} of ${many(customers, 'customer')}`
    return `its servers carry ${whose}; these have to be elsewhere first`
  }
  if (options > 0)
    return `its servers belong to ${many(options, 'paid option')}; take them out of there first`
  if (clouds > 0) return `${many(clouds, 'cloud')} of the operator’s name it; remove that first`
  return undefined
}
