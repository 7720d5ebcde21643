import type { configs } from '@sallyport/contract/customer/configs'
import type { SettledConnection } from '@sallyport/contract/customer/shapes'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import { type OptionName, optionNames } from '@sallyport/contract/shapes'
import { canBeginBridge } from '@sallyport/domain/vpn/bridge-rules'
import { carryOptions } from '@sallyport/domain/vpn/option-rules'
import { isAllowedProxy } from '@sallyport/domain/vpn/proxy-rules'
import { type Db, inTransaction } from '../../../db/client.ts'
import { swapSlot } from '../../fleet/servers.ts'
import { findBridgeFrom, holdEntriesTo } from '../access/bridges.ts'
import { findProxyBeside } from '../access/carried-reads.ts'
import { type HeldAccess, holdLive } from '../access/held.ts'
import type { ProxyRow } from '../access/proxies.ts'
import { type Care, showAfter } from './care.ts'
import { moveAccess } from './moving.ts'
import { requireFronting } from './proxy-engine.ts'
import { toSettledConnection } from './shown.ts'

type Body = BodyOf<typeof configs.changeConfigSettings>

/** Why this configuration may not become that, beyond the option rules. */
const refuseMove = async (
  tx: Db,
  config: HeldAccess,
  body: Body,
  proxy: ProxyRow | undefined,
): Promise<void> => {
  if (config.flags.includes('noChangeCountry') && body.location_id !== config.location_id) {
    throw badRequest('location_id', 'cannot be changed for this configuration')
  }
  if (proxy?.protocol === 'mtproto' && !isAllowedProxy('mtproto', body.location_id)) {
    throw badRequest('location_id', `has no mtproto proxies: change or delete the subconfig first`)
  }
  const bridge = await findBridgeFrom(tx, config.id)
  if (bridge && !canBeginBridge(body.protocol)) {
    throw badRequest(
      'protocol',
      `cannot begin a bridge; remove the bridge first with DELETE /configs/bridges/${bridge.id}`,
    )
  }
}

/** Options that are not named stay as they were where the new place can carry them. */
const optionsAfter = (config: HeldAccess, body: Body): OptionName[] => {
  const { protocol, location_id: locationId } = body
  const result = carryOptions({ protocol, locationId, kept: config.options, named: body })
  if ('problems' in result) throw new ApiError('BAD_REQUEST', result.problems)
  return optionNames.filter((name) => result.options[name])
}

/** Another protocol, place or options; also a move to another server. */
export const changeSettings = (care: Care, id: number, body: Body): Promise<SettledConnection> => {
  const { owner, now } = care
  const { location_id: locationId, protocol } = body
  return inTransaction(care.db, async (tx) => {
    const access = await holdLive(tx, owner, id, now)
    const options = optionsAfter(access, body)
    const proxy = await findProxyBeside(tx, id)
    await refuseMove(tx, access, body, proxy)
    await holdEntriesTo(tx, [id])
    const choice = { locationId, protocol, preferredId: body.server_id, now }
    const server = await swapSlot(tx, access.server_id, {
      ...choice,
      ...(owner.scope && { scope: owner.scope }),
    })
    if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
    if (server.node_id !== access.node_id && proxy?.protocol === 'mtproto' && proxy.tls_domain) {
      await requireFronting(tx, server.node_id, proxy.tls_domain, 'location_id')
    }
    const to = { nodeId: server.node_id, serverId: server.id, locationId, protocol, options }
    await moveAccess(tx, care, access, to)
    return toSettledConnection(care.vault, await showAfter(tx, care, id))
  })
}
