import type { Inbound } from '@sallyport/contract/agent/agent'
import { isProxy, isShared, networksOf, type XrayServed } from '@sallyport/domain/vpn/engine/xray-accounts'
import { messageOf } from '../../common/backoff.ts'
import type { Trouble } from '../common/engine.ts'
import { portProblem } from '../net/ports.ts'
import type { SiteTarget } from '../net/site.ts'

/** What of the wanted can be had on this machine. */

export const troubleOf = (reason: string): Trouble => ({ id: null, revision: null, reason })

export const inboundTrouble = (tag: string, reason: string): Trouble => ({
  ...troubleOf(`inbound ${tag}: ${reason}`),
  inbound: tag,
})

/** Nobody is served. */
export const troubleOfAll = ({ inbounds, accesses }: XrayServed, reason: string): Trouble[] => [
  ...inbounds.map(({ tag }) => inboundTrouble(tag, reason)),
  ...accesses.filter(isProxy).map(({ id, revision }) => ({ id, revision, reason })),
]

/** To Xray an inbound with the server's own site is one with a borrowed site that happens to be ours. */
export const withOwnSites = async (
  wanted: readonly Inbound[],
  siteTarget: SiteTarget,
): Promise<{ inbounds: Inbound[]; troubles: Trouble[] }> => {
  const inbounds: Inbound[] = []
  const troubles: Trouble[] = []
  for (const inbound of wanted) {
    if (inbound.protocol !== 'vless-2410') {
      inbounds.push(inbound)
      continue
    }
    const { site, ...rest } = inbound
    try {
      const target = await siteTarget(site)
      inbounds.push({ ...rest, protocol: 'vless', reality: { ...inbound.reality, target } })
    } catch (error) {
      troubles.push(inboundTrouble(inbound.tag, `its site cannot be shown (${messageOf(error)})`))
    }
  }
  return { inbounds, troubles }
}

/** Leaves out what wants a port that cannot be had. */
export const withFreePorts = async (
  wanted: XrayServed,
): Promise<{ served: XrayServed; troubles: Trouble[] }> => {
  const troubles: Trouble[] = []
  const closed = new Set<unknown>()
  for (const one of [...wanted.inbounds, ...wanted.accesses.filter(isProxy)]) {
    const problem = await portProblem(one.listen, one.port, networksOf(one.protocol))
    if (problem === null) continue
    closed.add(one)
    if ('tag' in one) troubles.push(inboundTrouble(one.tag, problem))
    else troubles.push({ id: one.id, revision: one.revision, reason: `access ${one.id}: ${problem}` })
  }
  const inbounds = wanted.inbounds.filter((inbound) => !closed.has(inbound))
  const tags = new Set(inbounds.map(({ tag }) => tag))
  const accesses = wanted.accesses.filter((access) =>
    isShared(access) ? tags.has(access.inbound) : !closed.has(access),
  )
  return { served: { inbounds, accesses }, troubles }
}
