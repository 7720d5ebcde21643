import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { publicNameProblem } from '@sallyport/domain/vpn/public-address'
import type { Db } from '../../../db/client.ts'
import { findNodeReadiness } from '../../fleet/servers.ts'
import { borrowsOnlyOwn, findOwnTargets, frontingTarget } from '../access/own-targets.ts'

const engineOf = (protocol: ProxyProtocol) => (protocol === 'mtproto' ? 'mtg' : 'xray')

/** Whether a node can carry such a proxy now. */
export const requireProxyEngine = async (
  db: Db,
  nodeId: number,
  protocol: ProxyProtocol,
  now: number,
): Promise<void> => {
  const { hasEngine, sellsWithout } = await findNodeReadiness(db, nodeId, engineOf(protocol), now)
  if (!hasEngine && !sellsWithout) throw new ApiError('NO_SERVER_AVAILABLE')
}

/** Whether it says itself that it cannot; one that is away for a moment says nothing. */
export const lacksProxyEngine = async (
  db: Db,
  nodeId: number,
  protocol: ProxyProtocol,
  now: number,
): Promise<boolean> => {
  const { isOnline, hasEngine, sellsWithout } = await findNodeReadiness(db, nodeId, engineOf(protocol), now)
  return isOnline && !hasEngine && !sellsWithout
}

/** Strangers are sent to the domain, past all rules; not every server can keep that off its private network. */
export const requireFronting = async (
  tx: Db,
  nodeId: number,
  domain: string,
  path = 'tls_domain',
): Promise<void> => {
  if (!(await borrowsOnlyOwn(tx, nodeId, 'mtg'))) return
  const known = await findOwnTargets(tx, nodeId)
  if (known.includes(frontingTarget(domain))) return
  const names = known.map((target) => target.replace(/:443$/, '')).filter((one) => !publicNameProblem(one))
  throw badRequest(
    path,
    `this server cannot send strangers to a domain of your choice: leave it out, or name ${names.join(' or ')}`,
  )
}
