import type { configs } from '@sallyport/contract/customer/configs'
import type { SettledConnection } from '@sallyport/contract/customer/shapes'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import { type SwitchName, switchNames } from '@sallyport/contract/shapes'
import { canBeginBridge } from '@sallyport/domain/vpn/bridge-rules'
import { isAllowedProxy } from '@sallyport/domain/vpn/proxy-rules'
import { carrySwitches } from '@sallyport/domain/vpn/switch-rules'
import { type Db, inTransaction } from '../../../db/client.ts'
import { endCopiesOf } from '../../fleet/placements.ts'
import { noServerIn, swapSlot } from '../../fleet/servers.ts'
import { findProxyBeside } from '../access/access-row-reads.ts'
import { findBridgeFrom, lockEntriesTo } from '../access/bridges.ts'
import { type LockedAccess, lockLive } from '../access/locked-access.ts'
import type { ProxyRow } from '../access/proxies.ts'
import { type AccessContext, showAfter } from './access-context.ts'
import { toSettledConnection } from './config-view.ts'
import { moveAccess } from './move-access.ts'
import { requireFronting } from './proxy-engine.ts'

type Body = BodyOf<typeof configs.changeConfigSettings>

/** Why this configuration may not become that, beyond the option rules. */
const refuseMove = async (
  tx: Db,
  config: LockedAccess,
  body: Body,
  proxy: ProxyRow | undefined,
): Promise<void> => {
  if (config.flags.includes('noChangeCountry') && body.location_id !== config.location_id) {
    throw badRequest('location_id', 'cannot be changed for this configuration')
  }
  if (proxy?.protocol === 'mtproto' && !isAllowedProxy('mtproto', body.location_id)) {
    throw badRequest(
      'location_id',
      'has no mtproto proxies for configurations: change or delete the subconfig first',
    )
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
const optionsAfter = (config: LockedAccess, body: Body): SwitchName[] => {
  const { protocol, location_id: locationId } = body
  const result = carrySwitches({ protocol, locationId, kept: config.options, named: body })
  if ('problems' in result) throw new ApiError('BAD_REQUEST', result.problems)
  return switchNames.filter((name) => result.options[name])
}

/** Another protocol, place or options; also a move to another server. */
export const changeSettings = (
  context: AccessContext,
  id: number,
  body: Body,
): Promise<SettledConnection> => {
  const { owner, now } = context
  const { location_id: locationId, protocol } = body
  return inTransaction(context.db, async (tx) => {
    const access = await lockLive(tx, owner, id, now)
    const options = optionsAfter(access, body)
    const proxy = await findProxyBeside(tx, id)
    await refuseMove(tx, access, body, proxy)
    await lockEntriesTo(tx, [id])
    const isNew = locationId !== access.location_id
    const choice = { locationId, protocol, preferredId: body.server_id, isNew, now }
    const server = await swapSlot(tx, access.server_id, {
      ...choice,
      ...(owner.scope && { scope: owner.scope }),
    })
    if (!server) throw await noServerIn(tx, locationId)
    if (server.node_id !== access.node_id && proxy?.protocol === 'mtproto' && proxy.tls_domain) {
      await requireFronting(tx, server.node_id, proxy.tls_domain, 'location_id')
    }
    const to = { nodeId: server.node_id, serverId: server.id, locationId, protocol, options }
    await moveAccess(tx, context, access, to)
    await endCopiesOf(tx, context.bus, proxy ? [id, proxy.id] : [id])
    return toSettledConnection(context.vault, await showAfter(tx, context, id))
  })
}
