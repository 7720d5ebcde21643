import type { cloudServers } from '@sallyport/contract/customer/cloud-servers/cloud-servers'
import type { CloudConfig } from '@sallyport/contract/customer/cloud-servers/shapes'
import { ApiError } from '@sallyport/contract/errors'
import { switchNames } from '@sallyport/contract/shapes'
import { switchProblems } from '@sallyport/domain/vpn/switch-rules'
import type { Call, Handlers, Services } from '../../core/call.ts'
import { lockActive, ownerOf, requireOwn } from '../../core/clouds/customer-machines.ts'
import { claimSlot } from '../../core/fleet/servers.ts'
import { changeTitle, findAccess, listAccesses, type ShownAccess } from '../../core/vpn/access/reads.ts'
import type { AccessContext } from '../../core/vpn/operations/access-context.ts'
import { changeAwg } from '../../core/vpn/operations/awg.ts'
import { changeProxyToConfig } from '../../core/vpn/operations/change-proxy-to-config.ts'
import { createAccess } from '../../core/vpn/operations/create-access.ts'
import { resetCredentials } from '../../core/vpn/operations/renew-credentials.ts'
import { changeSettings } from '../../core/vpn/operations/settings.ts'
import {
  addStandaloneProxy,
  deleteFromMachine,
  listStandaloneProxies,
} from '../../core/vpn/operations/standalone-proxies.ts'
import { changeXrayConfig, resetXrayConfig } from '../../core/vpn/operations/xray-edit.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { findOwnServer } from './queries.ts'
import { standaloneProxyConfig, toCloudConfigs, toCloudConnection, toSettledCloud } from './shown.ts'

/** Configurations on the customer's machine, by the functions for configurations sold alone. */

type OwnCall = Services & { readonly userId: number; readonly now: number }

const mostShown = 10_000

/** Missing and foreign machines are the same 404, whatever is asked of what is on them. */
export const contextOf = async <C extends OwnCall>(
  call: C,
  serverId: number,
): Promise<C & AccessContext> => ({
  ...call,
  owner: ownerOf(call.userId, await requireOwn(call.db, call.userId, serverId, call.now)),
})

const list = async (context: AccessContext): Promise<CloudConfig[]> => {
  const page = { now: context.now, limit: mostShown, offset: 0 }
  const [carried, standalone] = [
    await listAccesses(context.db, context.owner, page),
    await listStandaloneProxies(context, false),
  ]
  const configs = [...toCloudConfigs(context.vault, carried), ...standalone.map(standaloneProxyConfig)]
  return configs.sort((one, other) => one.id - other.id)
}

const create = (call: Call<typeof cloudServers.createCloudConfig>): Promise<CloudConfig> => {
  const { userId, vault, body, now } = call
  const { protocol, title = null } = body
  const options = switchNames.filter((name) => body[name])
  return inTransaction(call.db, async (tx) => {
    const { term, machine } = await lockActive(tx, userId, call.params.server_id, now)
    const owner = ownerOf(userId, { id: machine.id, term_id: term.id })
    const locationId = machine.location_id
    const problems = switchProblems({ protocol, locationId, options: body })
    if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
    if (protocol === 'mtproto') {
      const place = await placeOn(tx, term.id, locationId)
      return standaloneProxyConfig(
        await addStandaloneProxy(tx, { ...call, owner }, place, { protocol, title, asProxy: false }),
      )
    }
    const server = await claimSlot(tx, { scope: { ownerTermId: term.id }, protocol, isNew: true, now })
    if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
    const { id: serverId, node_id: nodeId } = server
    const on = { termId: term.id, nodeId, serverId, locationId }
    const id = await createAccess(tx, call, { ...on, protocol, options, title })
    const made = (await findAccess(tx, owner, now, id)) as ShownAccess
    return toCloudConfigs(vault, [made])[0] as CloudConfig
  })
}

/** Where something new stands on the machine of this term. */
export const placeOn = async (tx: Db, termId: number, locationId: number) => {
  const server = await findOwnServer(tx, termId)
  if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
  return { termId, serverId: server.id, nodeId: server.node_id, locationId }
}

const changeProtocol = async (call: Call<typeof cloudServers.changeCloudConfigProtocol>) => {
  const { params, body, userId, now } = call
  const context = await contextOf(call, params.server_id)
  const { location_id } = await requireOwn(call.db, userId, params.server_id, now)
  const [standalone] = await listStandaloneProxies(context, false, params.id)
  const wanted = { ...body, location_id }
  const settled = standalone
    ? await changeProxyToConfig(context, params.id, wanted)
    : await changeSettings(context, params.id, wanted)
  return toSettledCloud(settled)
}

export const configHandlers: Pick<
  Handlers<typeof cloudServers>,
  | 'listCloudConfigs'
  | 'createCloudConfig'
  | 'changeCloudConfigProtocol'
  | 'changeCloudXrayConfig'
  | 'changeCloudAwgConfig'
  | 'changeCloudConfigTitle'
  | 'deleteCloudConfig'
  | 'resetCloudXrayConfig'
  | 'resetCloudConfigCredentials'
> = {
  listCloudConfigs: async (call) => list(await contextOf(call, call.params.server_id)),
  createCloudConfig: create,
  changeCloudConfigProtocol: changeProtocol,
  changeCloudXrayConfig: async (call) =>
    toCloudConnection(
      await changeXrayConfig(await contextOf(call, call.params.server_id), call.params.id, call.body),
    ),
  changeCloudAwgConfig: async (call) =>
    toCloudConnection(
      await changeAwg(await contextOf(call, call.params.server_id), call.params.config_id, call.body),
    ),
  changeCloudConfigTitle: async (call) => {
    const { owner } = await contextOf(call, call.params.server_id)
    return changeTitle(call.db, owner, call.params.id, call.body.title)
  },
  deleteCloudConfig: async (call) =>
    deleteFromMachine(await contextOf(call, call.params.server_id), call.params.id, false),
  resetCloudXrayConfig: async (call) =>
    toCloudConnection(
      await resetXrayConfig(await contextOf(call, call.params.server_id), call.params.config_id),
    ),
  resetCloudConfigCredentials: async (call) =>
    toCloudConnection(
      await resetCredentials(await contextOf(call, call.params.server_id), call.params.config_id),
    ),
}
