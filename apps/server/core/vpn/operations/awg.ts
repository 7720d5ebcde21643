import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { configs } from '@sallyport/contract/customer/configs'
import type { Connection } from '@sallyport/contract/customer/shapes'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import { awgProblems } from '@sallyport/domain/vpn/awg-rules'
import { inTransaction } from '../../../db/client.ts'
import { releasePort, takeGivenPort } from '../../fleet/node-ports.ts'
import { place } from '../../fleet/placements.ts'
import { lockLive } from '../access/locked-access.ts'
import { storeParts } from '../access/personal-parts.ts'
import { type AccessContext, showAfter } from './access-context.ts'
import { toConnection } from './config-view.ts'

/** The parameters of an AmneziaWG interface. */
export const changeAwg = (
  context: AccessContext,
  id: number,
  body: BodyOf<typeof configs.changeAwgConfig>,
): Promise<Connection> =>
  inTransaction(context.db, async (tx) => {
    const access = await lockLive(tx, context.owner, id, context.now)
    if (access.protocol !== 'amnezia-wg-2' || !access.awg) {
      throw badRequest('config_id', `is ${access.protocol}: only amnezia-wg-2 has these parameters`)
    }
    const { port = access.port, ...changes } = body
    const awg: AwgParameters = { ...access.awg, ...changes }
    const problems = awgProblems(awg)
    if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
    const { node_id: nodeId, server_id: serverId } = access
    if (port !== null && port !== access.port) {
      await releasePort(tx, nodeId, id)
      await takeGivenPort(tx, nodeId, { accessId: id }, port)
    }
    await storeParts(tx, id, { port, tunnel_host: access.tunnel_host, awg })
    await place(tx, context.bus, { nodeId, serverId, accessId: id, isPresent: true })
    return toConnection(context.vault, await showAfter(tx, context, id))
  })
