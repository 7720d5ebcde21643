import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import { type OptionName, optionNames } from '@sallyport/contract/shapes'
import { canBeginBridge } from '@sallyport/domain/vpn/bridge-rules'
import { carryOptions } from '@sallyport/domain/vpn/option-rules'
import { isAllowedProxy } from '@sallyport/domain/vpn/proxy-rules'
import type { Handlers } from '../../core/call.ts'
import { serverStats } from '../../core/fleet/server-stats.ts'
import { swapSlot } from '../../core/fleet/servers.ts'
import { listTariffDays } from '../../core/sales/prices.ts'
import { findBridgeFrom, holdEntriesTo } from '../../core/vpn/bridges.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { holdLive } from './held.ts'
import { type Destination, moveConfig } from './moving.ts'
import { requireFronting } from './proxy-engine.ts'
import { type ConfigRow, findConfig, findNodeOf, type HeldConfig, updateOwnConfig } from './queries.ts'
import { toSettledConnection } from './shown.ts'
import { findMtproto } from './subconfig-queries.ts'

type Body = BodyOf<typeof configs.changeConfigSettings>

/** Why this configuration may not become that, beyond the option rules. */
const refuseMove = async (tx: Db, config: HeldConfig, body: Body): Promise<void> => {
  if (config.flags.includes('noChangeCountry') && body.location_id !== config.location_id) {
    throw badRequest('location_id', 'cannot be changed for this configuration')
  }
  if (!isAllowedProxy('mtproto', body.location_id) && (await findMtproto(tx, config.id))) {
    throw badRequest('location_id', `has no mtproto proxies: change or delete the subconfig first`)
  }
  const bridge = await findBridgeFrom(tx, { type: 'config', id: config.id })
  if (bridge && !canBeginBridge(body.protocol)) {
    throw badRequest(
      'protocol',
      `cannot begin a bridge; remove the bridge first with DELETE /configs/bridges/${bridge.id}`,
    )
  }
}

/** Options that are not named stay as they were where the new place can carry them. */
const optionsAfter = (config: HeldConfig, body: Body): OptionName[] => {
  const { protocol, location_id: locationId } = body
  const result = carryOptions({ protocol, locationId, kept: config.options, named: body })
  if ('problems' in result) throw new ApiError('BAD_REQUEST', result.problems)
  return optionNames.filter((name) => result.options[name])
}

const requireDays = async (db: Db, days: number | undefined): Promise<number> => {
  if (days === undefined) throw badRequest('days', 'is required to switch auto-renewal on')
  const offered = await listTariffDays(db, 'configs')
  if (!offered.includes(days)) {
    throw badRequest('days', `is not the length of a tariff; choose one of ${offered.join(', ')}`)
  }
  return days
}

export const settingsHandlers: Pick<
  Handlers<typeof configs>,
  'changeConfigSettings' | 'changeConfigTitle' | 'switchAutoRenewal' | 'showServerStats'
> = {
  changeConfigSettings: (call) => {
    const { userId, body, vault, now } = call
    const { location_id: locationId, protocol } = body
    return inTransaction(call.db, async (tx) => {
      const config = await holdLive(tx, userId, call.params.config_id, now)
      const options = optionsAfter(config, body)
      await refuseMove(tx, config, body)
      await holdEntriesTo(tx, [config.id])
      const choice = { locationId, protocol, preferredId: body.server_id, now }
      const server = await swapSlot(tx, config.server_id, choice)
      if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
      const proxy = server.node_id === config.node_id ? undefined : await findMtproto(tx, config.id)
      if (proxy?.tls_domain) await requireFronting(tx, server.node_id, proxy.tls_domain, 'location_id')
      const destination: Destination = {
        nodeId: server.node_id,
        serverId: server.id,
        locationId,
        protocol,
        options,
      }
      await moveConfig(tx, call, config, destination)
      return toSettledConnection(vault, (await findConfig(tx, userId, now, config.id)) as ConfigRow)
    })
  },

  changeConfigTitle: async ({ db, userId, params, body }) => {
    if (!(await updateOwnConfig(db, userId, params.config_id, { title: body.title }))) {
      throw new ApiError('NOT_FOUND')
    }
    return true
  },

  switchAutoRenewal: async ({ db, userId, params, body }) => {
    const days = body.enabled ? await requireDays(db, body.days) : null
    const change = { auto_renewal: body.enabled, auto_renewal_days: days }
    if (!(await updateOwnConfig(db, userId, params.config_id, change))) throw new ApiError('NOT_FOUND')
    return change
  },

  showServerStats: async ({ db, userId, params, now }) => {
    const node = await findNodeOf(db, userId, params.config_id)
    if (!node) throw new ApiError('NOT_FOUND')
    return serverStats(db, node, now)
  },
}
