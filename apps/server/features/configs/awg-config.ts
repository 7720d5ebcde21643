import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import { awgProblems } from '@sallyport/domain/vpn/awg-rules'
import type { Handlers } from '../../core/call.ts'
import { releasePort, takeGivenPort } from '../../core/fleet/node-ports.ts'
import { itemOfConfig, place } from '../../core/fleet/placements.ts'
import { storeFurniture } from '../../core/vpn/homes.ts'
import { inTransaction } from '../../db/client.ts'
import { holdLive } from './held.ts'
import { type ConfigRow, findConfig } from './queries.ts'
import { toConnection } from './shown.ts'

export const changeAwgConfig: Handlers<typeof configs>['changeAwgConfig'] = (call) => {
  const { userId, vault, bus, body, now } = call
  return inTransaction(call.db, async (tx) => {
    const config = await holdLive(tx, userId, call.params.config_id, now)
    if (config.protocol !== 'amnezia-wg-2' || !config.awg) {
      throw badRequest('config_id', `is ${config.protocol}: only amnezia-wg-2 has these parameters`)
    }
    const { port = config.port, ...changes } = body
    const awg: AwgParameters = { ...config.awg, ...changes }
    const problems = awgProblems(awg)
    if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
    const { id, node_id: nodeId, server_id: serverId } = config
    if (port !== null && port !== config.port) {
      await releasePort(tx, nodeId, itemOfConfig(id))
      await takeGivenPort(tx, nodeId, itemOfConfig(id), port)
    }
    await storeFurniture(tx, id, { port, tunnel_host: config.tunnel_host, awg })
    await place(tx, bus, { nodeId, serverId, configId: id, isPresent: true })
    return toConnection(vault, (await findConfig(tx, userId, now, id)) as ConfigRow)
  })
}
