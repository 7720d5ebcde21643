import type { paidOptions } from '@sallyport/contract/customer/paid-options/paid-options'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import { type SwitchSet, switchNames } from '@sallyport/contract/shapes'
import { switchProblems, wholeTrafficLocationId } from '@sallyport/domain/vpn/switch-rules'
import type { Call, Handlers, Services } from '../../core/call.ts'
import { claimSlot, listAvailable } from '../../core/fleet/servers.ts'
import { listServers, type OptionServer } from '../../core/options/option-catalogue.ts'
import {
  countAdded,
  findConfig,
  findOwn,
  ownerOf,
  requireOption,
} from '../../core/options/option-ownership.ts'
import { requireOn } from '../../core/vpn/access/locked-access.ts'
import { changeTitle, findAccess, type ShownAccess, showStats } from '../../core/vpn/access/reads.ts'
import { createAccess } from '../../core/vpn/operations/create-access.ts'
import { addProxy, changeProxy, deleteProxy, showProxy } from '../../core/vpn/operations/proxy.ts'
import { resetCredentials } from '../../core/vpn/operations/renew-credentials.ts'
import { changeSettings } from '../../core/vpn/operations/settings.ts'
import { changeXrayConfig, resetXrayConfig } from '../../core/vpn/operations/xray-edit.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { toAdded } from './shown.ts'

/** Configurations that the customer adds to an option, on its servers only. */

const mostAdded = 20

type OwnCall = Services & { readonly userId: number; readonly now: number }

const contextOf = (call: OwnCall, optionId: number) => ({ ...call, owner: ownerOf(call.userId, optionId) })

const serversOf = async (db: Db, optionId: number) => {
  const servers = await listServers(db, optionId)
  return { servers, scope: { ids: servers.map((server) => server.server_id) } }
}

const refuseTooMany = async (tx: Db, termId: number): Promise<void> => {
  if ((await countAdded(tx, termId)) >= mostAdded) {
    throw conflict('id', `has ${mostAdded} added configurations already`)
  }
}

/** Where it has to be, when its options leave no choice. */
const locationFor = (options: SwitchSet, servers: readonly OptionServer[]): number | undefined =>
  options.pass_all_traffic_through_vpn
    ? servers.find((server) => server.location_id === wholeTrafficLocationId)?.location_id
    : undefined

const add = (call: Call<typeof paidOptions.addOptionConfig>) => {
  const { userId, vault, body, now } = call
  const { protocol } = body
  const options = switchNames.filter((name) => body[name])
  return inTransaction(call.db, async (tx) => {
    const term = await requireOption(tx, userId, call.params.id)
    requireOn(term, now, 'id')
    await refuseTooMany(tx, term.id)
    const { servers, scope } = await serversOf(tx, call.params.id)
    const wished = servers.find((server) => server.server_id === body.server_id)
    if (body.server_id !== undefined && !wished) throw new ApiError('NO_SERVER_AVAILABLE')
    const wishedLocation = wished?.location_id ?? locationFor(body, servers)
    const problems = switchProblems({ protocol, locationId: wishedLocation, options: body })
    if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
    const server = await claimSlot(tx, {
      scope,
      protocol,
      isNew: true,
      now,
      ...(wished && { preferredId: wished.server_id }),
      ...(wishedLocation !== undefined && { locationId: wishedLocation }),
    })
    if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
    const { id: serverId, node_id: nodeId, location_id: locationId } = server
    const id = await createAccess(tx, call, {
      termId: term.id,
      nodeId,
      serverId,
      locationId,
      protocol,
      options,
      title: body.title ?? null,
    })
    const row = (await findAccess(tx, ownerOf(userId, call.params.id), now, id)) as ShownAccess
    return toAdded(vault, row)
  })
}

/** Those that came with the option follow it; the customer adds others to change them. */
const requireAdded = async (db: Db, userId: number, { id, configId }: { id: number; configId: number }) => {
  const config = await findConfig(db, userId, id, configId)
  if (!config) throw new ApiError('NOT_FOUND')
  if (config.position === null) return config
  throw badRequest(
    'configId',
    'came with the option and follows it; add a configuration of your own to change it',
  )
}

const settle = async (call: Call<typeof paidOptions.changeOptionConfigSettings>) => {
  const { db, userId, params, body } = call
  const { location_id: present } = await requireAdded(db, userId, params)
  const { servers, scope } = await serversOf(db, params.id)
  const wished = servers.find((server) => server.server_id === body.server_id)
  if (body.server_id !== undefined && !wished) throw new ApiError('NO_SERVER_AVAILABLE')
  const context = { ...call, owner: { ...ownerOf(userId, params.id), scope } }
  return changeSettings(context, params.configId, { ...body, location_id: wished?.location_id ?? present })
}

export const addedHandlers: Pick<
  Handlers<typeof paidOptions>,
  | 'addOptionConfig'
  | 'changeOptionConfigSettings'
  | 'changeOptionXrayConfig'
  | 'resetOptionXrayConfig'
  | 'resetOptionConfigCredentials'
  | 'changeOptionConfigTitle'
  | 'showOptionConfigStats'
  | 'listOptionServers'
  | 'showOptionSubconfig'
  | 'createOptionSubconfig'
  | 'changeOptionSubconfig'
  | 'deleteOptionSubconfig'
> = {
  addOptionConfig: add,
  changeOptionConfigSettings: settle,
  changeOptionXrayConfig: async (call) => {
    await requireAdded(call.db, call.userId, call.params)
    return changeXrayConfig(contextOf(call, call.params.id), call.params.configId, call.body)
  },
  resetOptionXrayConfig: async (call) => {
    await requireAdded(call.db, call.userId, call.params)
    return resetXrayConfig(contextOf(call, call.params.id), call.params.configId)
  },
  /** Also of those that came with the option: nothing but the secrets changes. */
  resetOptionConfigCredentials: (call) =>
    resetCredentials(contextOf(call, call.params.id), call.params.configId),
  changeOptionConfigTitle: ({ db, userId, params, body }) =>
    changeTitle(db, ownerOf(userId, params.id), params.configId, body.title),
  showOptionConfigStats: ({ db, userId, params, now }) =>
    showStats(db, ownerOf(userId, params.id), params.configId, now),

  listOptionServers: async ({ db, userId, params, query, now }) => {
    await findOwn(db, userId, params.id)
    const { scope } = await serversOf(db, params.id)
    return listAvailable(db, { scope, protocol: query.protocol, isNew: true, now })
  },

  showOptionSubconfig: (call) => showProxy(contextOf(call, call.params.id), call.params.configId),
  createOptionSubconfig: (call) => addProxy(contextOf(call, call.params.id), call.params.configId, call.body),
  changeOptionSubconfig: (call) =>
    changeProxy(contextOf(call, call.params.id), call.params.configId, call.body),
  deleteOptionSubconfig: (call) => deleteProxy(contextOf(call, call.params.id), call.params.configId),
}
