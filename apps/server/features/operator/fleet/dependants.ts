import { many } from '../../../core/fleet/change-server.ts'
import { customersOn } from '../common/dependants.ts'
import type { Dependants } from './queries.ts'

/** What keeps a node from being removed, in words. */

export const dependence = ({
  accesses,
  customers,
  options,
  clouds,
  machines,
}: Dependants): string | undefined => {
  if (machines > 0) {
    const run = machines === 1 ? 'runs' : 'run'
    return customersOn(
      customers,
      `${many(machines, 'cloud server')} ${run} here; it goes when they have gone`,
    )
  }
  if (accesses > 0) {
    const what = `its servers carry ${many(accesses, 'configuration')}; these have to be elsewhere first`
    return customersOn(customers, what)
  }
  if (options > 0)
    return `its servers belong to ${many(options, 'paid option')}; take them out of there first`
  if (clouds > 0) return `${many(clouds, 'cloud')} of the operator’s name it; remove that first`
  return undefined
}
