import { ApiError } from '@sallyport/contract/errors'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { findNodeReadiness } from '../../core/servers.ts'
import type { Db } from '../../db/client.ts'

/** Whether a node can carry such a proxy now. */
export const requireProxyEngine = async (
  db: Db,
  nodeId: number,
  protocol: ProxyProtocol,
  now: number,
): Promise<void> => {
  const engine = protocol === 'mtproto' ? 'mtg' : 'xray'
  const { hasEngine, sellsWithout } = await findNodeReadiness(db, nodeId, engine, now)
  if (!hasEngine && !sellsWithout) throw new ApiError('NO_SERVER_AVAILABLE')
}
