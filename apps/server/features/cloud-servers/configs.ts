import type { cloudServers } from '@sallyport/contract/customer/cloud-servers/cloud-servers'
import type { CloudConfig } from '@sallyport/contract/customer/cloud-servers/shapes'
import { ApiError } from '@sallyport/contract/errors'
import { optionNames } from '@sallyport/contract/shapes'
import { optionProblems } from '@sallyport/domain/vpn/option-rules'
import type { Call, Handlers, Services } from '../../core/call.ts'
import { holdActive, ownerOf, requireOwn } from '../../core/clouds/own.ts'
import { claimSlot } from '../../core/fleet/servers.ts'
import { changeTitle, findAccess, listAccesses, type ShownAccess } from '../../core/vpn/access/reads.ts'
import { changeAwg } from '../../core/vpn/care/awg.ts'
import { becomeConfig } from '../../core/vpn/care/becoming.ts'
import type { Care } from '../../core/vpn/care/care.ts'
import { makeAccess } from '../../core/vpn/care/making.ts'
import { changeSettings } from '../../core/vpn/care/settings.ts'
import { addStanding, deleteFromMachine, listStanding } from '../../core/vpn/care/standing.ts'
import { changeXrayConfig, resetXrayConfig } from '../../core/vpn/care/xray-edit.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { findOwnServer } from './queries.ts'
import { standingConfig, toCloudConfigs, toCloudConnection, toSettledCloud } from './shown.ts'

/** Configurations on the customer's machine, by the functions for configurations sold alone. */

type OwnCall = Services & { readonly userId: number; readonly now: number }

const mostShown = 10_000

/** Missing and foreign machines are the same 404, whatever is asked of what is on them. */
export const careOf = async <C extends OwnCall>(call: C, serverId: number): Promise<C & Care> => ({
  ...call,
  owner: ownerOf(call.userId, await requireOwn(call.db, call.userId, serverId, call.now)),
})

const list = async (care: Care): Promise<CloudConfig[]> => {
  const page = { now: care.now, limit: mostShown, offset: 0 }
  const [carried, standing] = [await listAccesses(care.db, care.owner, page), await listStanding(care, false)]
  const configs = [...toCloudConfigs(care.vault, carried), ...standing.map(standingConfig)]
  return configs.sort((one, other) => one.id - other.id)
}

const create = (call: Call<typeof cloudServers.createCloudConfig>): Promise<CloudConfig> => {
  const { userId, vault, body, now } = call
  const { protocol, title = null } = body
  const options = optionNames.filter((name) => body[name])
  return inTransaction(call.db, async (tx) => {
    const { term, machine } = await holdActive(tx, userId, call.params.server_id, now)
    const owner = ownerOf(userId, { id: machine.id, term_id: term.id })
    const locationId = machine.location_id
    const problems = optionProblems({ protocol, locationId, options: body })
    if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
    if (protocol === 'mtproto') {
      const place = await placeOn(tx, term.id, locationId)
      return standingConfig(
        await addStanding(tx, { ...call, owner }, place, { protocol, title, asProxy: false }),
      )
    }
    const server = await claimSlot(tx, { scope: { ownerTermId: term.id }, protocol, now })
    if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
    const { id: serverId, node_id: nodeId } = server
    const on = { termId: term.id, nodeId, serverId, locationId }
    const id = await makeAccess(tx, call, { ...on, protocol, options, title })
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
  const care = await careOf(call, params.server_id)
  const { location_id } = await requireOwn(call.db, userId, params.server_id, now)
  const [standing] = await listStanding(care, false, params.id)
  const wanted = { ...body, location_id }
  const settled = standing
    ? await becomeConfig(care, params.id, wanted)
    : await changeSettings(care, params.id, wanted)
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
> = {
  listCloudConfigs: async (call) => list(await careOf(call, call.params.server_id)),
  createCloudConfig: create,
  changeCloudConfigProtocol: changeProtocol,
  changeCloudXrayConfig: async (call) =>
    toCloudConnection(
      await changeXrayConfig(await careOf(call, call.params.server_id), call.params.id, call.body),
    ),
  changeCloudAwgConfig: async (call) =>
    toCloudConnection(
      await changeAwg(await careOf(call, call.params.server_id), call.params.config_id, call.body),
    ),
  changeCloudConfigTitle: async (call) => {
    const { owner } = await careOf(call, call.params.server_id)
    return changeTitle(call.db, owner, call.params.id, call.body.title)
  },
  deleteCloudConfig: async (call) =>
    deleteFromMachine(await careOf(call, call.params.server_id), call.params.id, false),
  resetCloudXrayConfig: async (call) =>
    toCloudConnection(
      await resetXrayConfig(await careOf(call, call.params.server_id), call.params.config_id),
    ),
}
